import type { RunningService } from './service.ts';
import type { Settings } from './settings.ts';

export interface ServiceThreadData {
  readonly settings: Settings;
}

export type ServiceMessage =
  | { readonly kind: 'alive' }
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'ready'; readonly ready: RunningService['ready'] }
  /** It can't start: what its user should read. */
  | { readonly kind: 'failed'; readonly text: string; readonly code: number };
