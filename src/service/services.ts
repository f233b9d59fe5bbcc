import type { Log } from './log.ts';
import type { Prices } from './requests/prices.ts';
import type { Database } from './store/database.ts';

/** What routes work with. */
export interface Services {
  readonly database: Database;
  readonly log: Log;
  readonly prices: Prices;
  /** Signs confirmation tokens and those of realtime channels. */
  readonly secret: string;
  /** Hosts beside this machine that results of workflows may be sent to. */
  readonly callbackHosts: readonly string[];
  /** USD that an operation may cost, unless its request says something else. */
  readonly costCeiling: number | undefined;
  /** Starts work on imports that wait; answers at once. */
  readonly wakeImports: () => void;
}
