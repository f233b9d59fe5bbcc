/** `vscode.l10n.t`, handed in so that the thinking stays free of VS Code. */
export type Translate = (message: string, ...args: readonly (string | number)[]) => string;
