/** What a grid of logged requests and the extension say to each other beyond what every grid does. */
import type { GridSelection } from './grid-cells.ts';
import type { RowsRequests } from './grid.ts';

/** The column of the log by which requests come newest first; rows are numbered by it. */
export const timeColumn = 'time';

/** Which logged requests a grid shows, where it shows those in the place of a sheet. */
export interface LogPresentation {
  /** Words in what was asked or answered. */
  readonly search: string;
  /** Each in words. */
  readonly filters: readonly string[];
  /** The column that the service sorts by, and those that it can. */
  readonly sortColumn: string;
  readonly sortable: readonly string[];
  readonly loaded: number;
  /** Undefined while the service has not said. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  /** Until the last one is here, or somebody stops it. */
  readonly isLoadingAll: boolean;
  /** No more are kept at a time. */
  readonly isFull: boolean;
}

/** What can be done with chosen requests of the log. */
export const logActions = ['open', 'replay', 'import'] as const;
export type LogAction = (typeof logActions)[number];

/** What a grid of logged requests asks besides. */
export type LogRequests = RowsRequests & {
  readonly search: { readonly params: { readonly text: string }; readonly result: null };
  /** Asks the user what a filter is to be. `at`: the one to change; null: a new one. */
  readonly filter: { readonly params: { readonly at: number | null }; readonly result: null };
  /** Null: all of them. */
  readonly dropFilter: { readonly params: { readonly at: number | null }; readonly result: null };
  /** The next ones; `all`: and all that follow, or stops that when it is under way. */
  readonly more: { readonly params: { readonly all: boolean }; readonly result: null };
  readonly take: {
    readonly params: { readonly action: LogAction; readonly selection: GridSelection };
    readonly result: null;
  };
};

/** Those of a grid of logged requests: its own, and some of every grid. */
export const logCommands = [
  'openRequest',
  'replayRequest',
  'importRequests',
  'filterRequests',
  'moreRequests',
  'copy',
  'copyWithHeaders',
  'copyAsJson',
  'toggleDetails',
  'showColumns',
  'reload',
] as const;
export type LogCommand = (typeof logCommands)[number];
