import type {
  AskedField,
  ColumnFault,
  ColumnField,
  ColumnFormEvents,
  ColumnFormRequests,
  ColumnFormState,
  ColumnFormView,
  ColumnTypeForm,
  EnteredColumn,
  FieldValue,
} from '../../protocol/column-form.ts';
import { savingButton } from './saving.ts';
import { button } from '../common/buttons.ts';
import { el } from '../common/dom.ts';
import { focusWithin } from '../common/focus.ts';
import { openFrame, toldNothing } from '../common/frame.ts';
import { headParts } from '../common/head.ts';
import { t } from '../common/language.ts';
import type { Page } from '../common/page.ts';
import { draftNotice } from './draft-notice.ts';
import type { FieldSources, FieldView } from './field.ts';
import { makeField } from './field.ts';
import { asFault, asInputs, asSuggestions, asView, enteredIn } from './guards.ts';

/** Puts the form of a column into the page and connects it. The returned function ends it. */
export function startColumnForm(page: Page): () => void {
  const { root, state, onFault } = page;
  const { channel, problems, signal, open, end } = openFrame<
    ColumnFormRequests,
    Record<string, never>,
    ColumnFormEvents
  >(page, toldNothing('The form'));
  const body = el('div', 'body');
  root.replaceChildren(el('main', 'view', {}, [problems.element, body]));

  /** Of the form that is shown: it may be begun afresh. */
  let shown = new AbortController();

  function show(view: ColumnFormView): void {
    shown.abort();
    shown = new AbortController();
    const { columns, types, target } = view;
    const kept = enteredIn(state.get(), view);
    const draft = kept === null ? view.draft : null;
    const typed = kept ?? draft;
    const column = typed ?? view.column;
    const isNew = view.column === null;
    const fields = new Map<string, FieldView>();
    const sources: FieldSources = {
      columns,
      isNew: column === null,
      suggest: async (field) => asSuggestions(await channel.request('suggest', asked(field))),
      inputs: async (field) => asInputs(await channel.request('inputs', asked(field))),
    };
    const title = makeField(
      { name: 'title', label: t('Title'), kind: 'line', isNeeded: true },
      sources,
      column?.title,
    );
    const type = el('select', 'select', { id: 'type' });
    for (const form of types) type.append(el('option', '', { value: form.type }, [form.label]));
    type.disabled = !isNew;
    if (column !== null) type.value = column.type;
    const about = el('p', 'about dim', { id: 'type-about' });
    type.setAttribute('aria-describedby', 'type-about');
    const place = el('div', 'fields');
    const formNow = (): ColumnTypeForm | undefined => types.find((one) => one.type === type.value);

    const showType = (): void => {
      const form = formNow();
      // What was filled in stays where the other type has the same field.
      const filledIn = new Map<string, FieldValue | undefined>(
        [...fields].map(([name, field]) => [name, field.read()]),
      );
      fields.clear();
      about.textContent = form?.about ?? '';
      const made = (form?.fields ?? []).map((field) => {
        const one = makeField(
          field,
          sources,
          filledIn.get(field.name) ?? column?.values[field.name],
        );
        one.element.dataset['field'] = field.name;
        fields.set(field.name, one);
        return one.element;
      });
      place.replaceChildren(...made);
      showAsked();
      for (const field of fields.values()) field.refresh?.();
    };
    /** Whether a field came or went. */
    const showAsked = (): boolean => {
      let isOther = false;
      for (const { name, when } of formNow()?.fields ?? []) {
        const element = fields.get(name)?.element;
        if (when === undefined || element === undefined) continue;
        const isHidden = fields.get(when.field)?.read() !== when.is;
        isOther ||= element.hidden !== isHidden;
        element.hidden = isHidden;
      }
      return isOther;
    };
    place.addEventListener('change', ({ target: changed }) => {
      const at = changed instanceof Element ? changed.closest<HTMLElement>('[data-field]') : null;
      const name = at?.dataset['field'] ?? '';
      const isOther = showAsked();
      for (const { name: own, of = [] } of formNow()?.fields ?? []) {
        const hangs = of.some((one) => [one.name, one.release, one.inline].includes(name));
        if (own !== name && (hangs || isOther)) fields.get(own)?.refresh?.();
      }
    });
    type.addEventListener('change', showType);
    showType();

    const showFault = (fault: ColumnFault | null): void => {
      const where = fault?.field === 'title' ? title : fields.get(fault?.field ?? '');
      title.fault(undefined);
      for (const field of fields.values()) field.fault(undefined);
      problems.show('run', fault === null || where !== undefined ? null : fault);
      if (fault !== null) where?.fault(fault.message);
      focusWithin(where);
    };

    const save = savingButton({
      label: isNew ? t('Add column') : t('Save column'),
      problems,
      save: async () => showFault(asFault(await channel.request('save', read()))),
    });
    const cancel = button({
      label: t('Cancel'),
      look: 'secondary',
      run: () => void channel.request('cancel', null).catch(onFault),
    });

    function read(): EnteredColumn {
      const values: Record<string, FieldValue> = {};
      for (const [name, field] of fields) {
        const value = field.element.hidden ? undefined : field.read();
        if (value !== undefined) values[name] = value;
      }
      const typed = title.read();
      return { title: typeof typed === 'string' ? typed : '', type: type.value, values };
    }
    function asked({ name: field }: ColumnField): AskedField {
      return { type: type.value, field, values: read().values };
    }
    /** What the form held before anybody typed; undefined: somebody has. */
    let untouched: string | undefined;
    const keep = (entered: EnteredColumn | null): void =>
      state.set({ target, entered } satisfies ColumnFormState);
    function noteTyped(): void {
      const entered = read();
      if (JSON.stringify(entered) === untouched) return;
      untouched = undefined;
      keep(entered);
      channel.emit('typed', entered);
    }
    const startAfresh = (): void => {
      keep(null);
      channel.emit('typed', null);
      show({ ...view, draft: null });
    };

    const form = el('form', 'form', { 'aria-label': t('Column') }, [
      title.element,
      el('div', 'field', {}, [el('label', 'name', { for: 'type' }, [t('Type')]), type, about]),
      place,
      el('div', 'buttons', {}, [save.element, cancel]),
    ]);
    for (const name of ['input', 'change', 'click'] as const) {
      form.addEventListener(name, noteTyped);
    }
    // What was found out about the workspace is nothing that somebody has typed.
    form.addEventListener('settled', () => {
      if (untouched !== undefined) untouched = JSON.stringify(read());
    });
    if (typed === null) untouched = JSON.stringify(read());
    keep(kept);
    if (typed !== null) channel.emit('typed', typed);
    save.listen(form, AbortSignal.any([signal, shown.signal]));
    const heading = isNew ? t('New column of {0}', view.sheet) : t('Column of {0}', view.sheet);
    body.replaceChildren(
      el('header', 'head', {}, [...headParts(heading, view.connection)]),
      ...(draft === null ? [] : [draftNotice(startAfresh)]),
      form,
    );
    title.focus();
  }

  open(async () => asView(await channel.request('ready', null)), show);
  return end;
}
