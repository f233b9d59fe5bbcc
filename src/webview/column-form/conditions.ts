import { button } from '../common/buttons.ts';
import { isPlain, text as isText } from '../common/checks.ts';
import { el } from '../common/dom.ts';
import { t } from '../common/language.ts';
import type { Control } from './control.ts';
import { select } from './control.ts';
import { parseExact } from './exact-json.ts';

type Plain = Readonly<Record<string, unknown>>;

/** One comparison as its row shows it. What the row does not show stays in `rest`. */
interface Comparison {
  readonly left: Plain;
  readonly operator: string;
  /** Null: nothing to compare with. */
  readonly right: Plain | null;
  readonly rest: Plain;
}

const isSide = (side: unknown): side is Plain =>
  isPlain(side) && ('source' in side ? isText(side['source']) : 'value' in side);

const sourceOf = ({ source }: Plain): string => (typeof source === 'string' ? source : '');

/** Null: they say more than rows can show. */
function comparisonsIn(json: string): readonly Comparison[] | null {
  let list: unknown;
  try {
    list = json.trim() === '' ? [] : parseExact(json);
  } catch {
    // Typed by hand and not whole yet: it is shown as it is.
    return null;
  }
  if (!Array.isArray(list)) return null;
  const found = list.map((one: unknown): Comparison | null => {
    if (!isPlain(one)) return null;
    const { left_config: left, right_config: right = null, operator, ...rest } = one;
    const isShown = isSide(left) && 'source' in left && (right === null || isSide(right));
    return isShown && isText(operator) ? { left, right, operator, rest } : null;
  });
  return found.every((one) => one !== null) ? found : null;
}

const hasOneSide = (operator: string): boolean => /null$/.test(operator);

/** A value as it is typed: numbers and lists as JSON, and whatever is none as a text. */
function typed(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return typeof meant(value) === 'string' && !value.startsWith('"') ? value : JSON.stringify(value);
}

function meant(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    // A text that is no JSON is meant as it stands.
    return text;
  }
}

interface Row {
  readonly element: HTMLElement;
  readonly read: () => Plain;
  readonly focus: () => void;
}

export interface ConditionParts {
  readonly id: string;
  readonly columns: readonly string[];
  readonly operators: readonly string[];
  /** JSON. */
  readonly value: string;
}

/** Comparisons as rows, or as the JSON that they are where rows cannot show them. */
export function conditions({ id, columns, operators, value }: ConditionParts): Control {
  const area = el('textarea', 'area', { id, rows: '6', dir: 'auto', spellcheck: 'false' });
  const list = el('div', 'conditions');
  let rows: readonly Row[] = [];
  let isJson = false;

  const put = (next: readonly Row[]): void => {
    rows = next;
    list.replaceChildren(...rows.map(({ element }) => element));
  };
  const rowOf = ({ left, operator, right, rest }: Comparison): Row => {
    const source = select('', columns, sourceOf(left), false);
    source.setAttribute('aria-label', t('Compared column'));
    const sign = select('', operators, operator, true);
    sign.setAttribute('aria-label', t('Operator'));
    const isColumn = right !== null && 'source' in right;
    const kind = el('select', 'select', { 'aria-label': t('Compared with') }, [
      el('option', '', { value: 'value' }, [t('value')]),
      el('option', '', { value: 'source' }, [t('column')]),
    ]);
    kind.value = isColumn ? 'source' : 'value';
    const own = el('input', 'input', { 'aria-label': t('Value to compare with'), dir: 'auto' });
    own.value = right !== null && 'value' in right ? typed(right['value']) : '';
    const other = select('', columns, isColumn ? sourceOf(right) : '', false);
    other.setAttribute('aria-label', t('Column to compare with'));
    const showSides = (): void => {
      const isOne = hasOneSide(sign.value);
      kind.hidden = isOne;
      own.hidden = isOne || kind.value !== 'value';
      other.hidden = isOne || kind.value !== 'source';
    };
    sign.addEventListener('change', showSides);
    kind.addEventListener('change', showSides);
    showSides();
    const element = el('div', 'condition', { role: 'group', 'aria-label': t('Comparison') }, [
      ...[source, sign, kind, own, other],
    ]);
    const row: Row = {
      element,
      focus: () => source.focus(),
      read: () => {
        const base = right ?? {};
        const { value: _, source: __, ...path } = base;
        const side =
          kind.value === 'source' ? { ...path, source: other.value } : { value: meant(own.value) };
        return {
          ...{ ...rest, operator: sign.value, left_config: { ...left, source: source.value } },
          ...(!hasOneSide(sign.value) && { right_config: side }),
        };
      },
    };
    element.append(
      button({
        label: t('Remove comparison'),
        icon: 'close',
        isIconOnly: true,
        run: () => {
          put(rows.filter((one) => one !== row));
          more.focus();
          list.dispatchEvent(new Event('change', { bubbles: true }));
        },
      }),
    );
    return row;
  };
  const blank = (): Comparison => ({
    ...{ left: { source: '' }, operator: operators[0] ?? '=', right: { value: '' }, rest: {} },
  });
  const more = button({
    label: t('Add comparison'),
    icon: 'add',
    look: 'secondary',
    run: () => {
      const row = rowOf(blank());
      put([...rows, row]);
      row.focus();
    },
  });
  const asJson = (): string =>
    rows.length === 0
      ? ''
      : JSON.stringify(
          rows.map((row) => row.read()),
          null,
          2,
        );
  const show = (json: string, wantsJson: boolean): void => {
    const comparisons = wantsJson ? null : comparisonsIn(json);
    isJson = comparisons === null;
    if (comparisons === null) area.value = json;
    else put((comparisons.length === 0 ? [blank()] : comparisons).map(rowOf));
    area.hidden = !isJson;
    list.hidden = isJson;
    more.hidden = isJson;
    const label = isJson ? t('Edit as rows') : t('Edit as JSON');
    other.title = label;
    other.querySelector('.button-label')?.replaceChildren(label);
  };
  const other = button({
    label: t('Edit as JSON'),
    run: () => show(isJson ? area.value : asJson(), !isJson),
  });
  show(value, false);
  return {
    element: el('div', '', { role: 'group' }, [
      list,
      area,
      el('div', 'buttons', {}, [more, other]),
    ]),
    read: () => (isJson ? area.value : asJson()),
    focus: () => (isJson ? area.focus() : (rows[0] ?? more).focus()),
  };
}
