import type { Suggestion, Suggestions } from '../../protocol/column-form.ts';
import { el } from '../common/dom.ts';
import { explain } from '../common/explain.ts';
import { icon } from '../common/icons.ts';
import { t } from '../common/language.ts';

const typingPauseMs = 200;
/** After this long somebody wonders whether anything comes. */
const patienceMs = 1000;

/** A line that offers what is known. What is not known can be typed, and stays as it is. */
export function comboBox(
  id: string,
  value: string,
  suggest: () => Promise<Suggestions>,
): { readonly element: HTMLElement; readonly input: HTMLInputElement } {
  const list = el('ul', 'options', { role: 'listbox', id: `${id}-options` });
  const note = el('p', 'options-note dim', { role: 'status' });
  const popup = el('div', 'popup', {}, [list, note]);
  popup.hidden = true;
  const input = el('input', 'input', {
    ...{ id, role: 'combobox', dir: 'auto', spellcheck: 'false', autocomplete: 'off' },
    ...{ 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': list.id },
  });
  input.value = value;
  let shown: readonly Suggestion[] = [];
  let active = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Of the last question: what comes late is of no use any more. */
  let asked = 0;

  const mark = (at: number): void => {
    active = at;
    for (const [index, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(index === at));
      if (index === at) option.scrollIntoView({ block: 'nearest' });
    }
    if (at < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `${id}-option-${at}`);
  };
  const close = (): void => {
    clearTimeout(timer);
    asked += 1;
    popup.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    mark(-1);
  };
  const tell = (): void => {
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const choose = ({ value: chosen, goesOn = false }: Suggestion): void => {
    input.value = chosen;
    close();
    tell();
    input.focus();
    if (goesOn) open();
  };
  const show = ({ items, problem }: Suggestions): void => {
    shown = items;
    const options = items.map((item, at) => {
      const option = el('li', 'option', { role: 'option', id: `${id}-option-${at}` }, [
        el('span', 'option-name', { dir: 'auto' }, [item.value]),
        ...(item.detail === '' ? [] : [' ', el('span', 'dim', {}, [item.detail])]),
      ]);
      option.addEventListener('click', () => choose(item));
      return option;
    });
    list.replaceChildren(...options);
    list.hidden = options.length === 0;
    if (problem !== null) note.textContent = `${problem} ${t('Your changes are kept.')}`;
    else if (options.length > 0) note.textContent = '';
    else note.textContent = t('No known value matches; your text is used.');
    note.hidden = note.textContent === '';
    popup.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    mark(-1);
  };
  function open(): void {
    clearTimeout(timer);
    asked += 1;
    const own = asked;
    const showIfWanted = (found: Suggestions): void => {
      // Somebody who has gone on meanwhile wants no list.
      if (own === asked && document.activeElement === input) show(found);
    };
    const waiting = setTimeout(() => {
      showIfWanted({ items: [], problem: t('The service has not answered yet.') });
    }, patienceMs);
    suggest()
      .catch((error: unknown): Suggestions => ({ items: [], problem: explain(error) }))
      .finally(() => clearTimeout(waiting))
      .then(showIfWanted, () => close());
  }

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(open, typingPauseMs);
  });
  input.addEventListener('click', () => (popup.hidden ? open() : close()));
  input.addEventListener('blur', close);
  // The focus stays in the line.
  popup.addEventListener('pointerdown', (event) => event.preventDefault());
  input.addEventListener('keydown', (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && isPlain) {
      event.preventDefault();
      if (popup.hidden) open();
      else if (shown.length > 0)
        mark((Math.max(active, step < 0 ? 0 : -1) + step + shown.length) % shown.length);
    } else if (event.key === 'Enter' && isPlain) {
      // Not the form: it is saved by its own key.
      event.preventDefault();
      const chosen = shown[active];
      if (!popup.hidden && chosen !== undefined) {
        choose(chosen);
      } else {
        close();
        tell();
      }
    } else if (event.key === 'Escape' && !popup.hidden) {
      event.stopPropagation();
      close();
    }
  });
  return { element: el('div', 'combo', {}, [input, icon('chevron-down'), popup]), input };
}
