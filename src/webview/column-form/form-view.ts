import type {
  AskedField,
  ColumnFault,
  ColumnField,
  ColumnFormEvents,
  ColumnFormRequests,
  ColumnFormState,
  ColumnFormView,
  EnteredColumn,
} from '../../protocol/column-form.ts';
import { button } from '../common/buttons.ts';
import { el } from '../common/dom.ts';
import { focusWithin } from '../common/focus.ts';
import type { Frame } from '../common/frame.ts';
import { headParts } from '../common/head.ts';
import { t } from '../common/language.ts';
import type { Page } from '../common/page.ts';
import { draftNotice } from './draft-notice.ts';
import type { FieldSources, FieldView } from './field.ts';
import { makeField } from './field.ts';
import { asFault, asInputs, asSuggestions, enteredIn } from './guards.ts';
import { savingButton } from './saving.ts';
import { TypeFields } from './type-fields.ts';

export interface FormViewParts {
  readonly view: ColumnFormView;
  readonly frame: Frame<ColumnFormRequests, ColumnFormEvents>;
  readonly page: Page;
  /** Without what was typed. */
  readonly startAfresh: () => void;
  /** Aborted when another form is shown. */
  readonly signal: AbortSignal;
}

/** The form of one column: title, type, and the fields of the type. */
export class FormView {
  readonly parts: readonly HTMLElement[];
  readonly #parts: FormViewParts;
  readonly #title: FieldView;
  readonly #type = el('select', 'select', { id: 'type', 'aria-describedby': 'type-about' });
  readonly #about = el('p', 'about dim', { id: 'type-about' });
  readonly #fields: TypeFields;
  /** What the form held before anybody typed; undefined: somebody has. */
  #untouched: string | undefined;

  constructor(parts: FormViewParts) {
    this.#parts = parts;
    const { view, frame, page } = parts;
    const { channel } = frame;
    const kept = enteredIn(page.state.get(), view);
    const draft = kept === null ? view.draft : null;
    const typed = kept ?? draft;
    const column = typed ?? view.column;
    const isNew = view.column === null;
    const sources: FieldSources = {
      columns: view.columns,
      isNew: column === null,
      suggest: async (field) => asSuggestions(await channel.request('suggest', this.#asked(field))),
      inputs: async (field) => asInputs(await channel.request('inputs', this.#asked(field))),
    };
    this.#title = makeField(
      { name: 'title', label: t('Title'), kind: 'line', isNeeded: true },
      sources,
      column?.title,
    );
    for (const { type, label } of view.types) {
      this.#type.append(el('option', '', { value: type }, [label]));
    }
    this.#type.disabled = !isNew;
    if (column !== null) this.#type.value = column.type;
    this.#fields = new TypeFields(sources, column?.values);
    this.#type.addEventListener('change', () => this.#showType());
    this.#showType();
    const form = this.#makeForm(isNew);
    if (typed === null) this.#untouched = JSON.stringify(this.#read());
    this.#keep(kept);
    if (typed !== null) channel.emit('typed', typed);
    const heading = isNew ? t('New column in {0}', view.sheet) : t('Column in {0}', view.sheet);
    this.parts = [
      el('header', 'head', {}, [...headParts(heading, view.connection)]),
      ...(draft === null ? [] : [draftNotice(() => this.#startAfresh())]),
      form,
    ];
  }

  focus(): void {
    this.#title.focus();
  }

  #makeForm(isNew: boolean): HTMLFormElement {
    const { frame, page, signal } = this.#parts;
    const { channel, problems } = frame;
    const save = savingButton({
      label: isNew ? t('Add column') : t('Save column'),
      problems,
      save: async () => this.#showFault(asFault(await channel.request('save', this.#read()))),
    });
    const cancel = button({
      label: t('Cancel'),
      look: 'secondary',
      run: () => void channel.request('cancel', null).catch(page.onFault),
    });
    const type = el('label', 'name', { for: 'type' }, [t('Type')]);
    const form = el('form', 'form', { 'aria-label': t('Column') }, [
      this.#title.element,
      el('div', 'field', {}, [type, this.#type, this.#about]),
      this.#fields.element,
      el('div', 'buttons', {}, [save.element, cancel]),
    ]);
    for (const name of ['input', 'change', 'click'] as const) {
      form.addEventListener(name, () => this.#noteTyped());
    }
    // What was found out about the workspace is nothing that somebody has typed.
    form.addEventListener('settled', () => {
      if (this.#untouched !== undefined) this.#untouched = JSON.stringify(this.#read());
    });
    save.listen(form, signal);
    return form;
  }

  #showType(): void {
    const form = this.#parts.view.types.find(({ type }) => type === this.#type.value);
    this.#about.textContent = form?.about ?? '';
    this.#fields.show(form);
  }

  #showFault(fault: ColumnFault | null): void {
    const { problems } = this.#parts.frame;
    const where = fault?.field === 'title' ? this.#title : this.#fields.field(fault?.field ?? '');
    this.#title.fault(undefined);
    this.#fields.clearFaults();
    problems.show('run', fault === null || where !== undefined ? null : fault);
    if (fault !== null) where?.fault(fault.message);
    focusWithin(where);
  }

  #read(): EnteredColumn {
    const title = this.#title.read();
    return {
      title: typeof title === 'string' ? title : '',
      type: this.#type.value,
      values: this.#fields.read(),
    };
  }

  #asked({ name: field }: ColumnField): AskedField {
    return { type: this.#type.value, field, values: this.#fields.read() };
  }

  #keep(entered: EnteredColumn | null): void {
    const { view, page } = this.#parts;
    page.state.set({ target: view.target, entered } satisfies ColumnFormState);
  }

  #noteTyped(): void {
    const entered = this.#read();
    if (JSON.stringify(entered) === this.#untouched) return;
    this.#untouched = undefined;
    this.#keep(entered);
    this.#parts.frame.channel.emit('typed', entered);
  }

  #startAfresh(): void {
    this.#keep(null);
    this.#parts.frame.channel.emit('typed', null);
    this.#parts.startAfresh();
  }
}
