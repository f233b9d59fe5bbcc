/**
 * Suites and tests in another order for each seed (`npm test -- --shuffle SEED`): every test makes what
 * it needs. Part of patient-mocha.ts, so that it is in every run of mocha.
 */
import { createHash } from 'node:crypto';
import type { Suite } from 'mocha';

/** Files whose tests still build on each other: they stay as they are, and together. */
const inOrder =
  /vscode-(connections|environment|evals|first-mile|grid|grid-edits|hostile|keys|prompt-folders|runs|sample|tree)\.test/;

export function shuffle(suite: Suite, seed: string): void {
  if (inOrder.test(suite.file ?? '')) return;
  const place = ({ title }: { readonly title: string }): string =>
    createHash('sha256').update(`${seed} ${title}`).digest('hex');
  const byPlace = (a: { readonly title: string }, b: { readonly title: string }): number =>
    place(a) < place(b) ? -1 : 1;
  suite.tests.sort(byPlace);
  suite.suites.sort(byPlace);
  for (const inner of suite.suites) shuffle(inner, seed);
}
