import { el } from '../../common/dom.ts';
import { icon } from '../../common/icons.ts';
import { revealOnLine } from '../../common/reveal.ts';

export interface Problem {
  readonly message: string;
  readonly hint?: string | undefined;
}

export const sentence = ({ message, hint }: Problem): string =>
  hint ? `${message} ${hint}` : message;

/** A line across the page that says something, with what can be done about it. */
export function strip(
  look: 'error' | 'warning' | 'info',
  text: string,
  buttons: readonly HTMLElement[],
): HTMLElement {
  const name = look === 'info' ? 'info' : 'warning';
  return el('div', `banner ${look}`, { role: look === 'info' ? 'status' : 'alert' }, [
    icon(name),
    el('span', 'banner-text', { dir: 'auto' }, [revealOnLine(text).text]),
    ...buttons,
  ]);
}
