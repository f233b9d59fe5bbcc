import { button } from './buttons.ts';
import { el, setText } from './dom.ts';
import type { Filling, RunVariable } from '../../protocol/run.ts';
import { listOf, shape, text as isText } from './checks.ts';
import { t } from './language.ts';
import { runVariables } from './run-checks.ts';

const typingPauseMs = 100;

const isFilling = shape({ variables: runVariables, source: isText });

interface Field {
  readonly type: string | undefined;
  readonly as: RunVariable['as'];
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
  /** Asks for files, and answers `{ lines }` for a variable that holds media. */
  readonly pickMedia?: () => Promise<unknown>;
  readonly signal: AbortSignal;
}

const isPicked = shape({ lines: listOf(isText) });

const hintOf = (as: RunVariable['as']): string | undefined => {
  switch (as) {
    case 'list':
      return t('one per line');
    case 'media':
      return t('URLs, files');
    case undefined:
      return undefined;
  }
};

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
  /** Typed since the last report. */
  #isNews = false;

  constructor(options: FormOptions) {
    this.#options = options;
    const { signal } = options;
    this.element.addEventListener('submit', (event) => event.preventDefault());
    // From the first key on: the page goes without a word when it is hidden.
    this.element.addEventListener('input', () => {
      if (this.#timer !== undefined) {
        this.#isNews = true;
        return;
      }
      this.#say();
      const next = (): void => {
        this.#timer = undefined;
        if (!this.#isNews) return;
        this.#say();
        this.#timer = setTimeout(next, typingPauseMs);
      };
      this.#timer = setTimeout(next, typingPauseMs);
    });
    this.element.addEventListener('change', () => this.#say());
    signal.addEventListener('abort', () => clearTimeout(this.#timer));
  }

  /** What is typed stays when the prompt is loaded anew. */
  show(variables: readonly RunVariable[]): void {
    const typed = new Map(this.values().map((value) => [value.name, value]));
    const look = ({ name, as }: Pick<RunVariable, 'name' | 'as'>): string => `${name}\n${as ?? ''}`;
    const before = this.values().map(look).join('\n');
    if (before !== '' && before === variables.map(look).join('\n')) return;
    this.#fields.clear();
    const rows = variables.map((variable, at) => {
      const { kind, text } = typed.get(variable.name) ?? variable;
      return this.#row({ ...variable, kind, text }, at);
    });
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

  #pickButton(name: string, area: HTMLTextAreaElement): readonly HTMLElement[] {
    const { pickMedia } = this.#options;
    if (pickMedia === undefined) return [];
    const pick = button({
      label: t('Pick file…'),
      icon: 'go-to-file',
      isIconOnly: true,
      run: () => {
        void pickMedia().then((picked) => {
          if (!isPicked(picked)) return;
          const { lines } = picked as { readonly lines: readonly string[] };
          const before = area.value.trimEnd();
          area.value = [...(before === '' ? [] : [before]), ...lines].join('\n');
          this.#say();
          area.focus();
        });
      },
    });
    pick.setAttribute('aria-label', t('Pick file for {0}', name));
    return [pick];
  }

  values(): readonly RunVariable[] {
    return [...this.#fields].map(([name, { type, as, area, isJson }]) => ({
      name,
      kind: isJson.checked ? 'json' : 'text',
      text: area.value,
      ...(as !== undefined && { as }),
      ...(type !== undefined && { type }),
    }));
  }

  /** False, with the focus there, when a value is not what it should be. */
  check(): boolean {
    let first: HTMLTextAreaElement | undefined;
    for (const { area, isJson, fault } of this.#fields.values()) {
      const isWrong = isJson.checked && !isJsonText(area.value);
      setText(fault, isWrong ? t("This isn't JSON. Correct it, or clear the box next to it.") : '');
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
    this.#isNews = false;
    this.#options.tell(this.values());
  }

  #row({ name, kind, text, as, type }: RunVariable, at: number): HTMLElement {
    const id = `variable-${at}`;
    const reported = type ?? hintOf(as);
    const area = el('textarea', 'area', {
      id,
      rows: as === undefined ? '1' : '3',
      dir: 'auto',
      spellcheck: 'false',
      'aria-describedby': `${reported === undefined ? '' : `${id}-type `}${id}-fault`,
    });
    area.value = text;
    const isJson = el('input', '', { type: 'checkbox', id: `${id}-json` });
    isJson.checked = kind === 'json';
    const fault = el('p', 'fault', { id: `${id}-fault`, role: 'alert' });
    fault.hidden = true;
    const row = el('div', 'field', {}, [
      el('div', 'field-head', {}, [
        el('label', 'name', { for: id, dir: 'auto' }, [name]),
        ...(reported === undefined
          ? []
          : [el('span', 'type dim', { id: `${id}-type` }, [reported])]),
        ...(as === 'media' ? this.#pickButton(name, area) : []),
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
    this.#fields.set(name, { type, as, area, isJson, fault });
    return row;
  }
}
