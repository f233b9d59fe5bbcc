import type { Column } from '../../api/column.ts';
import type { ErrorDetail } from '../../core/errors.ts';
import { parseJson, stringifyJson } from '../../core/http/json.ts';
import type {
  ColumnField,
  ColumnFault,
  ColumnTypeForm,
  FieldValue,
  FieldValues,
  MappedName,
} from '../../protocol/column-form.ts';
import type { Translate } from '../shell/translate.ts';
import { isMapping } from '../../core/mapping.ts';
import { laidOut } from '../panels/laid-out.ts';

type Config = Readonly<Record<string, unknown>>;
type Sources = readonly Pick<Column, 'id' | 'title'>[];

function read(config: Config, path: string): unknown {
  if (path === '') return config;
  let value: unknown = config;
  for (const key of path.split('.')) {
    value = isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** The config with the value in its place; undefined takes it out, and what is empty then. */
function write(config: Config, [key = '', ...rest]: readonly string[], value: unknown): Config {
  const { [key]: before, ...others } = config;
  if (rest.length === 0) return value === undefined ? others : { ...config, [key]: value };
  const inner = write(isMapping(before) ? before : {}, rest, value);
  return Object.keys(inner).length === 0 ? others : { ...config, [key]: inner };
}

/** Configurations name columns by title or by id; people by title. */
const titleOf = (columns: Sources, given: unknown): string =>
  columns.find(({ id }) => id === given)?.title ?? (typeof given === 'string' ? given : '');

/** Comparisons with the titles of their columns. */
const withTitles = (conditionals: unknown, columns: Sources): unknown => {
  const side = (given: unknown): unknown =>
    isMapping(given) && typeof given['source'] === 'string'
      ? { ...given, source: titleOf(columns, given['source']) }
      : given;
  if (!Array.isArray(conditionals)) return conditionals;
  return conditionals.map((one: unknown) =>
    isMapping(one)
      ? Object.fromEntries(Object.entries(one).map(([key, value]) => [key, side(value)]))
      : one,
  );
};

/** A version is its number; a label is its name, and said to be one where it could be a number. */
function releaseText(version: unknown, label: unknown): string | undefined {
  if (version !== undefined && version !== null) return stringifyJson(version);
  if (typeof label !== 'string') return undefined;
  return /^(?:\d+$|label:)/.test(label) ? `label:${label}` : label;
}

/** What a person means by a version or a label. */
export function releaseOf(text: string): { readonly version?: number; readonly label?: string } {
  if (text === '') return {};
  if (/^\d+$/.test(text)) return { version: Number(text) };
  return { label: text.replace(/^label:/, '') };
}

function shown(field: ColumnField, value: unknown, columns: Sources): FieldValue | undefined {
  if (value === null && field.takesNull === true) return 'null';
  if (value === undefined || value === null) return undefined;
  switch (field.kind) {
    case 'flag':
      return value === true;
    case 'column':
      return titleOf(columns, value);
    case 'columns':
      return Array.isArray(value) ? value.map((one: unknown) => titleOf(columns, one)) : undefined;
    case 'mapping':
      return isMapping(value)
        ? Object.entries(value).map(([name, one]) => ({ name, column: titleOf(columns, one) }))
        : undefined;
    case 'json':
      return laidOut(value);
    case 'conditions':
      return laidOut(withTitles(value, columns));
    case 'line':
    case 'suggest':
    case 'release':
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
    const { name, labelName } = field;
    const value =
      labelName === undefined
        ? shown(field, read(config, name), columns)
        : releaseText(read(config, name), read(config, labelName));
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
    case 'suggest':
      // Workflows are named by their ids, which are numbers.
      return field.suggests === 'workflows' && typeof value === 'string' && /^\d+$/.test(value)
        ? parseJson(value)
        : value;
    case 'release':
      return typeof value === 'string' ? releaseOf(value).version : undefined;
    case 'number':
    case 'conditions':
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

/** A field that another one does not ask for is not there, whatever it held before. */
export const isAsked = ({ when }: ColumnField, values: FieldValues): boolean =>
  when === undefined || values[when.field] === when.is;

/** The configuration that the fields stand for. What the form does not show stays as it was. */
export function configOf(form: ColumnTypeForm, values: FieldValues, before: Config = {}): Config {
  let config = before;
  for (const field of form.fields) {
    const { name, labelName } = field;
    const given = isAsked(field, values) ? values[name] : undefined;
    const value = meant(field, given);
    if (name === '') config = isMapping(value) ? value : {};
    else config = write(config, name.split('.'), value);
    if (labelName !== undefined) {
      const { label } = releaseOf(typeof given === 'string' ? given : '');
      config = write(config, labelName.split('.'), label);
    }
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
    if (!isAsked(field, values)) continue;
    const message = faultOf(field, values[field.name], t);
    if (message !== undefined) return { field: field.name, message };
  }
  return undefined;
}

/** A comparison that was begun has an empty source. */
const hasSources = (conditionals: unknown): boolean =>
  Array.isArray(conditionals) &&
  conditionals.every((one: unknown) =>
    [
      read(isMapping(one) ? one : {}, 'left_config'),
      read(isMapping(one) ? one : {}, 'right_config'),
    ]
      .filter(isMapping)
      .every((side) => side['source'] !== ''),
  );

function faultOf(
  field: ColumnField,
  value: FieldValue | undefined,
  t: Translate,
): string | undefined {
  const isEmpty =
    value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return field.isNeeded === true ? t('{0} is missing.', field.label) : undefined;
  if (field.kind === 'number' && !Number.isFinite(Number(value))) return t("This isn't a number.");
  const isJson = field.kind === 'json' || field.kind === 'conditions';
  if (isJson && typeof value === 'string') {
    try {
      const json: unknown = JSON.parse(value);
      if (field.kind === 'conditions' && !hasSources(json)) {
        return t('Select a column for every comparison.');
      }
    } catch {
      // What is typed is no JSON: that is the answer.
      return t('This is not JSON.');
    }
  }
  if (field.count !== undefined && Array.isArray(value)) {
    const [least, most] = field.count;
    if (value.length < least) return t('Select at least {0} columns.', least);
    if (value.length > most) return t('Select at most {0} columns.', most);
  }
  if (isMapped(value) && value.some(({ name, column }) => name === '' || column === '')) {
    return t('Enter a name and select a column for every variable.');
  }
  return undefined;
}

type Path = readonly (string | number)[];

const begins = (path: Path, beginning: Path): boolean =>
  beginning.length <= path.length &&
  beginning.every((step, at) => String(step) === String(path[at]));

/** The field that holds what is at a path of the config, or in which something is missing there. */
export function fieldAt(form: ColumnTypeForm, path: Path, values: FieldValues): string | null {
  // What is hidden can't show what is wrong with it.
  const shown = form.fields.filter((field) => isAsked(field, values));
  const places = shown.flatMap(({ name, labelName }) =>
    [name, labelName ?? name].map((one) => ({ name, place: one === '' ? [] : one.split('.') })),
  );
  const [around] = places
    .filter(({ place }) => begins(path, place))
    .toSorted((one, other) => other.place.length - one.place.length);
  const within = path.length === 0 ? undefined : places.find(({ place }) => begins(place, path));
  return (around ?? within)?.name ?? null;
}

/** The field of a column that the service blames; null: it names none that the form has. */
export function fieldBlamed(
  form: ColumnTypeForm,
  detail: readonly ErrorDetail[],
  values: FieldValues,
): string | null {
  for (const { loc } of detail) {
    const [part, first, ...path] = loc;
    if (part !== 'body') continue;
    if (first === 'title') return 'title';
    const field = first === 'config' ? fieldAt(form, path, values) : null;
    if (field !== null) return field;
  }
  return null;
}
