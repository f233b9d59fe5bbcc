import type { RelayAnswer } from '../../../core/providers/host/relay-messages.ts';
import type { OutsideSettings } from '../../egress/outside.ts';
import type { LogLevel } from '../../log.ts';
import type { WindowRequest } from '../../models/ask-window.ts';
import type { ModelLimits } from '../../models/limits.ts';
import type { HandedKeys } from '../../models/window-keys.ts';
import type { Measured } from '../../observe/meter.ts';
import type { DatabaseAddress } from '../../store/database.ts';
import type { WorkOf } from '../../store/own-work.ts';

export interface ThreadData {
  readonly address: DatabaseAddress;
  /** A file with prices of models. */
  readonly pricesFile?: string | undefined;
  readonly outside: OutsideSettings;
  readonly limits?: ModelLimits | undefined;
  readonly observe: Observed;
  /** Keys that windows have handed over; undefined: those of the environment count. */
  readonly keys?: HandedKeys | undefined;
  readonly duties: Duties;
  readonly workOf: WorkOf;
  /** Begins the tokens of its claims. */
  readonly name: string;
  /** Shared: where it is; see `Place`. */
  readonly place: SharedArrayBuffer;
}

/** What the thread works on. */
export interface Duties {
  readonly operations: boolean;
  readonly scores: boolean;
  readonly workflows: boolean;
}

/** What is measured in the thread. */
export interface Observed {
  readonly metrics: boolean;
  readonly traces: boolean;
}

export type ThreadOrder =
  | 'stop'
  | 'measure'
  | { readonly kind: 'keys'; readonly keys: HandedKeys }
  /** Of a window, to what was asked. */
  | { readonly kind: 'answer'; readonly id: string; readonly answer: RelayAnswer };

export type ThreadMessage =
  | WindowRequest
  | { readonly kind: 'alive' }
  | { readonly kind: 'measured'; readonly measured: Measured }
  | {
      readonly kind: 'log';
      readonly level: LogLevel;
      readonly message: string;
      readonly fields: Readonly<Record<string, unknown>>;
    };
