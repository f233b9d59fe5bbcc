import type { Port } from '../../protocol/channel.ts';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

export interface Page {
  readonly root: HTMLElement;
  readonly port: Port;
  /** Kept by VS Code while the page is gone. */
  readonly state: { readonly get: () => unknown; readonly set: (state: unknown) => void };
  readonly onFault: (fault: unknown) => void;
}

/** What a page of VS Code has: the element that it fills, and its way to the extension. */
export function openPage(rootId: string): Page {
  const vscode = acquireVsCodeApi();
  const root = document.getElementById(rootId);
  if (root === null) throw new Error(`The page has no element "${rootId}".`);
  return {
    root,
    port: {
      post: (message) => vscode.postMessage(message),
      listen: (listener) => {
        const receive = ({ data }: MessageEvent): void => listener(data);
        window.addEventListener('message', receive);
        return () => window.removeEventListener('message', receive);
      },
    },
    state: { get: () => vscode.getState(), set: (state) => vscode.setState(state) },
    // The extension's log does not reach here; the webview's own console is where VS Code shows it.
    // oxlint-disable-next-line no-console -- the only place a page can report a fault to
    onFault: (fault) => console.error(fault),
  };
}
