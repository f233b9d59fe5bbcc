import type { NodeReport, NodeState } from '../../protocol/workflow.ts';
import { t } from '../common/language.ts';

/** States in words, and the icons beside them. */
const words: Readonly<Record<Exclude<NodeState, 'unknown'>, readonly [string, string]>> = {
  queued: [t('Queued'), 'circle-large'],
  running: [t('Running'), 'sync'],
  done: [t('Done'), 'pass'],
  failed: [t('Failed'), 'error'],
  skipped: [t('Skipped'), 'circle-slash'],
};

/** Within a sentence. */
export const stateWithin: Readonly<Record<NodeState, string>> = {
  queued: t('queued'),
  running: t('running'),
  done: t('done'),
  failed: t('failed'),
  skipped: t('skipped'),
  unknown: t('unknown'),
};

/** A status that nobody here knows is shown in the service's own word. */
export const wordOf = ({ state, status }: Pick<NodeReport, 'state' | 'status'>): string =>
  state === 'unknown' ? status : words[state][0];

export const iconOf = (state: NodeState): string =>
  state === 'unknown' ? 'info' : words[state][1];

/** `PROMPT_TEMPLATE` as a person writes it. */
export function typeWords(type: string): string {
  const text = type
    .toLowerCase()
    .replaceAll('_', ' ')
    .trim()
    .replaceAll(/\b(?:ai|llm|mcp|json|xml|url|api)\b/g, (word) => word.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}
