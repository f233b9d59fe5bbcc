import type { NodeReport, NodeState, WorkflowStatus } from '../../protocol/workflow.ts';
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

/** What is said of a run whose state has changed. */
export function announcementOf(now: WorkflowStatus): string | undefined {
  switch (now.state) {
    case 'running':
      return t('Running.');
    case 'done':
      return t('The workflow is done.');
    case 'stopped':
      return t('Canceled. The results of finished nodes are kept.');
    // An alert says what failed; nothing has happened in the others.
    case 'failed':
    case 'interrupted':
    case 'idle':
      return undefined;
  }
}

export function emptyText(status: WorkflowStatus | undefined): string {
  switch (status?.state) {
    case undefined:
    case 'idle':
      return t('Enter the variables and select Run. Select a node to see what it does.');
    case 'running':
      return t('The final output appears here. Select a node to see its output.');
    case 'done':
      return t('The workflow returned nothing.');
    case 'stopped':
      return t('Canceled before any output was received.');
    case 'failed':
      return t('No output. Select a failed node to see its error.');
    case 'interrupted':
      return t('The window was closed before the output was complete.');
  }
}
