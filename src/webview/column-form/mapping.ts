import type { FieldValue, Inputs, MappedName } from '../../protocol/column-form.ts';
import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { explain } from '../common/explain.ts';
import { t } from '../common/language.ts';
import type { Control } from './control.ts';
import { select } from './control.ts';

interface Row {
  readonly element: HTMLElement;
  /** Of a variable that the prompt has; others are typed. */
  readonly isKnown: boolean;
  readonly read: () => MappedName;
}

export interface MappingParts {
  readonly id: string;
  /** What values can be taken from. */
  readonly columns: readonly string[];
  readonly value: FieldValue | undefined;
  /** What the prompt or workflow takes; undefined: nobody can tell. */
  readonly inputs: (() => Promise<Inputs>) | undefined;
  /** A column of the same name is chosen for variables that are there from the beginning. */
  readonly isNew: boolean;
}

const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

export const columnNamed = (name: string, columns: readonly string[]): string =>
  columns.find((title) => title === name) ??
  columns.find((title) => plain(title) === plain(name)) ??
  '';

/** A row for each variable of a prompt, with the column that feeds it; others can be typed. */
export function mapping({ id, columns, value, inputs, isNew }: MappingParts): Control {
  const rows = el('div', 'mappings');
  const about = el('p', 'about dim', { role: 'status' });
  about.hidden = true;
  let all: readonly Row[] = [];
  /** Nothing is chosen for these again: it was shown before. */
  const seen = new Set<string>();
  let hasAsked = false;
  let asked = 0;

  const columnOf = (label: string, chosen: string): HTMLSelectElement => {
    const element = select('', columns, chosen, false);
    element.setAttribute('aria-label', label);
    return element;
  };
  const put = (next: readonly Row[]): void => {
    all = next;
    rows.replaceChildren(...all.map(({ element }) => element));
  };
  const knownRow = ({ name, column }: MappedName): Row => {
    const choice = columnOf(t('Column for {0}', name), column);
    const element = el('div', 'mapping known', { role: 'group', 'aria-label': name }, [
      el('span', 'variable', { dir: 'auto' }, [name]),
      el('span', '', { 'aria-hidden': 'true' }, ['←']),
      choice,
    ]);
    return { element, isKnown: true, read: () => ({ name, column: choice.value }) };
  };
  const typedRow = (entry: MappedName): Row & { readonly input: HTMLInputElement } => {
    const input = el('input', 'input', { 'aria-label': t('Variable'), spellcheck: 'false' });
    input.value = entry.name;
    const choice = columnOf(t('Variable column'), entry.column);
    const arrow = el('span', '', { 'aria-hidden': 'true' }, ['←']);
    const element = el('div', 'mapping', { role: 'group' }, [input, arrow, choice]);
    const row = {
      ...{ element, input, isKnown: false },
      read: () => ({ name: input.value.trim(), column: choice.value }),
    };
    element.append(
      button({
        label: t('Remove variable'),
        icon: 'close',
        isIconOnly: true,
        run: () => {
          put(all.filter((one) => one !== row));
          more.focus();
        },
      }),
    );
    return row;
  };
  const more = button({
    label: t('Add variable'),
    icon: 'add',
    look: 'secondary',
    run: () => {
      const row = typedRow({ name: '', column: '' });
      put([...all, row]);
      row.input.focus();
    },
  });
  more.id = id;
  const entries = (): readonly MappedName[] => all.map((row) => row.read());

  const showInputs = ({ names, about: words }: Inputs): void => {
    const now = entries();
    const given = new Map(now.map(({ name, column }) => [name, column]));
    const suggests = isNew || hasAsked;
    hasAsked = true;
    const known = (names ?? []).map((name) => {
      const isFirst = suggests && !seen.has(name);
      seen.add(name);
      const column = given.get(name) ?? '';
      return knownRow({ name, column: column || (isFirst ? columnNamed(name, columns) : '') });
    });
    const others = now.filter(({ name, column }) => {
      const isRow = names?.includes(name) === true;
      return !isRow && (name !== '' || column !== '');
    });
    const surplus = names === null ? [] : others.filter(({ column }) => column !== '');
    put([...known, ...(names === null ? others : surplus).map(typedRow)]);
    const foreign = surplus.map(({ name }) => name).filter((name) => name !== '');
    const text = [
      words,
      ...(names?.length === 0 ? [t('There are none.')] : []),
      ...(foreign.length > 0 ? [t('Not found: {0}.', foreign.join(', '))] : []),
    ].join(' ');
    setText(about, text);
    about.hidden = text === '';
    const isFilled = known.some((row) => row.read().column !== (given.get(row.read().name) ?? ''));
    rows.dispatchEvent(new Event(isFilled ? 'change' : 'settled', { bubbles: true }));
  };

  put(
    (Array.isArray(value) ? value : [])
      .filter((entry): entry is MappedName => typeof entry === 'object')
      .map(typedRow),
  );
  return {
    element: el('div', '', { role: 'group' }, [about, rows, more]),
    focus: () => more.focus(),
    // A variable of the prompt that no column is chosen for is left out.
    read: () =>
      all.flatMap((row) => {
        const entry = row.read();
        return row.isKnown && entry.column === '' ? [] : [entry];
      }),
    ...(inputs !== undefined && {
      refresh: () => {
        asked += 1;
        const own = asked;
        const unknown = (error: unknown): Inputs => ({ names: null, about: explain(error) });
        void inputs()
          .catch(unknown)
          .then((found) => {
            if (own === asked) showInputs(found);
          });
      },
    }),
  };
}
