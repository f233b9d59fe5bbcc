import type { ColumnTypeForm, FieldValue, FieldValues } from '../../protocol/column-form.ts';
import type { EnteredStep } from '../../protocol/scorecard.ts';
import type { FieldSources, FieldView } from '../column-form/field.ts';
import { makeField } from '../column-form/field.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { t } from '../common/language.ts';

export interface StepActions {
  readonly move: (by: 1 | -1) => void;
  readonly remove: () => void;
}

/** Names of fields hold dots, and a page has the same field once for each step. */
let made = 0;

/** What stands in fields now; what another field does not ask for is left out. */
export function valuesIn(fields: ReadonlyMap<string, FieldView>): FieldValues {
  const values: Record<string, FieldValue> = {};
  for (const [name, field] of fields) {
    const value = field.element.hidden ? undefined : field.read();
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** A step of a scorecard as its fields. */
export class StepView {
  readonly element = el('section', 'step');
  readonly #id: string | null;
  readonly #forms: readonly ColumnTypeForm[];
  readonly #sources: FieldSources;
  readonly #seldom: readonly string[];
  readonly #heading = el('h3');
  readonly #type = el('select', 'select');
  readonly #about = el('p', 'about dim');
  readonly #body = el('div', 'fields');
  readonly #more = el('details');
  readonly #up: HTMLButtonElement;
  readonly #down: HTMLButtonElement;
  readonly #fields = new Map<string, FieldView>();

  constructor(
    { id, type, values }: EnteredStep,
    forms: readonly ColumnTypeForm[],
    sources: FieldSources,
    { seldom, move, remove }: StepActions & { readonly seldom: readonly string[] },
  ) {
    this.#id = id;
    this.#forms = forms;
    this.#sources = sources;
    this.#seldom = seldom;
    made += 1;
    this.#type.id = `step-type-${made}`;
    for (const form of forms)
      this.#type.append(el('option', '', { value: form.type }, [form.label]));
    this.#type.value = type;
    const icon = (label: string, name: string, run: () => void): HTMLButtonElement =>
      button({ label, icon: name, isIconOnly: true, run });
    this.#up = icon(t('Move step up'), 'arrow-up', () => move(-1));
    this.#down = icon(t('Move step down'), 'arrow-down', () => move(1));
    this.element.append(
      el('div', 'step-head', {}, [
        this.#heading,
        ...[this.#up, this.#down, icon(t('Remove step'), 'close', remove)],
      ]),
      el('div', 'field', {}, [
        el('label', 'name', { for: this.#type.id }, [t('Type')]),
        ...[this.#type, this.#about],
      ]),
      ...[this.#body, this.#more],
    );
    this.#type.addEventListener('change', () => this.#show(valuesIn(this.#fields)));
    this.#body.addEventListener('change', () => this.#showAsked());
    this.#show(values);
    // Somebody has filled in one of them.
    this.#more.open = seldom.some((name) => {
      const value = values[name];
      return value !== undefined && value !== '' && value !== false;
    });
  }

  read(): EnteredStep {
    return { id: this.#id, type: this.#type.value, values: valuesIn(this.#fields) };
  }

  /** Which of how many it is. */
  place(at: number, of: number): void {
    setText(this.#heading, t('Step {0}', at + 1));
    this.element.setAttribute('aria-label', t('Step {0}', at + 1));
    this.#up.disabled = at === 0;
    this.#down.disabled = at === of - 1;
  }

  focus(): void {
    this.#type.focus();
  }

  clear(): void {
    for (const field of this.#fields.values()) field.fault(undefined);
  }

  /** False: it has no such field. */
  fault(name: string | null, message: string): boolean {
    const field = this.#fields.get(name ?? '');
    if (field === undefined) return false;
    if (this.#seldom.includes(name ?? '')) this.#more.open = true;
    field.fault(message);
    field.focus();
    return true;
  }

  #show(values: FieldValues): void {
    const form = this.#forms.find((one) => one.type === this.#type.value);
    setText(this.#about, form?.about ?? '');
    this.#fields.clear();
    made += 1;
    const usual: HTMLElement[] = [];
    const few: HTMLElement[] = [];
    for (const field of form?.fields ?? []) {
      const one = makeField(field, this.#sources, values[field.name], `step${made}-`);
      this.#fields.set(field.name, one);
      (this.#seldom.includes(field.name) ? few : usual).push(one.element);
    }
    this.#body.replaceChildren(...usual);
    this.#more.replaceChildren(el('summary', '', {}, [t('More')]), ...few);
    this.#showAsked();
  }

  #showAsked(): void {
    const form = this.#forms.find((one) => one.type === this.#type.value);
    for (const { name, when } of form?.fields ?? []) {
      const element = this.#fields.get(name)?.element;
      if (when === undefined || element === undefined) continue;
      element.hidden = this.#fields.get(when.field)?.read() !== when.is;
    }
  }
}
