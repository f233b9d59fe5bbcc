import { el } from './dom.ts';
import { icon } from './icons.ts';
import { spellKeys } from './language.ts';

export interface ButtonOptions {
  readonly label: string;
  readonly icon?: string;
  /** The label is for the tooltip and for screen readers only. */
  readonly isIconOnly?: boolean;
  readonly keys?: string;
  readonly look?: 'primary' | 'secondary' | 'quiet';
  readonly opensMenu?: boolean;
  readonly run: (button: HTMLButtonElement) => void;
}

export function button(options: ButtonOptions): HTMLButtonElement {
  const { label, keys, look = 'quiet', isIconOnly, opensMenu } = options;
  const element = el('button', `button ${look}${isIconOnly ? ' icon-only' : ''}`, {
    type: 'button',
    'aria-label': isIconOnly ? label : undefined,
    'aria-haspopup': opensMenu ? 'menu' : undefined,
    'aria-keyshortcuts': keys?.replaceAll('Ctrl', 'Control'),
  });
  element.title = keys === undefined ? label : `${label} (${spellKeys(keys)})`;
  if (options.icon !== undefined) element.append(icon(options.icon));
  if (!isIconOnly) element.append(el('span', 'button-label', {}, [label]));
  if (opensMenu && !isIconOnly) element.append(icon('chevron-down'));
  element.addEventListener('click', () => options.run(element));
  return element;
}

/** Arrow keys move among the buttons of a toolbar; only one of them is a tab stop. */
export function asToolbar(element: HTMLElement, label: string): void {
  element.setAttribute('role', 'toolbar');
  element.setAttribute('aria-label', label);
  const buttons = (): readonly HTMLButtonElement[] =>
    [...element.querySelectorAll('button')].filter((each) => !each.hidden && !each.disabled);
  element.addEventListener('keydown', (event) => {
    const all = buttons();
    const at = all.findIndex((each) => each === document.activeElement);
    if (at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const goal =
      event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : step && at + step;
    if (goal === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    all[(goal + all.length) % all.length]?.focus();
  });
  element.addEventListener('focusin', ({ target }) => {
    for (const each of buttons()) each.tabIndex = each === target ? 0 : -1;
  });
  for (const [index, each] of buttons().entries()) each.tabIndex = index === 0 ? 0 : -1;
}
