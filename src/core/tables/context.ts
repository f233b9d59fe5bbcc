import type { Call, CallOptions } from '../http/call.ts';
import type { Download } from '../http/download.ts';
import type { Clock } from '../http/delay.ts';
import type { Logger } from '../logger.ts';

/** What the endpoint groups need of a client. */
export interface ApiContext {
  readonly call: Call;
  readonly download: Download;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How often something is looked at. Times are milliseconds. */
export interface WatchOptions extends CallOptions {
  /** Time to the first poll; later ones wait 1.5 times longer each, up to `maxDelayMs`. Default 500. */
  readonly firstDelayMs?: number | undefined;
  /** Default 2000. */
  readonly maxDelayMs?: number | undefined;
}
