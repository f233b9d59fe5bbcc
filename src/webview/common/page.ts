import { readFrame, type Port } from '../../protocol/channel.ts';
import type { EarlyGlobals, EarlyPage } from '../../protocol/early.ts';
import { loadIcons } from './icons.ts';

export interface Page {
  readonly root: HTMLElement;
  readonly port: Port;
  /** Kept by VS Code while the page is gone. */
  readonly state: { readonly get: () => unknown; readonly set: (state: unknown) => void };
  readonly onFault: (fault: unknown) => void;
  /** Draws the icons, whose places are kept until then. Again: does nothing. */
  readonly showIcons: () => void;
}

/**
 * What a page of VS Code has: the element that it fills, and its way to the extension. Called while
 * the page's script is run for the first time.
 */
export function openPage(rootId: string): Page {
  const globals = globalThis as typeof globalThis & EarlyGlobals;
  const early = globals.promptTables;
  globals.promptTables = undefined;
  if (early === undefined) throw new Error('The page has not asked for what it is to show.');
  const { vscode } = early;
  const root = document.getElementById(rootId);
  if (root === null) throw new Error(`The page has no element "${rootId}".`);
  // The extension's log does not reach here; the webview's own console is where VS Code shows it.
  // oxlint-disable-next-line no-console -- the only place a page can report a fault to
  const onFault = (fault: unknown): void => console.error(fault);
  const script = document.currentScript;
  let hasIcons = false;
  return {
    root,
    port: portOf(early),
    state: { get: () => vscode.getState(), set: (state) => vscode.setState(state) },
    onFault,
    showIcons: () => {
      if (hasIcons || !(script instanceof HTMLScriptElement)) return;
      hasIcons = true;
      loadIcons(script, onFault);
    },
  };
}

/** The way to the extension, with what has come before anybody listened. */
export function portOf({ vscode, readyId, take }: EarlyPage): Port {
  return {
    firstId: readyId,
    post: (message) => {
      const frame = readFrame(message);
      const isSent = frame?.kind === 'request' && frame.id === readyId;
      if (!isSent) vscode.postMessage(message);
    },
    listen: (listener) => {
      // Each in a turn of its own, as they would have come: what one begins is done before the next.
      const waiting = [...take()];
      let isWaiting = waiting.length > 0;
      const receive = ({ data }: MessageEvent): void => {
        if (isWaiting) waiting.push(data);
        else listener(data);
      };
      const passOn = (): void => {
        const data = waiting.shift();
        isWaiting = waiting.length > 0;
        // Before it is sent: a listener that fails doesn't keep the others from coming.
        if (isWaiting) setTimeout(passOn);
        listener(data);
      };
      window.addEventListener('message', receive);
      // Once the request is made that the first of them answers.
      if (isWaiting) queueMicrotask(passOn);
      return () => window.removeEventListener('message', receive);
    },
  };
}
