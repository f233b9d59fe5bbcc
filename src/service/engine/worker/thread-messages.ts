import type { OutsideSettings } from '../../egress/outside.ts';
import type { LogLevel } from '../../log.ts';
import type { ModelLimits } from '../../models/limits.ts';
import type { HandedKeys } from '../../models/window-keys.ts';
import type { Measured } from '../../observe/meter.ts';
import type { SandboxOptions } from '../../sandbox/sandbox.ts';
import type { DatabaseAddress } from '../../store/database.ts';

export interface ThreadData {
  readonly address: DatabaseAddress;
  readonly sandbox?: SandboxOptions;
  /** A file with prices of models. */
  readonly pricesFile?: string | undefined;
  readonly outside?: OutsideSettings | undefined;
  readonly limits?: ModelLimits | undefined;
  readonly observe: Observed;
  /** Keys that windows have handed over; undefined: those of the environment count. */
  readonly keys?: HandedKeys | undefined;
}

/** What is measured in the thread. */
export interface Observed {
  readonly metrics: boolean;
  readonly traces: boolean;
}

export type ThreadOrder =
  'wake' | 'stop' | 'measure' | { readonly kind: 'keys'; readonly keys: HandedKeys };

export type ThreadMessage =
  | { readonly kind: 'alive' }
  | { readonly kind: 'measured'; readonly measured: Measured }
  | {
      readonly kind: 'log';
      readonly level: LogLevel;
      readonly message: string;
      readonly fields: Readonly<Record<string, unknown>>;
    };
