/** Runs axe-core in a page or a webview and tells what a user would stumble over. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, NodeResult, RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

const source = fs.readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** All that axe knows, or only what another theme can change. */
type Looks = 'at everything' | 'at colors';
const rules: Readonly<Record<Looks, NonNullable<RunOptions['runOnly']>>> = {
  'at everything': ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  'at colors': { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

/** One line for each violation that is more than minor: rule, what it means, the elements. */
export async function seriousViolations(
  frame: Frame | Page,
  looks: Looks = 'at everything',
): Promise<string[]> {
  // Evaluated, because the webview's content security policy forbids a script tag.
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(source);
  const options: RunOptions = {
    runOnly: rules[looks],
    // Most of the time would go into describing each element that passes.
    resultTypes: ['violations'],
  };
  const violations = await frame.evaluate(async (choice): Promise<AxeResults['violations']> => {
    const { axe } = globalThis as unknown as {
      axe: { run: (node: Document, o: RunOptions) => Promise<AxeResults> };
    };
    return (await axe.run(document, choice)).violations;
  }, options);
  return violations
    .filter(({ id, nodes }) => id !== 'region' || !nodes.every(isMenu))
    .filter(({ impact, tags }) => impact !== 'minor' && !tags.includes('experimental'))
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help}, ${nodes.length} times:\n${nodes.slice(0, 5).map(describeNode).join('\n')}`,
    );
}

/** A menu that is open over the page is part of no region. */
const isMenu = ({ html }: NodeResult): boolean => html.startsWith('<div class="menu" role="menu"');

/** The element, and what the check found: for contrast the colours that it measured. */
const describeNode = ({ html, any }: NodeResult): string =>
  `  ${html.slice(0, 240)} ${any.map(({ message }) => message).join('; ')}`;
