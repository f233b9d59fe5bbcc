import type { ColumnTypeForm, FieldValue, FieldValues } from '../../protocol/column-form.ts';
import { el } from '../common/dom.ts';
import type { FieldSources, FieldView } from './field.ts';
import { makeField } from './field.ts';

/** The fields of the type that is chosen. */
export class TypeFields {
  readonly element = el('div', 'fields');
  readonly #sources: FieldSources;
  /** What the fields begin with. */
  readonly #values: FieldValues | undefined;
  readonly #fields = new Map<string, FieldView>();
  #form: ColumnTypeForm | undefined;

  constructor(sources: FieldSources, values: FieldValues | undefined) {
    this.#sources = sources;
    this.#values = values;
    this.element.addEventListener('change', ({ target }) => {
      const at = target instanceof Element ? target.closest<HTMLElement>('[data-field]') : null;
      this.#follow(at?.dataset['field'] ?? '');
    });
  }

  field(name: string): FieldView | undefined {
    return this.#fields.get(name);
  }

  clearFaults(): void {
    for (const field of this.#fields.values()) field.fault(undefined);
  }

  show(form: ColumnTypeForm | undefined): void {
    this.#form = form;
    // What was filled in stays where the other type has the same field.
    const filledIn = new Map<string, FieldValue | undefined>(
      [...this.#fields].map(([name, field]) => [name, field.read()]),
    );
    this.#fields.clear();
    const made = (form?.fields ?? []).map((field) => {
      const value = filledIn.get(field.name) ?? this.#values?.[field.name];
      const one = makeField(field, this.#sources, value);
      one.element.dataset['field'] = field.name;
      this.#fields.set(field.name, one);
      return one.element;
    });
    this.element.replaceChildren(...made);
    this.#showAsked();
    for (const field of this.#fields.values()) field.refresh?.();
  }

  read(): FieldValues {
    const values: Record<string, FieldValue> = {};
    for (const [name, field] of this.#fields) {
      const value = field.element.hidden ? undefined : field.read();
      if (value !== undefined) values[name] = value;
    }
    return values;
  }

  /** Fields that hang on the one that has changed are looked at again. */
  #follow(name: string): void {
    const isOther = this.#showAsked();
    for (const { name: own, of = [] } of this.#form?.fields ?? []) {
      const hangs = of.some((one) => [one.name, one.release, one.inline].includes(name));
      if (own !== name && (hangs || isOther)) this.#fields.get(own)?.refresh?.();
    }
  }

  /** Whether a field came or went. */
  #showAsked(): boolean {
    let isOther = false;
    for (const { name, when } of this.#form?.fields ?? []) {
      const element = this.#fields.get(name)?.element;
      if (when === undefined || element === undefined) continue;
      const isHidden = this.#fields.get(when.field)?.read() !== when.is;
      isOther ||= element.hidden !== isHidden;
      element.hidden = isHidden;
    }
    return isOther;
  }
}
