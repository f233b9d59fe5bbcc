/**
 * Suites and tests in another order for each seed (`npm test -- --shuffle SEED`): every test makes what
 * it needs. Part of patient-mocha.ts, so that it is in every run of mocha.
 */
import { createHash } from 'node:crypto';
import type { Suite } from 'mocha';

export function shuffle(suite: Suite, seed: string): void {
  const place = ({ title }: { readonly title: string }): string =>
    createHash('sha256').update(`${seed} ${title}`).digest('hex');
  const byPlace = (a: { readonly title: string }, b: { readonly title: string }): number =>
    place(a) < place(b) ? -1 : 1;
  suite.tests.sort(byPlace);
  suite.suites.sort(byPlace);
  for (const inner of suite.suites) shuffle(inner, seed);
}
