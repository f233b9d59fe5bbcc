import type {
  ConditionOperator,
  RowCondition,
  RowsQuery,
  Scope,
  SortKey,
} from '../../../protocol/grid-work.ts';
import { anyColumn, conditionOperators, notRunStatus } from '../../../protocol/grid-work.ts';
import { button } from '../../common/buttons.ts';
import { el, setText } from '../../common/dom.ts';
import { t } from '../../common/language.ts';
import { operatorWords, spellStatus, statuses, takesOperand } from './filter-words.ts';
import type { SheetModel } from '../model/sheet-model.ts';
import { isTextKey } from '../edit/typing.ts';

export interface FilterBarOptions {
  readonly model: SheetModel;
  /** Settles when the rows are there; what went wrong is the text. */
  readonly apply: (query: RowsQuery | null, scope: Scope) => Promise<string | undefined>;
  readonly closed: () => void;
  readonly signal: AbortSignal;
}

export const emptyQuery: RowsQuery = { conditions: [], match: 'all', sort: [] };

function select(
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  value: string,
): HTMLSelectElement {
  const element = el('select', 'select', { 'aria-label': label });
  for (const [name, text] of options) element.append(el('option', '', { value: name }, [text]));
  element.value = value;
  return element;
}

interface Line<Value> {
  readonly element: HTMLElement;
  readonly read: () => Value;
}

/** The form of a filter and a sort. */
export class FilterBar {
  readonly element = el('div', 'work-bar filter', {
    role: 'group',
    'aria-label': t('Filter and sort rows'),
  });
  readonly #options: FilterBarOptions;
  readonly #lines = el('div', 'filter-lines');
  readonly #status = el('span', 'bar-status', { role: 'status' });
  readonly #match: HTMLSelectElement;
  #conditions: Line<RowCondition>[] = [];
  #sort: Line<SortKey>[] = [];

  constructor(options: FilterBarOptions) {
    this.#options = options;
    const { signal } = options;
    this.#match = select(
      t('Matching rows'),
      [
        ['all', t('all conditions')],
        ['any', t('any condition')],
      ],
      'all',
    );
    const apply = (scope: Scope) => (): void => void this.#apply(scope);
    this.element.append(
      this.#lines,
      el('div', 'filter-tools', {}, [
        button({ label: t('Add condition'), icon: 'add', run: () => this.addCondition(undefined) }),
        button({ label: t('Add sort'), icon: 'add', run: () => this.addSort(undefined) }),
        el('label', 'filter-match', {}, [t('Show rows that match'), ' ', this.#match]),
        button({ label: t('Apply'), look: 'primary', run: apply('loaded') }),
        button({ label: t('Apply to all rows'), look: 'secondary', run: apply('all') }),
        button({ label: t('Show all rows'), look: 'secondary', run: () => void this.#clear() }),
        this.#status,
        button({ label: t('Close'), icon: 'close', isIconOnly: true, run: () => this.close() }),
      ]),
    );
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => this.#pressed(event), { signal });
  }

  /** With what is in force, or one condition to begin with. */
  open(query: RowsQuery = this.#options.model.sheet.view?.query ?? emptyQuery): void {
    this.element.hidden = false;
    this.#fill(query);
    if (query.conditions.length + query.sort.length === 0) this.addCondition(undefined);
    this.#lines.querySelector('select')?.focus();
  }

  close(): void {
    this.element.hidden = true;
    this.#options.closed();
  }

  addCondition(columnId: string | undefined): void {
    const id = columnId ?? this.#options.model.cursorColumn?.column.id ?? anyColumn;
    const line = this.#conditionLine({ columnId: id, operator: 'contains', operand: '' });
    this.#conditions.push(line);
    this.#lines.append(line.element);
    line.element.querySelector('input')?.focus();
  }

  addSort(columnId: string | undefined): void {
    const { model } = this.#options;
    const id = columnId ?? model.cursorColumn?.column.id ?? model.shown[0]?.column.id ?? '';
    const line = this.#sortLine({ columnId: id, direction: 'asc' });
    this.#sort.push(line);
    this.#lines.append(line.element);
    line.element.querySelector('select')?.focus();
  }

  #fill({ conditions, match, sort }: RowsQuery): void {
    this.#match.value = match;
    this.#conditions = conditions.map((condition) => this.#conditionLine(condition));
    this.#sort = sort.map((key) => this.#sortLine(key));
    const lines = [...this.#conditions, ...this.#sort];
    this.#lines.replaceChildren(...lines.map(({ element }) => element));
    setText(this.#status, '');
  }

  #columns(): readonly (readonly [string, string])[] {
    return this.#options.model.sheet.columns.map(({ id, title }) => [id, title] as const);
  }

  #conditionLine(condition: RowCondition): Line<RowCondition> {
    const columns = [[anyColumn, t('Any column')] as const, ...this.#columns()];
    const column = select(t('Column'), columns, condition.columnId);
    const operators = conditionOperators.map((name) => [name, operatorWords[name]] as const);
    const operator = select(t('Comparison'), operators, condition.operator);
    const operand = el('input', 'input', {
      type: 'text',
      'aria-label': t('Value'),
      spellcheck: 'false',
    });
    const words = [...statuses, notRunStatus].map((word) => [word, spellStatus(word)] as const);
    const status = select(t('Status'), words, 'error');
    const operatorNow = (): ConditionOperator =>
      conditionOperators.find((name) => name === operator.value) ?? 'contains';
    const show = (): void => {
      const now = operatorNow();
      status.hidden = now !== 'status';
      operand.hidden = now === 'status' || !takesOperand(now);
      operand.placeholder = now === 'oneOf' ? t('a, b, c') : '';
    };
    if (condition.operator === 'status') status.value = condition.operand;
    else operand.value = condition.operand;
    operator.addEventListener('change', show);
    show();
    const line = {
      element: el('div', 'filter-line', { role: 'group', 'aria-label': t('Condition') }, [
        column,
        operator,
        operand,
        status,
      ]),
      read: (): RowCondition => {
        const now = operatorNow();
        const given = now === 'status' ? status.value : operand.value;
        return { columnId: column.value, operator: now, operand: takesOperand(now) ? given : '' };
      },
    };
    line.element.append(
      this.#remover(t('Remove condition'), () => {
        this.#conditions = this.#conditions.filter((one) => one !== line);
        line.element.remove();
      }),
    );
    return line;
  }

  #sortLine({ columnId, direction }: SortKey): Line<SortKey> {
    const column = select(t('Sort by'), this.#columns(), columnId);
    const way = select(
      t('Direction'),
      [
        ['asc', t('smallest first')],
        ['desc', t('largest first')],
      ],
      direction,
    );
    const line = {
      element: el('div', 'filter-line', { role: 'group', 'aria-label': t('Sort') }, [
        el('span', 'filter-word', {}, [t('Sort by')]),
        column,
        way,
      ]),
      read: (): SortKey => ({
        columnId: column.value,
        direction: way.value === 'desc' ? 'desc' : 'asc',
      }),
    };
    line.element.append(
      this.#remover(t('Remove sort'), () => {
        this.#sort = this.#sort.filter((one) => one !== line);
        line.element.remove();
      }),
    );
    return line;
  }

  #remover(label: string, remove: () => void): HTMLButtonElement {
    return button({
      ...{ label, icon: 'close', isIconOnly: true },
      run: () => {
        remove();
        this.element.querySelector<HTMLElement>('.filter-tools button')?.focus();
      },
    });
  }

  async #apply(scope: Scope): Promise<void> {
    const query: RowsQuery = {
      conditions: this.#conditions.map(({ read }) => read()),
      match: this.#match.value === 'any' ? 'any' : 'all',
      sort: this.#sort.map(({ read }) => read()),
    };
    await this.#send(query, scope);
  }

  async #clear(): Promise<void> {
    await this.#send(null, 'loaded');
    this.#fill(emptyQuery);
  }

  async #send(query: RowsQuery | null, scope: Scope): Promise<void> {
    setText(this.#status, t('Reading rows…'));
    this.#status.classList.remove('fault');
    const fault = await this.#options.apply(query, scope);
    setText(this.#status, fault ?? '');
    this.#status.classList.toggle('fault', fault !== undefined);
  }

  #pressed(event: KeyboardEvent): void {
    if (isTextKey(event)) event.stopPropagation();
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      void this.#apply(event.ctrlKey || event.metaKey ? 'all' : 'loaded');
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
