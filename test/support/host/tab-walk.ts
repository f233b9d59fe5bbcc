/** Goes through a page by Tab, as somebody does who has no mouse. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Frame, Page } from 'playwright-core';

const controls =
  'button:not([disabled]), input:not([disabled]), select, textarea, summary, a[href], [tabindex="0"]';
const mostSteps = 120;

/**
 * What is wrong for a keyboard in the page that is shown and has the focus: controls that Tab does not
 * reach, or that do not show that they have the focus, and a page that Tab does not leave.
 */
export async function faultsOfTab({ keyboard }: Page, frame: Frame): Promise<string[]> {
  const names = await frame.evaluate((selector) => {
    const all = [...document.querySelectorAll<HTMLElement>(selector)].filter(
      (one) => one.tabIndex >= 0 && one.getClientRects().length > 0,
    );
    for (const [at, one] of all.entries()) one.dataset['tabWalk'] = String(at);
    all[0]?.focus();
    return all.map((one) => one.outerHTML.slice(0, 100));
  }, controls);
  // Back by a key: a focus that a script has given need not be shown.
  await keyboard.press('Tab');
  await keyboard.press('Shift+Tab');
  const reached = new Set<number>();
  const faults = new Set<string>();
  for (let step = 0; ; step += 1) {
    if (step === mostSteps) {
      faults.add('Tab does not leave the page');
      break;
    }
    if (step > 0) await keyboard.press('Tab');
    await pause(30);
    const focus = await frame.evaluate(() => {
      const one = document.activeElement;
      if (!document.hasFocus() || !(one instanceof HTMLElement)) return undefined;
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      const isSeen = outlineStyle !== 'none' && outlineWidth !== '0px';
      return { at: Number(one.dataset['tabWalk']), isSeen };
    });
    if (focus === undefined) break;
    // Past the last one, on its way out.
    if (Number.isNaN(focus.at)) continue;
    reached.add(focus.at);
    if (!focus.isSeen) faults.add(`No focus to be seen: ${String(names[focus.at])}`);
  }
  for (const [at, name] of names.entries())
    if (!reached.has(at)) faults.add(`Not reached: ${name}`);
  return [...faults];
}
