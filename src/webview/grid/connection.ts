import {
  ChannelError,
  openChannel,
  type Channel,
  type Handlers,
  type Listeners,
  type Port,
  type SentError,
} from '../../protocol/channel.ts';
import type { CellAddress, CellDetail, GridPage } from '../../protocol/grid-cells.ts';
import type {
  HostEvents,
  OpenedSheet,
  SheetRequests,
  ViewEvents,
  ViewRequests,
} from '../../protocol/grid.ts';
import type { LogRequests } from '../../protocol/request-log.ts';
import { t } from '../common/language.ts';
import { asDetail, asPage, asSheet, checkIncoming } from './guards.ts';
import { MisfitError } from './misfit.ts';

/** Of a sheet or of the log: which one it is, the first answer tells. */
type GridRequests = SheetRequests & LogRequests;

export type HostChannel = Channel<GridRequests, HostEvents>;

/** The extension, as the grid sees it: its answers are checked before anything uses them. */
export interface Host {
  ready(page: number): Promise<OpenedSheet>;
  rows(page: number, generation: number, signal: AbortSignal): Promise<GridPage>;
  cell(address: CellAddress, signal: AbortSignal): Promise<CellDetail>;
  readonly ask: HostChannel['request'];
  readonly tell: HostChannel['emit'];
  close(): void;
}

export interface HostOptions {
  readonly port: Port;
  readonly handlers: Handlers<ViewRequests>;
  readonly listeners: Listeners<ViewEvents>;
  readonly onFault: (fault: unknown) => void;
}

/** Text for the user, and what to do next where it is known. */
export function explain(error: unknown): { readonly message: string; readonly hint?: string } {
  if (error instanceof ChannelError) {
    return error.hint === undefined
      ? { message: error.message }
      : { message: error.message, hint: error.hint };
  }
  if (error instanceof MisfitError) {
    return { message: error.message, hint: t('Reload the sheet; if it stays, see the log.') };
  }
  return { message: error instanceof Error ? error.message : String(error) };
}

function describeError(error: unknown): SentError {
  return { code: error instanceof MisfitError ? 'misfit' : 'view', ...explain(error) };
}

export function connectHost(options: HostOptions): Host {
  const channel = openChannel<ViewRequests, GridRequests, ViewEvents, HostEvents>({
    ...options,
    check: checkIncoming,
    describeError,
  });
  return {
    ready: async (page) => {
      const { sheet, rows } = await channel.request('ready', { page });
      return { sheet: asSheet(sheet), rows: rows === null ? null : asPage(rows) };
    },
    rows: async (page, generation, signal) =>
      asPage(await channel.request('rows', { page, generation }, signal)),
    cell: async (address, signal) => asDetail(await channel.request('cell', address, signal)),
    ask: channel.request.bind(channel),
    tell: channel.emit.bind(channel),
    close: () => channel.close(),
  };
}
