import { attempt, type ActionParts } from './action-parts.ts';
import type { GridActions } from './grid-actions.ts';

type LogActions = Pick<GridActions, 'take' | 'search' | 'filter' | 'dropFilter' | 'more'>;

/** What the log of requests is asked beside what every grid is. */
export function logActions(parts: ActionParts): LogActions {
  const { host, model } = parts;
  return {
    take: (action) =>
      void attempt(parts, host.ask('take', { action, selection: model.selected() })),
    search: (text) => void attempt(parts, host.ask('search', { text })),
    filter: (at) => void attempt(parts, host.ask('filter', { at })),
    dropFilter: (at) => void attempt(parts, host.ask('dropFilter', { at })),
    more: (all) => void attempt(parts, host.ask('more', { all })),
  };
}
