import type {
  ImportLook,
  ImportNews,
  ImportRequests,
  ImportState,
  ImportView,
  ImportRequest,
} from '../../protocol/import.ts';
import { visible } from '../../protocol/visible.ts';
import { savingButton } from '../column-form/saving.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { focusWithin } from '../common/focus.ts';
import { openFrame, unknownMessage } from '../common/frame.ts';
import { headParts } from '../common/head.ts';
import { t } from '../common/language.ts';
import type { Page } from '../common/page.ts';
import { asCount, asFault, asLook, asView, requestIn } from './guards.ts';
import { Preview } from './preview.ts';
import { ReadingView } from './reading.ts';

/** Puts the page of an import into the page and connects it. The returned function ends it. */
export function startImport(page: Page): () => void {
  const { root, state } = page;
  let tell: (count: ImportNews['counted']) => void = () => undefined;
  const { channel, problems, signal, open, end, fail } = openFrame<ImportRequests, ImportNews>(
    page,
    {
      handlers: {},
      listeners: { counted: (count) => tell(count) },
      check: (_kind, name, payload) => {
        if (name !== 'counted') throw unknownMessage('The form', name);
        return asCount(payload);
      },
    },
  );
  const body = el('div', 'body');
  root.replaceChildren(el('main', 'view', {}, [problems.element, body]));

  function show(view: ImportView): void {
    const kept = requestIn(state.get(), view);
    const goal = el('select', 'select', { id: 'goal' }, [
      el('option', '', { value: '' }, [t('New sheet in {0}', visible(view.table))]),
      ...view.sheets.map(({ value, label }) =>
        el('option', '', { value }, [t('Sheet {0}', visible(label))]),
      ),
    ]);
    goal.value = kept?.sheetId ?? view.sheetId;
    const title = el('input', 'input', { id: 'title', dir: 'auto', spellcheck: 'false' });
    title.setAttribute('aria-describedby', 'title-fault');
    title.value = kept?.title ?? view.title;
    const titleFault = el('p', 'fault', { id: 'title-fault', role: 'alert' });
    titleFault.hidden = true;
    const titleField = el('div', 'field', {}, [
      el('label', 'name', { for: 'title' }, [t('Title of the sheet')]),
      ...[title, titleFault],
    ]);
    const reading = new ReadingView(kept?.choices ?? {}, () => look(null));
    const preview = new Preview();
    const question = el('p', 'question', { role: 'status' });
    const fault = el('p', 'fault', { role: 'alert' });
    const rows = el('p', 'rows', { role: 'status' });
    const remarks = el('ul', 'remarks dim', { 'aria-label': t('Notes') });
    let latest: ImportLook | undefined;
    let asked = 0;

    const importRequest = (): ImportRequest => ({
      ...{ choices: reading.choices, sheetId: goal.value, title: title.value },
      columns: preview.columns,
    });
    const keep = (): void =>
      state.set({ formId: view.formId, importRequest: importRequest() } satisfies ImportState);
    const showFault = (text: string | null): void => {
      setText(fault, text === null ? '' : visible(text));
      fault.hidden = text === null;
    };
    const showLook = (found: ImportLook, wanted: ImportRequest['columns'] | null): void => {
      latest = found;
      reading.show(found.fields);
      preview.show(found, wanted);
      setText(question, found.question ?? '');
      question.hidden = found.question === null;
      showFault(found.fault);
      setText(rows, '');
      remarks.replaceChildren();
      titleField.hidden = goal.value !== '';
    };
    /** Reads the file anew, as it is chosen now. */
    function look(wanted: ImportRequest['columns'] | null): void {
      asked += 1;
      const mine = asked;
      const { choices } = reading;
      preview.element.setAttribute('aria-busy', 'true');
      problems.show('run', null);
      channel
        .request('look', { choices, sheetId: goal.value })
        .then((found) => {
          if (mine !== asked) return;
          preview.element.removeAttribute('aria-busy');
          showLook(asLook(found), wanted);
          if (wanted === null) keep();
          if (early !== undefined) tell(early);
        })
        .catch((error: unknown) => {
          if (mine === asked) fail(error);
        });
    }
    /** What was counted before its first rows were shown. */
    let early: ImportNews['counted'] | undefined;
    tell = (count) => {
      if (latest === undefined || count.look > latest.id) {
        early = count;
        return;
      }
      early = undefined;
      if (count.look !== latest.id) return;
      setText(rows, count.rows);
      remarks.replaceChildren(...count.remarks.map((text) => el('li', '', {}, [visible(text)])));
      if (count.fault !== null) showFault(count.fault);
    };

    const save = savingButton({
      label: t('Import'),
      problems,
      save: async () => {
        const found = asFault(await channel.request('save', importRequest()));
        preview.clear();
        titleFault.hidden = true;
        problems.show('run', null);
        if (found === null) return;
        const { field, message } = found;
        if (field === 'title') {
          setText(titleFault, message);
          titleFault.hidden = false;
          focusWithin(title);
        } else if (!preview.fault(field, message)) problems.show('run', { message });
      },
    });
    const cancel = button({
      label: t('Cancel'),
      look: 'secondary',
      run: () => void channel.request('cancel', null).catch(fail),
    });
    goal.addEventListener('change', () => look(null));
    const form = el('form', 'form import', { 'aria-label': t('Import') }, [
      el('div', 'settings', {}, [
        el('div', 'field', {}, [el('label', 'name', { for: 'goal' }, [t('Import into')]), goal]),
        titleField,
        reading.element,
      ]),
      ...[question, fault, preview.element, rows, remarks],
      el('div', 'buttons', {}, [save.element, cancel]),
    ]);
    for (const name of ['input', 'change'] as const) form.addEventListener(name, keep);
    save.listen(form, signal);
    body.replaceChildren(
      el('header', 'head', {}, [...headParts(t('Import {0}', view.fileName), view.connection)]),
      form,
    );
    look(kept?.columns ?? null);
    focusWithin(goal);
  }

  open(async () => asView(await channel.request('ready', null)), show);
  return end;
}
