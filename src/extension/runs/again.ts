import type { PromptChoice } from '../../protocol/run.ts';
import type { RunEntry } from '../kept-runs/run-history.ts';

/** What runs the same once more: the version that ran, whatever is latest or labelled by now. */
export const choiceRun = ({ choice, version }: RunEntry): PromptChoice =>
  version === undefined ? choice : { kind: 'version', version };
