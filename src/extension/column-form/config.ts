import type { Column } from '../../api/column.ts';
import { ExactNumber } from '../../api/exact-number.ts';
import { parseJson, stringifyJson } from '../../core/http/json.ts';
import type {
  ColumnField,
  ColumnFault,
  ColumnTypeForm,
  FieldValue,
  FieldValues,
  MappedName,
} from '../../protocol/column-form.ts';
import type { Translate } from '../translate.ts';

type Config = Readonly<Record<string, unknown>>;
type Sources = readonly Pick<Column, 'id' | 'title'>[];

const isConfig = (value: unknown): value is Config =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof ExactNumber);

function read(config: Config, path: string): unknown {
  if (path === '') return config;
  let value: unknown = config;
  for (const key of path.split('.')) {
    value = isConfig(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** The config with the value in its place; undefined takes it out, and what is empty then. */
function write(config: Config, [key = '', ...rest]: readonly string[], value: unknown): Config {
  const { [key]: before, ...others } = config;
  if (rest.length === 0) return value === undefined ? others : { ...config, [key]: value };
  const inner = write(isConfig(before) ? before : {}, rest, value);
  return Object.keys(inner).length === 0 ? others : { ...config, [key]: inner };
}

/** Configurations name columns by title or by id; people by title. */
const titleOf = (columns: Sources, given: unknown): string =>
  columns.find(({ id }) => id === given)?.title ?? (typeof given === 'string' ? given : '');

function shown(field: ColumnField, value: unknown, columns: Sources): FieldValue | undefined {
  if (value === undefined || value === null) return undefined;
  switch (field.kind) {
    case 'flag':
      return value === true;
    case 'column':
      return titleOf(columns, value);
    case 'columns':
      return Array.isArray(value) ? value.map((one: unknown) => titleOf(columns, one)) : undefined;
    case 'mapping':
      return isConfig(value)
        ? Object.entries(value).map(([name, one]) => ({ name, column: titleOf(columns, one) }))
        : undefined;
    case 'json':
      return JSON.stringify(JSON.parse(stringifyJson(value)), null, 2);
    case 'line':
    case 'area':
    case 'code':
    case 'number':
    case 'choice':
      return typeof value === 'string' ? value : stringifyJson(value);
  }
}

/** What the fields of a form hold for a configuration. */
export function valuesOf(form: ColumnTypeForm, config: Config, columns: Sources): FieldValues {
  const entries = form.fields.flatMap((field): [string, FieldValue][] => {
    const value = shown(field, read(config, field.name), columns);
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries(entries);
}

const isMapped = (value: FieldValue): value is readonly MappedName[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'object');

function meant(field: ColumnField, value: FieldValue | undefined): unknown {
  if (value === undefined || value === '') return undefined;
  switch (field.kind) {
    case 'flag':
      return value === true ? true : undefined;
    case 'columns':
      return Array.isArray(value) && value.length > 0 ? value : undefined;
    case 'mapping':
      return isMapped(value) && value.length > 0
        ? Object.fromEntries(value.map(({ name, column }) => [name, column]))
        : undefined;
    case 'number':
    case 'json':
      return typeof value === 'string' ? parseJson(value) : undefined;
    case 'choice':
      return field.isJson === true && typeof value === 'string' ? parseJson(value) : value;
    case 'line':
    case 'area':
    case 'code':
    case 'column':
      return value;
  }
}

/** The configuration that the fields stand for. What the form does not show stays as it was. */
export function configOf(form: ColumnTypeForm, values: FieldValues, before: Config = {}): Config {
  let config = before;
  for (const field of form.fields) {
    const value = meant(field, values[field.name]);
    if (field.name === '') config = isConfig(value) ? value : {};
    else config = write(config, field.name.split('.'), value);
  }
  return config;
}

/** What can be said before the service is asked; undefined: nothing is wrong. */
export function faultIn(
  form: ColumnTypeForm,
  values: FieldValues,
  t: Translate,
): ColumnFault | undefined {
  for (const field of form.fields) {
    const message = faultOf(field, values[field.name], t);
    if (message !== undefined) return { field: field.name, message };
  }
  return undefined;
}

function faultOf(
  field: ColumnField,
  value: FieldValue | undefined,
  t: Translate,
): string | undefined {
  const isEmpty =
    value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return field.isNeeded === true ? t('{0} is missing.', field.label) : undefined;
  if (field.kind === 'number' && !Number.isFinite(Number(value))) return t('This is no number.');
  if (field.kind === 'json' && typeof value === 'string') {
    try {
      JSON.parse(value);
    } catch {
      // What is typed is no JSON: that is the answer.
      return t('This is not JSON.');
    }
  }
  if (field.count !== undefined && Array.isArray(value)) {
    const [least, most] = field.count;
    if (value.length < least) return t('Choose at least {0} columns.', least);
    if (value.length > most) return t('Choose at most {0} columns.', most);
  }
  if (isMapped(value) && value.some(({ name, column }) => name === '' || column === '')) {
    return t('Give every variable a name and a column.');
  }
  return undefined;
}

/** The field that the service's words are about: they hold its name, or quote what is in it. */
export function fieldNamedIn(
  form: ColumnTypeForm,
  message: string,
  values: FieldValues = {},
): string | null {
  const words = new Set(message.match(/[A-Za-z_]+/g));
  const fields = form.fields.filter(({ name }) => name !== '');
  const named = ({ name }: ColumnField): boolean =>
    message.includes(name) || words.has(name.split('.').at(-1) ?? name);
  const quoted = ({ name }: ColumnField): boolean => {
    const value = values[name];
    return typeof value === 'string' && value !== '' && message.includes(`"${value}"`);
  };
  const found = fields.find(quoted) ?? fields.find(named);
  if (found !== undefined) return found.name;
  return words.has('title') ? 'title' : null;
}
