import type { ImportChoices, ImportField } from '../../protocol/import.ts';
import { visible } from '../../protocol/visible.ts';
import { el } from '../common/dom.ts';
import { t } from '../common/language.ts';

/** How the file is read: a list for each way, with how it is known. */
export class ReadingView {
  readonly element = el('div', 'reading', {
    role: 'group',
    'aria-label': t('How the file is read'),
  });
  readonly #change: () => void;
  #choices: Record<string, string>;

  constructor(choices: ImportChoices, change: () => void) {
    this.#choices = { ...choices };
    this.#change = change;
  }

  /** What was chosen by hand. */
  get choices(): ImportChoices {
    return this.#choices;
  }

  show(fields: readonly ImportField[]): void {
    const { activeElement } = document;
    const focused = this.element.contains(activeElement) ? (activeElement?.id ?? '') : '';
    this.element.replaceChildren(...fields.map((field) => this.#field(field)));
    // The list that was just used has been made anew.
    if (focused !== '') document.getElementById(focused)?.focus();
  }

  #field({ name, label, value, options, about }: ImportField): HTMLElement {
    const id = `read-${name}`;
    const control =
      options.length === 0
        ? el('input', 'input', { id, maxlength: '2', spellcheck: 'false' })
        : el('select', 'select', { id });
    if (control instanceof HTMLSelectElement) {
      if (value === '') control.append(el('option', '', { value: '' }, [t('Select…')]));
      for (const option of options)
        control.append(el('option', '', { value: option.value }, [visible(option.label)]));
    }
    control.value = value;
    control.addEventListener('change', () => {
      this.#choices = { ...this.#choices, [name]: control.value };
      // What was found out about one kind of file says nothing about another.
      if (name === 'format') this.#choices = { format: control.value };
      this.#change();
    });
    const note = about === '' ? [] : [el('p', 'about dim', { id: `${id}-about` }, [about])];
    if (about !== '') control.setAttribute('aria-describedby', `${id}-about`);
    return el('div', 'field', {}, [el('label', 'name', { for: id }, [label]), control, ...note]);
  }
}
