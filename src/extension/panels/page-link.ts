import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { isCancellation } from '../../core/errors.ts';
import { openChannel, readFrame } from '../../protocol/channel.ts';
import type {
  Channel,
  EventMap,
  Handlers,
  Listeners,
  Port,
  RequestMap,
  SentError,
} from '../../protocol/channel.ts';
import type { App } from '../shell/app.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { pageHtml } from './page-html.ts';
import type { PageParts } from './page-html.ts';

export interface PageLinkParts<Mine extends RequestMap, Heard extends EventMap> {
  readonly app: App;
  readonly panel: vscode.WebviewPanel;
  /** Name of the bundle below dist/webview, and id of the element that it fills. */
  readonly bundle: string;
  /** What its page asks with: see `PageParts`. */
  readonly askWith?: string;
  /** For the log: "run panel". */
  readonly what: string;
  readonly handlers: Handlers<Mine>;
  readonly listeners: Listeners<Heard>;
  readonly check: (kind: 'request' | 'event', name: string, payload: unknown) => unknown;
  readonly dataImages?: boolean;
  /** See `PageParts`. */
  readonly data?: PageParts['data'];
  /** Whether and how a failed request is reported; default: unless cancelled, as everywhere. */
  readonly isNews?: (error: unknown) => boolean;
  readonly describe?: (error: unknown) => SentError;
}

/**
 * The page of a panel and the way to it. The page is gone while the panel is hidden; it begins with
 * the request `ready`, and what was going on with the page before is ended then.
 */
export class PageLink<
  Mine extends RequestMap,
  Theirs extends RequestMap,
  Heard extends EventMap,
  Reported extends EventMap,
> {
  readonly #parts: PageLinkParts<Mine, Heard>;
  readonly #own = new DisposableStore();
  #channel: Channel<Theirs, Reported> | undefined;

  constructor(parts: PageLinkParts<Mine, Heard>) {
    this.#parts = parts;
    const { panel } = parts;
    this.#own.defer(() => this.#disconnect());
    this.#own.add(
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.#disconnect();
      }),
    );
    this.#listen();
    this.#draw().catch((error: unknown) =>
      parts.app.errors.show(error, { doing: `Showing the ${parts.what}` }),
    );
  }

  /** Undefined while no page is there: what comes meanwhile is in its next snapshot. */
  get channel(): Channel<Theirs, Reported> | undefined {
    return this.#channel;
  }

  dispose(): void {
    this.#own.dispose();
  }

  async #draw(): Promise<void> {
    const { app, panel, bundle: name, askWith, data, dataImages = false } = this.#parts;
    const { webview } = panel;
    const bundle = vscode.Uri.joinPath(app.context.extensionUri, 'dist', 'webview');
    const file = (ending: string): vscode.Uri => vscode.Uri.joinPath(bundle, `${name}.${ending}`);
    webview.options = { enableScripts: true, localResourceRoots: [bundle] };
    const [script, style] = await Promise.all([
      readFile(file('js').fsPath, 'utf8'),
      readFile(file('css').fsPath, 'utf8'),
    ]);
    if (this.#own.isDisposed) return;
    webview.html = pageHtml({
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      ...{ script, style, address: webview.asWebviewUri(file('js')).toString() },
      language: vscode.env.language,
      texts: vscode.l10n.bundle,
      title: panel.title,
      rootId: name,
      ...(askWith !== undefined && { askWith }),
      ...(data !== undefined && { data }),
      dataImages,
    });
  }

  #listen(): void {
    const { webview } = this.#parts.panel;
    const forward = new Set<(message: unknown) => void>();
    const port: Port = {
      post: (message) => void webview.postMessage(message),
      listen(listener) {
        forward.add(listener);
        return () => forward.delete(listener);
      },
    };
    this.#own.add(
      webview.onDidReceiveMessage((message: unknown) => {
        const frame = readFrame(message);
        if (frame?.kind === 'request' && frame.name === 'ready') this.#connect(port);
        for (const listener of forward) listener(message);
      }),
    );
  }

  #connect(port: Port): void {
    this.#disconnect();
    const { app, what, handlers, listeners, check } = this.#parts;
    const { isNews = () => true, describe = (error) => app.errors.describe(error) } = this.#parts;
    this.#channel = openChannel<Mine, Theirs, Heard, Reported>({
      port,
      handlers,
      listeners,
      check,
      describeError: (error) => {
        if (!isCancellation(error) && isNews(error)) {
          app.errors.note(error, `A request of the ${what}`);
        }
        return describe(error);
      },
      onFault: (fault) => app.log.warn(`A message of the ${what} was not understood.`, fault),
    });
  }

  #disconnect(): void {
    this.#channel?.close();
    this.#channel = undefined;
  }
}
