/** As `vscode.l10n.t` in English. */
export const t = (message: string, ...args: readonly (string | number)[]): string =>
  message.replace(/\{(\d+)\}/g, (_, at: string) => String(args[Number(at)]));
