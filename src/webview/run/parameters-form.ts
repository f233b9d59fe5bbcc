import type {
  ParameterFault,
  ParameterField,
  ParametersPresentation,
  ParameterText,
} from '../../protocol/run.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { t } from '../common/language.ts';
import { ToolsField } from './tools-field.ts';

export interface ParametersFormOptions {
  /** Something was entered: it is to be kept. */
  readonly changed: () => void;
  /** A field was left, and what is in it is to be checked. */
  readonly check: () => void;
  readonly chooseModel: () => void;
  readonly resetModel: () => void;
  readonly save: () => void;
  readonly say: (text: string) => void;
}

/** As of a form; of a list, the whole of it as one text. */
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | ToolsField;

interface Row {
  readonly own: string;
  readonly control: Control;
  readonly mark: HTMLElement;
  readonly fault: HTMLElement;
}

/** Whole numbers and others alike: the bounds that there are. */
function hintOf({ kind, min, max }: ParameterField): string | undefined {
  if (kind === 'json' || kind === 'tools') return 'JSON';
  if (min === undefined) return undefined;
  return max === undefined ? t('{0} or more', min) : t('{0} to {1}', min, max);
}

function controlOf({ name, kind, own, words }: ParameterField, id: string): Control {
  const none = t('default');
  if (kind === 'flag') {
    const option = (value: string): HTMLOptionElement =>
      el('option', '', { value }, [value === '' ? none : value]);
    const values = own === '' ? ['', 'true', 'false'] : ['true', 'false'];
    return el('select', 'area', { id, name }, values.map(option));
  }
  const shared = { id, name, placeholder: none, spellcheck: 'false', autocomplete: 'off' };
  if (kind === 'tools') return new ToolsField(id);
  if (kind === 'json') return el('textarea', 'area', { ...shared, rows: '1' });
  return el('input', 'area', {
    ...shared,
    ...(kind === 'word' ? { list: words && `${id}-words` } : { inputmode: 'decimal' }),
  });
}

/** What the model takes beside the messages, in the place of the prompt's own values. */
export class ParametersForm {
  readonly element = el('details', 'parameters');
  readonly #options: ParametersFormOptions;
  readonly #count = el('span', 'dim');
  readonly #body = el('form', 'parameters-body', { 'aria-label': t('Parameters') });
  readonly #resetAll: HTMLButtonElement;
  readonly #save: HTMLButtonElement;
  readonly #rows = new Map<string, Row>();
  #shown: ParametersPresentation | undefined;

  constructor(options: ParametersFormOptions) {
    this.#options = options;
    this.#resetAll = button({
      label: t('Reset All'),
      icon: 'discard',
      run: () => this.#reset([...this.#rows.keys()], true),
    });
    this.#save = button({ label: t('Save as New Version…'), look: 'secondary', run: options.save });
    this.element.append(
      el('summary', '', {}, [el('span', 'summary-name', {}, [t('Parameters')]), ' ', this.#count]),
    );
    this.element.hidden = true;
    this.element.addEventListener('toggle', () => this.#attach());
    this.#body.addEventListener('submit', (event) => event.preventDefault());
    this.#body.addEventListener('input', () => {
      this.#mark();
      options.changed();
    });
    this.#body.addEventListener('change', () => options.check());
  }

  /** What was entered stays while the model is the same; `kept` is from before the page was there. */
  show(
    presentation: ParametersPresentation | undefined,
    kept: readonly ParameterText[] = [],
  ): void {
    const before = this.#shown;
    const isSame =
      before !== undefined &&
      before.provider === presentation?.provider &&
      before.model === presentation.model;
    const entered = isSame ? this.values() : kept;
    if (JSON.stringify(before) === JSON.stringify(presentation)) return;
    const focused = [...this.#rows].find(([, { control }]) =>
      elementOf(control).contains(document.activeElement),
    );
    const isLost = before !== undefined && !isSame && this.values().length > 0;
    this.#shown = presentation;
    this.element.hidden = presentation === undefined;
    this.#rows.clear();
    if (presentation === undefined) return;
    const { fields, savesTo, others } = presentation;
    const rows = fields.map((field, at) => this.#row(field, at, entered));
    const save = savesTo === 'document' ? t('Save to Document') : t('Save as New Version…');
    this.#save.title = save;
    this.#save.querySelector('.button-label')?.replaceChildren(save);
    this.#body.replaceChildren(
      this.#modelRow(presentation),
      ...rows,
      ...(others === undefined ? [] : [othersRow(others)]),
      el('div', 'buttons', {}, [...(savesTo === undefined ? [] : [this.#save]), this.#resetAll]),
    );
    this.#mark();
    if (focused !== undefined) this.#rows.get(focused[0])?.control.focus();
    if (isLost) this.#options.say(t('Another model runs now. The parameters were reset.'));
  }

  /** What differs from the prompt's own. */
  values(): readonly ParameterText[] {
    return [...this.#rows]
      .filter(([, row]) => isChanged(row))
      .map(([name, { control }]) => ({ name, text: control.value }));
  }

  /** What is wrong, at its field; `goes`: the first of them gets the keys. */
  showFaults(faults: readonly ParameterFault[], goes: boolean): void {
    let first: Control | undefined;
    for (const [name, { control, fault }] of this.#rows) {
      const message = faults.find((one) => one.name === name)?.message;
      setText(fault, message ?? '');
      fault.hidden = message === undefined;
      control.setAttribute('aria-invalid', String(message !== undefined));
      if (message !== undefined) first ??= control;
    }
    if (!goes || first === undefined) return;
    this.element.open = true;
    this.#attach();
    first.focus();
  }

  /** What is closed is not in the page: nobody finds it there. */
  #attach(): void {
    if (!this.element.open) this.#body.remove();
    // Moved once more, it would lose the keys.
    else if (!this.#body.isConnected) this.element.append(this.#body);
  }

  #mark(): void {
    let count = this.#shown?.isOtherModel === true ? 1 : 0;
    for (const row of this.#rows.values()) {
      const isOther = isChanged(row);
      row.mark.hidden = !isOther;
      if (isOther) count += 1;
    }
    setText(this.#count, count === 0 ? '' : t('{0} changed', count));
    const isAny = count > 0;
    this.#save.disabled = !isAny;
    this.#resetAll.disabled = !isAny;
  }

  #reset(names: readonly string[], isAll = false): void {
    for (const name of names) {
      const row = this.#rows.get(name);
      if (row !== undefined) row.control.value = row.own;
    }
    this.#mark();
    this.#options.changed();
    this.#options.check();
    if (isAll && this.#shown?.isOtherModel === true) this.#options.resetModel();
    const [name] = names;
    this.#options.say(isAll ? t('All parameters were reset.') : t('{0} was reset.', name ?? ''));
    // The button that was pressed is gone or off.
    const control = isAll ? undefined : this.#rows.get(name ?? '')?.control;
    (control ?? this.element.querySelector('summary'))?.focus();
  }

  #modelRow({ provider, model, isOtherModel }: ParametersPresentation): HTMLElement {
    const { chooseModel, resetModel } = this.#options;
    const choose = button({ label: t('Change…'), icon: 'sparkle', run: chooseModel });
    choose.setAttribute('aria-label', t('Change model'));
    const mark = markOf(t('Reset model'), resetModel);
    mark.hidden = !isOtherModel;
    return el('div', 'field', {}, [
      el('div', 'field-head', {}, [el('span', 'name', {}, [t('Model')]), mark, choose]),
      el('div', 'model-name', { dir: 'auto' }, [`${provider} / ${model}`]),
    ]);
  }

  #row(field: ParameterField, at: number, entered: readonly ParameterText[]): HTMLElement {
    const { name, own, words } = field;
    const id = `parameter-${at}`;
    const control = controlOf(field, id);
    const hint = hintOf(field);
    control.setAttribute(
      'aria-describedby',
      `${hint === undefined ? '' : `${id}-hint `}${id}-fault`,
    );
    control.value = entered.find((one) => one.name === name)?.text ?? own;
    elementOf(control).addEventListener('change', () => {
      // Nothing entered is nothing changed.
      if (control.value.trim() === '') control.value = own;
      this.#mark();
    });
    const fault = el('p', 'fault', { id: `${id}-fault`, role: 'alert' });
    fault.hidden = true;
    const mark = markOf(t('Reset {0}', name), () => this.#reset([name]));
    this.#rows.set(name, { own, control, mark, fault });
    return el('div', 'field', {}, [
      el('div', 'field-head', {}, [
        labelOf(field, id),
        ...(hint === undefined ? [] : [el('span', 'type dim', { id: `${id}-hint` }, [hint])]),
        mark,
      ]),
      elementOf(control),
      ...(words === undefined
        ? []
        : [
            el(
              'datalist',
              '',
              { id: `${id}-words` },
              words.map((value) => el('option', '', { value })),
            ),
          ]),
      fault,
    ]);
  }
}

/** A list is no field of its own: it is named by what stands above it. */
const labelOf = ({ name, kind }: ParameterField, id: string): HTMLElement =>
  kind === 'tools'
    ? el('span', 'name', { id: `${id}-name`, dir: 'auto' }, [name])
    : el('label', 'name', { for: id, dir: 'auto' }, [name]);

const elementOf = (control: Control): HTMLElement =>
  control instanceof ToolsField ? control.element : control;

/** Line ends of a text area are its own. */
const isChanged = ({ own, control }: Row): boolean =>
  control.value.trim() !== '' && control.value !== own.replaceAll('\r\n', '\n');

function markOf(label: string, run: () => void): HTMLElement {
  const reset = button({ label, icon: 'discard', isIconOnly: true, run });
  return el('span', 'changed', {}, [el('span', 'changed-word', {}, [t('changed')]), reset]);
}

function othersRow(others: string): HTMLElement {
  const title = t('Other parameters');
  return el('div', 'field', {}, [
    el('div', 'field-head', {}, [
      el('span', 'name', {}, [title]),
      el('span', 'type dim', {}, [t('stay as they are')]),
    ]),
    el('pre', 'others', { tabindex: '0', role: 'region', 'aria-label': title, dir: 'auto' }, [
      others,
    ]),
  ]);
}
