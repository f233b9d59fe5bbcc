import type { ColumnField, FieldValue, MappedName } from '../../protocol/column-form.ts';
import { button } from '../common/buttons.ts';
import { el, setAttribute, setText } from '../common/dom.ts';
import { t } from '../common/language.ts';

/** A field on the page: what is in it, and what is wrong with it. */
export interface FieldView {
  readonly element: HTMLElement;
  read(): FieldValue | undefined;
  /** Says what is wrong beside the field; undefined: nothing. */
  fault(message: string | undefined): void;
  focus(): void;
}

type Control = Pick<FieldView, 'read' | 'focus'> & { readonly element: HTMLElement };

function select(id: string, options: readonly string[], value: string, isNeeded: boolean) {
  const element = el('select', 'select', { id });
  const known = options.includes(value) || value === '' ? options : [value, ...options];
  if (!isNeeded || value === '') element.append(el('option', '', { value: '' }, [t('Choose…')]));
  for (const option of known) element.append(el('option', '', { value: option }, [option]));
  element.value = value;
  return element;
}

const asText = (value: FieldValue | undefined): string => (typeof value === 'string' ? value : '');

function mapping(id: string, columns: readonly string[], value: FieldValue | undefined): Control {
  const rows = el('div', 'mappings');
  const add = (entry: MappedName): HTMLInputElement => {
    const name = el('input', 'input', { 'aria-label': t('Variable'), spellcheck: 'false' });
    name.value = entry.name;
    const column = select('', columns, entry.column, false);
    column.setAttribute('aria-label', t('Column of the variable'));
    const row = el('div', 'mapping', { role: 'group' }, [name, '←', column]);
    row.append(
      button({
        label: t('Remove variable'),
        icon: 'close',
        isIconOnly: true,
        run: () => {
          row.remove();
          more.focus();
        },
      }),
    );
    rows.append(row);
    return name;
  };
  const more = button({
    label: t('Add variable'),
    icon: 'add',
    look: 'secondary',
    run: () => add({ name: '', column: '' }).focus(),
  });
  more.id = id;
  const known = Array.isArray(value) ? value : [];
  for (const entry of known) if (typeof entry === 'object') add(entry as MappedName);
  return {
    element: el('div', '', {}, [rows, more]),
    focus: () => more.focus(),
    read: () =>
      [...rows.children].map((row) => ({
        name: row.querySelector('input')?.value.trim() ?? '',
        column: row.querySelector('select')?.value ?? '',
      })),
  };
}

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

function control(
  id: string,
  { kind, options = [], isNeeded = false }: ColumnField,
  columns: readonly string[],
  value: FieldValue | undefined,
): Control {
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
      return mapping(id, columns, value);
    case 'area':
    case 'code':
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
  columns: readonly string[],
  value: FieldValue | undefined,
): FieldView {
  const id = `field-${field.name}`;
  const { element: input, read, focus } = control(id, field, columns, value);
  const fault = el('p', 'fault', { id: `${id}-fault`, role: 'alert' });
  fault.hidden = true;
  const about = field.about;
  const help =
    about === undefined ? undefined : el('p', 'about dim', { id: `${id}-about` }, [about]);
  const isGroup = field.kind === 'columns';
  const name = field.isNeeded === true ? t('{0} (needed)', field.label) : field.label;
  const label = el('label', 'name', isGroup ? { id: `${id}-name` } : { for: id }, [name]);
  if (isGroup) input.setAttribute('aria-labelledby', `${id}-name`);
  const described = `${help === undefined ? '' : `${id}-about `}${id}-fault`;
  input.setAttribute('aria-describedby', described);
  const element = el('div', `field of-${field.kind}`, {}, [
    ...(field.kind === 'flag' ? [el('div', 'box', {}, [input, label])] : [label, input]),
    ...(help === undefined ? [] : [help]),
    fault,
  ]);
  return {
    element,
    read,
    focus,
    fault(message) {
      setText(fault, message ?? '');
      fault.hidden = message === undefined;
      setAttribute(input, 'aria-invalid', message === undefined ? undefined : 'true');
    },
  };
}
