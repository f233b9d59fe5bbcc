/** What a page does before its own script is there. */

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** Left behind for the page's own script, as `promptTables` of the page. */
export interface EarlyPage {
  /** A page may acquire it once. */
  readonly vscode: VsCodeApi;
  /** Number of the `ready` request that is on its way: the page's first request takes it over. */
  readonly readyId: number;
  /** What has come so far; ends the holding. */
  readonly take: () => readonly unknown[];
}

export interface EarlyGlobals {
  promptTables?: EarlyPage | undefined;
  readonly acquireVsCodeApi: () => VsCodeApi;
  addEventListener(name: 'message', listener: (event: { readonly data: unknown }) => void): void;
  removeEventListener(name: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

/** Runs in the page as it stands here, without anything around it. */
function ask(paramsOf: (state: unknown) => unknown): void {
  const page = globalThis as typeof globalThis & EarlyGlobals;
  const vscode = page.acquireVsCodeApi();
  const held: unknown[] = [];
  const hold = ({ data }: { readonly data: unknown }): void => void held.push(data);
  page.addEventListener('message', hold);
  // Not from 1: VS Code may hand a page that is loaded anew what was meant for the one before it.
  const readyId = 1 + Math.floor(Math.random() * 2 ** 40);
  page.promptTables = {
    vscode,
    readyId,
    take: () => {
      page.removeEventListener('message', hold);
      return held;
    },
  };
  const params = paramsOf(vscode.getState());
  vscode.postMessage({ kind: 'request', id: readyId, name: 'ready', params });
}

/**
 * Asks the extension for what the page is to show while the page's script is still being loaded.
 * `paramsOf` is source text: a function of the state that VS Code has kept.
 */
export const earlyScript = (paramsOf = '() => null'): string => `(${String(ask)})(${paramsOf})`;
