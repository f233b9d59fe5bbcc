import { button } from './buttons.ts';
import { el, setText } from './dom.ts';
import type { Filling, RunVariable } from '../../protocol/run.ts';
import { shape, text as isText } from './checks.ts';
import { t } from './language.ts';
import { runVariables } from './run-checks.ts';

const typingPauseMs = 300;

const isFilling = shape({ variables: runVariables, source: isText });

interface Field {
  readonly type: string | undefined;
  readonly area: HTMLTextAreaElement;
  readonly isJson: HTMLInputElement;
  readonly fault: HTMLElement;
}

export interface FormOptions {
  /** Says that there are no variables. */
  readonly nothing: string;
  readonly tell: (variables: readonly RunVariable[]) => void;
  /** Asks where values are to come from. */
  readonly askFilling: () => void;
  readonly signal: AbortSignal;
}

const isJsonText = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // What is typed is not JSON yet: that is the answer.
    return false;
  }
};

/** A field for each variable of a prompt or workflow. */
export class VariablesForm {
  readonly element = el('form', 'form', { 'aria-label': t('Variables') });
  readonly #fields = new Map<string, Field>();
  readonly #options: FormOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FormOptions) {
    this.#options = options;
    const { signal } = options;
    this.element.addEventListener('submit', (event) => event.preventDefault());
    this.element.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#say(), typingPauseMs);
    });
    this.element.addEventListener('change', () => this.#say());
    signal.addEventListener('abort', () => clearTimeout(this.#timer));
  }

  /** What is typed stays when the prompt is loaded anew. */
  show(variables: readonly RunVariable[]): void {
    const typed = new Map(this.values().map((value) => [value.name, value]));
    const before = [...this.#fields.keys()];
    const names = variables.map(({ name }) => name);
    if (before.length > 0 && before.join('\n') === names.join('\n')) return;
    this.#fields.clear();
    const rows = variables.map((variable, at) =>
      this.#row(typed.get(variable.name) ?? variable, at),
    );
    this.element.replaceChildren(
      el('div', 'form-head', {}, [
        el('h2', '', {}, [t('Variables')]),
        ...(rows.length > 0 ? [this.#fillButton()] : []),
      ]),
      ...(rows.length > 0 ? rows : [el('p', 'dim', {}, [this.#options.nothing])]),
    );
  }

  /** Takes values for those of the fields that there are; says what it did. */
  take(filling: unknown): string {
    if (!isFilling(filling)) {
      throw new Error(t('The extension sent values that the panel does not understand.'));
    }
    const { variables, source } = filling as Filling;
    let count = 0;
    for (const { name, kind, text } of variables) {
      const field = this.#fields.get(name);
      if (field === undefined) continue;
      field.area.value = text;
      field.isJson.checked = kind === 'json';
      count += 1;
    }
    if (count > 0) this.#say();
    return count === 0 ? `${source}.` : t('{0} filled from {1}.', count, source);
  }

  #fillButton(): HTMLElement {
    const fill = button({ label: t('Fill…'), icon: 'edit', run: this.#options.askFilling });
    fill.title = t('From a row of a sheet, a file, the selection, or a set that was kept');
    return fill;
  }

  values(): readonly RunVariable[] {
    return [...this.#fields].map(([name, { type, area, isJson }]) => ({
      name,
      kind: isJson.checked ? 'json' : 'text',
      text: area.value,
      ...(type !== undefined && { type }),
    }));
  }

  /** False, with the focus there, when a value is not what it should be. */
  check(): boolean {
    let first: HTMLTextAreaElement | undefined;
    for (const { area, isJson, fault } of this.#fields.values()) {
      const isWrong = isJson.checked && !isJsonText(area.value);
      setText(fault, isWrong ? t('This is not JSON. Correct it, or clear the box beside it.') : '');
      fault.hidden = !isWrong;
      area.setAttribute('aria-invalid', String(isWrong));
      if (isWrong) first ??= area;
    }
    first?.focus();
    return first === undefined;
  }

  /** The first field without a value, else the first; undefined: there is none. */
  get firstField(): HTMLElement | undefined {
    const areas = [...this.#fields.values()].map(({ area }) => area);
    return areas.find(({ value }) => value === '') ?? areas[0];
  }

  #say(): void {
    clearTimeout(this.#timer);
    this.#options.tell(this.values());
  }

  #row({ name, kind, text, type }: RunVariable, at: number): HTMLElement {
    const id = `variable-${at}`;
    const area = el('textarea', 'area', {
      id,
      rows: '1',
      dir: 'auto',
      spellcheck: 'false',
      'aria-describedby': `${type === undefined ? '' : `${id}-type `}${id}-fault`,
    });
    area.value = text;
    const isJson = el('input', '', { type: 'checkbox', id: `${id}-json` });
    isJson.checked = kind === 'json';
    const fault = el('p', 'fault', { id: `${id}-fault`, role: 'alert' });
    fault.hidden = true;
    const row = el('div', 'field', {}, [
      el('div', 'field-head', {}, [
        el('label', 'name', { for: id, dir: 'auto' }, [name]),
        ...(type === undefined ? [] : [el('span', 'type dim', { id: `${id}-type` }, [type])]),
        el(
          'label',
          'json-switch',
          { for: `${id}-json`, title: t('The value is JSON: a list, an object, a number') },
          [isJson, el('span', 'visually-hidden', {}, [t('{0} is', name), ' ']), 'JSON'],
        ),
      ]),
      area,
      fault,
    ]);
    this.#fields.set(name, { type, area, isJson, fault });
    return row;
  }
}
