import type {
  ImportFault,
  ImportLook,
  ImportNews,
  ImportRequest,
  ImportView,
} from '../../protocol/import.ts';
import { visible } from '../../protocol/visible.ts';
import { savingButton } from '../column-form/saving.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { focusWithin } from '../common/focus.ts';
import { t } from '../common/language.ts';
import type { Problems } from '../common/problems.ts';
import { Preview } from './preview.ts';
import { ReadingView } from './reading.ts';

export interface ImportFormParts {
  readonly view: ImportView;
  /** As it was left before the page was loaded anew. */
  readonly kept: ImportRequest | undefined;
  readonly problems: Problems;
  readonly signal: AbortSignal;
  readonly look: (asked: Pick<ImportRequest, 'choices' | 'sheetId'>) => Promise<ImportLook>;
  readonly save: (request: ImportRequest) => Promise<ImportFault | null>;
  readonly cancel: () => void;
  readonly keep: (request: ImportRequest) => void;
  readonly fail: (error: unknown) => void;
}

type Counted = ImportNews['counted'];

const field = (id: string, label: string, ...parts: readonly HTMLElement[]): HTMLElement =>
  el('div', 'field', {}, [el('label', 'name', { for: id }, [label]), ...parts]);

function goalList({ table, sheets }: ImportView): HTMLSelectElement {
  return el('select', 'select', { id: 'goal' }, [
    el('option', '', { value: '' }, [t('New sheet in {0}', visible(table))]),
    ...sheets.map(({ value, label }) =>
      el('option', '', { value }, [t('Sheet {0}', visible(label))]),
    ),
  ]);
}

/** How a file is imported: where to, how it is read, its first rows, and what becomes of its columns. */
export class ImportForm {
  readonly element: HTMLFormElement;
  readonly #parts: ImportFormParts;
  readonly #goal: HTMLSelectElement;
  readonly #title = el('input', 'input', { id: 'title', dir: 'auto', spellcheck: 'false' });
  readonly #titleFault = el('p', 'fault', { id: 'title-fault', role: 'alert' });
  readonly #titleField = field('title', t('Title of the sheet'), this.#title, this.#titleFault);
  readonly #reading: ReadingView;
  readonly #preview = new Preview();
  readonly #question = el('p', 'question', { role: 'status' });
  readonly #fault = el('p', 'fault', { role: 'alert' });
  readonly #rows = el('p', 'rows', { role: 'status' });
  readonly #remarks = el('ul', 'remarks dim', { 'aria-label': t('Notes') });
  #latest: ImportLook | undefined;
  #asked = 0;
  /** What was counted before its first rows were shown. */
  #early: Counted | undefined;

  constructor(parts: ImportFormParts) {
    this.#parts = parts;
    const { view, kept, problems, signal } = parts;
    this.#goal = goalList(view);
    this.#goal.value = kept?.sheetId ?? view.sheetId;
    this.#title.setAttribute('aria-describedby', 'title-fault');
    this.#title.value = kept?.title ?? view.title;
    this.#titleFault.hidden = true;
    this.#reading = new ReadingView(kept?.choices ?? {}, () => this.#look(null));
    const save = savingButton({ label: t('Import'), problems, save: () => this.#save() });
    const cancel = button({ label: t('Cancel'), look: 'secondary', run: parts.cancel });
    this.#goal.addEventListener('change', () => this.#look(null));
    this.element = el('form', 'form import', { 'aria-label': t('Import') }, [
      el('div', 'settings', {}, [
        field('goal', t('Import into'), this.#goal),
        this.#titleField,
        this.#reading.element,
      ]),
      ...[this.#question, this.#fault, this.#preview.element, this.#rows, this.#remarks],
      el('div', 'buttons', {}, [save.element, cancel]),
    ]);
    for (const name of ['input', 'change'] as const)
      this.element.addEventListener(name, () => this.#keep());
    save.listen(this.element, signal);
  }

  /** Once it is in the page. */
  begin(): void {
    this.#look(this.#parts.kept?.columns ?? null);
    focusWithin(this.#goal);
  }

  count(counted: Counted): void {
    if (this.#latest === undefined || counted.look > this.#latest.id) {
      this.#early = counted;
      return;
    }
    this.#early = undefined;
    if (counted.look !== this.#latest.id) return;
    setText(this.#rows, counted.rows);
    this.#remarks.replaceChildren(
      ...counted.remarks.map((text) => el('li', '', {}, [visible(text)])),
    );
    if (counted.fault !== null) this.#showFault(counted.fault);
  }

  get #request(): ImportRequest {
    return {
      ...{ choices: this.#reading.choices, sheetId: this.#goal.value, title: this.#title.value },
      columns: this.#preview.columns,
    };
  }

  #keep(): void {
    this.#parts.keep(this.#request);
  }

  /** Reads the file anew, as it is chosen now. */
  #look(wanted: ImportRequest['columns'] | null): void {
    const { look, problems, fail } = this.#parts;
    this.#asked += 1;
    const mine = this.#asked;
    const { element } = this.#preview;
    element.setAttribute('aria-busy', 'true');
    problems.show('run', null);
    look({ choices: this.#reading.choices, sheetId: this.#goal.value })
      .then((found) => {
        if (mine !== this.#asked) return;
        element.removeAttribute('aria-busy');
        this.#showLook(found, wanted);
        if (wanted === null) this.#keep();
        if (this.#early !== undefined) this.count(this.#early);
      })
      .catch((error: unknown) => {
        if (mine === this.#asked) fail(error);
      });
  }

  #showLook(found: ImportLook, wanted: ImportRequest['columns'] | null): void {
    this.#latest = found;
    this.#reading.show(found.fields);
    this.#preview.show(found, wanted);
    setText(this.#question, found.question ?? '');
    this.#question.hidden = found.question === null;
    this.#showFault(found.fault);
    setText(this.#rows, '');
    this.#remarks.replaceChildren();
    this.#titleField.hidden = this.#goal.value !== '';
  }

  #showFault(text: string | null): void {
    setText(this.#fault, text === null ? '' : visible(text));
    this.#fault.hidden = text === null;
  }

  async #save(): Promise<void> {
    const { save, problems } = this.#parts;
    const found = await save(this.#request);
    this.#preview.clear();
    this.#titleFault.hidden = true;
    problems.show('run', null);
    if (found === null) return;
    if (found.field === 'title') {
      setText(this.#titleFault, found.message);
      this.#titleFault.hidden = false;
      focusWithin(this.#title);
    } else if (!this.#preview.fault(found.field, found.message))
      problems.show('run', { message: found.message });
  }
}
