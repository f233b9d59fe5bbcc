import * as vscode from 'vscode';
import * as z from 'zod';
import type { HostEvents, ViewEvents, ViewRequests } from '../../protocol/grid.ts';
import type { LogCommand, LogRequests } from '../../protocol/request-log.ts';
import { askWithFirstPage } from '../grid/html.ts';
import { logActions } from '../../protocol/request-log.ts';
import type { App } from '../shell/app.ts';
import { checkMessage } from '../panels/check-message.ts';
import { copyText } from '../copy-text.ts';
import { DisposableStore } from '../shell/dispose.ts';
import { PageLink } from '../panels/page-link.ts';
import { placeOf } from '../panels/run-problem.ts';
import { eventSchemas, rowsRequestSchemas, selectionSchema } from '../grid/messages.ts';
import { askFilter } from './ask-filter.ts';
import type { Filter } from './filters.ts';
import { LogSession } from './session.ts';
import { take } from './take.ts';
import { LogViews } from './view.ts';

const place = z.int().min(0).max(1000).nullable();
const ownSchemas: {
  readonly [Name in Exclude<keyof LogRequests, keyof typeof rowsRequestSchemas>]: z.ZodType<
    LogRequests[Name]['params']
  >;
} = {
  search: z.object({ text: z.string().max(10_000) }),
  filter: z.object({ at: place }),
  dropFilter: z.object({ at: place }),
  more: z.object({ all: z.boolean() }),
  take: z.object({ action: z.enum(logActions), selection: selectionSchema }),
};
const checkFromLog = checkMessage('The request log', {
  request: { ...rowsRequestSchemas, ...ownSchemas },
  event: eventSchemas,
});

/** The log of requests of one workspace in an editor tab, in the grid that sheets are shown in. */
export class LogPanel {
  readonly connectionId: string;
  readonly #panel: vscode.WebviewPanel;
  readonly #session: LogSession;
  readonly #own = new DisposableStore();
  readonly #link: PageLink<LogRequests, ViewRequests, HostEvents, ViewEvents>;

  constructor(app: App, panel: vscode.WebviewPanel, connectionId: string) {
    this.connectionId = connectionId;
    this.#panel = panel;
    const views = new LogViews(app.context.workspaceState);
    const { name, local } = placeOf(app, connectionId);
    const note = (doing: string) => (error: unknown) => app.errors.note(error, doing);
    this.#session = new LogSession({
      connection: { id: connectionId, name, local },
      view: views.get(connectionId),
      t: (message, ...args) => vscode.l10n.t(message, ...args),
      search: async (search, given) => {
        const signal = AbortSignal.any([given, app.signal]);
        const client = await app.connections.client(connectionId, { signal });
        return client.requests.search(search, { signal });
      },
      emit: (event, payload) => this.#link.channel?.emit(event, payload),
      keep: (view) => {
        views.set(connectionId, view).catch(note('Keeping what the request log shows'));
      },
      askFilter: (before, others) => askFilter(app, connectionId, before, others),
      take: (action, requests) => take(app, connectionId, action, requests),
      writeClipboard: (text, form) => copyText(app, text, form),
      copySettings: () => ({
        formulaGuard: app.settings.get('copy.formulaGuard'),
        limitBytes: app.settings.get('copy.limitMegabytes') * 1_048_576,
      }),
      note: note('Searching the request log'),
      describe: (error) => app.errors.describe(error),
    });
    this.#own.defer(() => this.#session.close());
    panel.iconPath = new vscode.ThemeIcon('history');
    this.#link = this.#own.add(
      new PageLink<LogRequests, ViewRequests, HostEvents, ViewEvents>({
        ...{ app, panel, bundle: 'grid', askWith: askWithFirstPage },
        ...{ what: 'request log', check: checkFromLog },
        handlers: this.#session.handlers,
        listeners: {
          // All rows are here: there is nothing to follow.
          visiblePages: () => undefined,
          layout: (layout) => {
            this.#session.layout = layout;
          },
          cursor: () => undefined,
          draft: () => undefined,
          close: () => void panel.dispose(),
        },
      }),
    );
  }

  get isActive(): boolean {
    return this.#panel.active;
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Shows what fits these filters and nothing else. */
  show(filters: readonly Filter[]): Promise<void> {
    return this.#session.show(filters);
  }

  /** Commands of palette and menus. */
  async command(command: LogCommand): Promise<void> {
    await this.#link.channel?.request('command', { command });
  }

  close(): void {
    this.#own.dispose();
  }
}
