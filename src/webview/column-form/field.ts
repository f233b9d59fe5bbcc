import type { ColumnField, FieldValue, Inputs, Suggestions } from '../../protocol/column-form.ts';
import { el, setAttribute, setText } from '../common/dom.ts';
import { t } from '../common/language.ts';
import { comboBox } from './combo.ts';
import { conditions } from './conditions.ts';
import type { Control } from './control.ts';
import { select } from './control.ts';
import { mapping } from './mapping.ts';

/** A field on the page: what is in it, and what is wrong with it. */
export interface FieldView {
  readonly element: HTMLElement;
  readonly read: () => FieldValue | undefined;
  /** Says what is wrong beside the field; undefined: nothing. */
  fault(message: string | undefined): void;
  readonly focus: () => void;
  /** Another field that it hangs on has changed. */
  readonly refresh?: () => void;
}

/** What a form knows that its fields can be filled in with. */
export interface FieldSources {
  /** Titles of the columns that can be sources. */
  readonly columns: readonly string[];
  readonly suggest: (field: ColumnField) => Promise<Suggestions>;
  readonly inputs: (field: ColumnField) => Promise<Inputs>;
  /** Nothing was there before: what is likely is filled in. */
  readonly isNew: boolean;
}

const asText = (value: FieldValue | undefined): string => (typeof value === 'string' ? value : '');

/** Boxes to tick; the order in which they were ticked is kept. */
function several(id: string, columns: readonly string[], value: FieldValue | undefined): Control {
  const given = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  let chosen: readonly string[] = given;
  const element = el('div', 'boxes', { role: 'group', id, tabindex: '-1' });
  for (const title of new Set([...given, ...columns])) {
    const box = el('input', '', { type: 'checkbox' });
    box.checked = chosen.includes(title);
    box.addEventListener('change', () => {
      const others = chosen.filter((one) => one !== title);
      chosen = box.checked ? [...others, title] : others;
    });
    element.append(el('label', 'box', {}, [box, el('span', '', { dir: 'auto' }, [title])]));
  }
  if (element.childElementCount === 0) element.append(t('The sheet has no other columns.'));
  return {
    element,
    read: () => chosen,
    focus: () => (element.querySelector('input') ?? element).focus(),
  };
}

/** Code into which columns can be put by their titles. */
function code(
  id: string,
  columns: readonly string[],
  value: FieldValue | undefined,
  takesColumns: boolean,
): Control {
  const area = el('textarea', 'area', { id, rows: '6', dir: 'auto', spellcheck: 'false' });
  area.value = asText(value);
  const control = { input: area, read: () => area.value, focus: () => area.focus() };
  if (!takesColumns || columns.length === 0) return { ...control, element: area };
  const insert = el('select', 'select insert', { 'aria-label': t('Insert a column') }, [
    el('option', '', { value: '' }, [t('Insert a column…')]),
    ...columns.map((title) => el('option', '', { value: title }, [title])),
  ]);
  insert.addEventListener('change', () => {
    if (insert.value === '') return;
    area.setRangeText(
      `data[${JSON.stringify(insert.value)}]`,
      area.selectionStart,
      area.selectionEnd,
      'end',
    );
    insert.value = '';
    area.focus();
  });
  return { ...control, element: el('div', '', {}, [area, insert]) };
}

function fitting(options: readonly string[], typed: string): Suggestions {
  const isChosen = options.includes(typed);
  const items = options.filter((option) => isChosen || option.includes(typed.toLowerCase()));
  return { items: items.map((value) => ({ value, detail: '' })), problem: null };
}

function control(
  id: string,
  field: ColumnField,
  sources: FieldSources,
  value: FieldValue | undefined,
): Control {
  const { kind, options = [], isNeeded = false, of = [] } = field;
  const { columns, suggest, inputs, isNew } = sources;
  switch (kind) {
    case 'flag': {
      const element = el('input', 'flag', { id, type: 'checkbox' });
      element.checked = value === true;
      return { element, read: () => element.checked, focus: () => element.focus() };
    }
    case 'choice':
    case 'column': {
      const element = select(id, kind === 'choice' ? options : columns, asText(value), isNeeded);
      return { element, read: () => element.value, focus: () => element.focus() };
    }
    case 'columns':
      return several(id, columns, value);
    case 'mapping':
      return mapping({
        ...{ id, value, isNew },
        columns: [...columns, ...options],
        inputs: of.length === 0 ? undefined : () => inputs(field),
      });
    case 'conditions':
      return conditions({ id, columns, operators: options, value: asText(value) });
    case 'suggest':
    case 'release': {
      const isKnown = kind === 'suggest' && options.length > 0;
      const { element, input } = comboBox(id, asText(value), () =>
        isKnown ? Promise.resolve(fitting(options, input.value.trim())) : suggest(field),
      );
      return { element, input, read: () => input.value.trim(), focus: () => input.focus() };
    }
    case 'code':
      return code(id, columns, value, field.takesColumns === true);
    case 'area':
    case 'json': {
      const look = kind === 'area' ? 'area prose' : 'area';
      const element = el('textarea', look, { id, rows: '3', dir: 'auto', spellcheck: 'false' });
      element.value = asText(value);
      return { element, read: () => element.value, focus: () => element.focus() };
    }
    case 'line':
    case 'number': {
      const mode = kind === 'number' ? 'decimal' : undefined;
      const element = el('input', 'input', {
        id,
        inputmode: mode,
        dir: 'auto',
        spellcheck: 'false',
      });
      element.value = asText(value);
      return { element, read: () => element.value.trim(), focus: () => element.focus() };
    }
  }
}

export function makeField(
  field: ColumnField,
  sources: FieldSources,
  value: FieldValue | undefined,
  /** Where a page has a field several times. */
  prefix = '',
): FieldView {
  const id = `${prefix}field-${field.name}`;
  const { element: whole, read, focus, refresh, ...made } = control(id, field, sources, value);
  const input = made.input ?? whole;
  const fault = el('p', 'fault', { id: `${id}-fault`, role: 'alert' });
  fault.hidden = true;
  const about = field.about;
  const help =
    about === undefined ? undefined : el('p', 'about dim', { id: `${id}-about` }, [about]);
  const isGroup = ['columns', 'mapping', 'conditions'].includes(field.kind);
  const name = field.isNeeded === true ? t('{0} (required)', field.label) : field.label;
  const label = el('label', 'name', isGroup ? { id: `${id}-name` } : { for: id }, [name]);
  if (isGroup) input.setAttribute('aria-labelledby', `${id}-name`);
  const described = `${help === undefined ? '' : `${id}-about `}${id}-fault`;
  input.setAttribute('aria-describedby', described);
  const element = el('div', `field of-${field.kind}`, {}, [
    ...(field.kind === 'flag' ? [el('div', 'box', {}, [input, label])] : [label, whole]),
    ...(help === undefined ? [] : [help]),
    fault,
  ]);
  return {
    element,
    read,
    focus,
    ...(refresh !== undefined && { refresh }),
    fault(message) {
      setText(fault, message ?? '');
      fault.hidden = message === undefined;
      setAttribute(input, 'aria-invalid', message === undefined ? undefined : 'true');
    },
  };
}
