import type { RunStatus } from '../../protocol/run.ts';
import { t } from '../common/language.ts';
import { stateText } from '../common/status-line.ts';
import { schemaText } from './schema-line.ts';

export function spellDifferences(count: number | undefined): string {
  if (count === undefined) return t('The answers are too long to mark their differences.');
  if (count === 0) return t('Both answers are the same.');
  if (count === 1) return t('The answers differ in 1 place, which is marked.');
  return t('The answers differ in {0} places, which are marked.', count);
}

export function emptyText({ state }: RunStatus): string {
  switch (state) {
    case 'running':
      return t('Waiting for the first token…');
    case 'idle':
      return t('Enter the variables and select Run. The response streams here.');
    case 'done':
      return t('The model returned nothing.');
    case 'stopped':
      return t('Stopped before any output was received.');
    case 'failed':
      return t('No answer.');
    case 'interrupted':
      return t('The window was closed before any output was received.');
  }
}

/** What is said of a run whose state has changed. */
export function announcementOf(now: RunStatus): string | undefined {
  const said = stateAnnouncement(now);
  if (said === undefined || now.schema === undefined) return said;
  return `${said} ${schemaText(now.schema)}`;
}

function stateAnnouncement(now: RunStatus): string | undefined {
  if (now.ending !== undefined) {
    return t('{0}. The answer is not complete.', stateText(now.state, now.ending));
  }
  switch (now.state) {
    case 'running':
      return t('Running.');
    case 'done':
      if (now.cachedAt !== undefined) return t('The answer is complete. It comes from the cache.');
      return now.outputTokens === undefined
        ? t('The answer is complete.')
        : t('The answer is complete, {0} tokens.', now.outputTokens);
    case 'stopped':
      return t('Stopped. Partial output is kept.');
    // An alert says what failed; nothing has happened in the others.
    case 'failed':
    case 'interrupted':
    case 'idle':
      return undefined;
  }
}
