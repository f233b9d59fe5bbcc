import type { PromptTemplate } from '../../api/template.ts';
import { parseJson, stringifyJson } from '../../core/http/json.ts';
import { isMapping } from '../../core/mapping.ts';
import { invalid } from '../http/problem.ts';
import { joinedText, messagesOf } from '../../core/providers/template-parts.ts';
import type { RequestRecord } from '../requests/records.ts';
import { ImportError } from '../../core/imports/import-error.ts';
import { checkTitles } from './titles.ts';

/** What the columns of an import are made of. */
export type ImportedRequest = Pick<
  RequestRecord,
  | 'id'
  | 'provider'
  | 'model'
  | 'prompt_version_number'
  | 'status'
  | 'error_type'
  | 'error_message'
  | 'input_json'
  | 'output_json'
  | 'variables_json'
  | 'metadata_json'
  | 'tags_json'
  | 'scores_json'
  | 'input_tokens'
  | 'output_tokens'
  | 'price'
  | 'started_at'
  | 'ended_at'
  | 'latency_ms'
  | 'group_id'
  | 'trace_id'
> & { readonly prompt_name: string | null };

export const importedColumns = `id, provider, model, prompt_version_number, status, error_type, error_message,
  input_json, output_json, variables_json, metadata_json, tags_json, scores_json, input_tokens, output_tokens,
  price, started_at, ended_at, latency_ms, group_id, trace_id,
  (select name from prompts p where p.id = requests.prompt_id) as prompt_name`;

/** JSON text of the value of a field; null when the request does not have it. */
type Read = (request: ImportedRequest) => string | null;

const json = (value: string | number | null): string | null =>
  value === null ? null : JSON.stringify(value);
const filled = (text: string): string | null => (text === '{}' || text === '[]' ? null : text);
const time = (milliseconds: number): string => JSON.stringify(new Date(milliseconds).toISOString());

/** A message reads as its text; several have their roles in front. */
function textOf(text: string): string | null {
  const template = parseJson(text) as PromptTemplate;
  if (template.type === 'completion') return json(joinedText(template['content']));
  const messages = messagesOf(template).map(({ role, content, toolCalls }) => {
    const said = joinedText(content);
    const calls = toolCalls.map(({ name, arguments: given }) => `${name}(${given})`).join('\n');
    return { role, text: [said, calls].filter((part) => part !== '').join('\n') };
  });
  const [first] = messages;
  if (first === undefined) return null;
  if (messages.length === 1) return json(first.text);
  return json(messages.map(({ role, text: said }) => `${role}: ${said}`).join('\n\n'));
}

const fields: Readonly<Record<string, Read>> = {
  request_id: ({ id }) => json(id),
  prompt_name: ({ prompt_name: name }) => json(name),
  prompt_version_number: ({ prompt_version_number: number }) => json(number),
  input_variables: ({ variables_json: text }) => filled(text),
  input: ({ input_json: text }) => textOf(text),
  output: ({ output_json: text }) => textOf(text),
  provider: ({ provider }) => json(provider),
  model: ({ model }) => json(model),
  input_tokens: ({ input_tokens: count }) => json(count),
  output_tokens: ({ output_tokens: count }) => json(count),
  price: ({ price }) => json(price),
  latency_ms: ({ latency_ms: milliseconds }) => json(milliseconds),
  status: ({ status }) => json(status),
  request_start_time: ({ started_at: at }) => time(at),
  tags: ({ tags_json: text }) => filled(text),
  metadata: ({ metadata_json: text }) => filled(text),
  scores: ({ scores_json: text }) => filled(text),
  input_json: ({ input_json: text }) => text,
  output_json: ({ output_json: text }) => text,
  request_end_time: ({ ended_at: at }) => time(at),
  error_type: ({ error_type: type }) => json(type),
  error_message: ({ error_message: message }) => json(message),
  group_id: ({ group_id: id }) => json(id),
  trace_id: ({ trace_id: id }) => json(id),
};

/** Taken when nothing else is wanted: all up to `scores`. */
const usual = Object.keys(fields).slice(0, Object.keys(fields).indexOf('scores') + 1);

/** The names that a search gives to the same things. */
const otherNames: Readonly<Record<string, string>> = {
  id: 'request_id',
  pl_id: 'request_id',
  engine: 'model',
  provider_type: 'provider',
  cost: 'price',
  prompt: 'prompt_name',
  input_text: 'input',
  output_text: 'output',
};

const objects = {
  'input_variables.': 'variables_json',
  'metadata.': 'metadata_json',
  'scores.': 'scores_json',
} as const;

/** One key of an object of the request: `metadata.user`. */
function readKey(name: string): Read | undefined {
  for (const [prefix, column] of Object.entries(objects)) {
    if (!name.startsWith(prefix) || name === prefix) continue;
    const key = name.slice(prefix.length);
    return (request) => {
      const object = parseJson(request[column]);
      if (!isMapping(object) || !Object.hasOwn(object, key)) return null;
      const value = object[key];
      return value === null || value === undefined ? null : stringifyJson(value);
    };
  }
  return undefined;
}

function readField(name: string): Read {
  const read = Object.hasOwn(fields, name) ? fields[name] : readKey(name);
  if (read !== undefined) return read;
  throw invalid(
    `Requests have no field "${name}". Available: ${Object.keys(fields).join(', ')}, and single values such as metadata.user, scores.default and input_variables.name.`,
  );
}

export interface RequestColumns {
  /** Names of the fields, as they are kept beside the import. */
  readonly fields: readonly string[];
  /** Titles of the columns that take them. */
  readonly titles: readonly string[];
}

/**
 * Which columns an import makes: one for each field, titled as the field is, and one for each
 * variable, titled as the variable is unless a field has that title.
 */
export function requestColumns(
  wantedFields: readonly string[] | undefined,
  variables: readonly string[],
): RequestColumns {
  const named = (wantedFields ?? usual).map((name) =>
    Object.hasOwn(otherNames, name) ? (otherNames[name] ?? name) : name,
  );
  const plain = [...new Set(named)];
  for (const name of plain) readField(name);
  const parsed = [...new Set(variables)].filter(
    (name) => !plain.includes(`input_variables.${name}`),
  );
  if (plain.length + parsed.length === 0) {
    throw invalid(
      'Name at least one field in include_fields or one variable in variables_to_parse.',
    );
  }
  const titles = [
    ...plain,
    ...parsed.map((name) => (plain.includes(name.trim()) ? `input_variables.${name}` : name)),
  ];
  try {
    return {
      fields: [...plain, ...parsed.map((name) => `input_variables.${name}`)],
      titles: checkTitles(titles),
    };
  } catch (error) {
    if (error instanceof ImportError) throw invalid(error.message);
    throw error;
  }
}

/** The function that makes a row of a request, in the order of the fields. */
export function rowReader(
  names: readonly string[],
): (request: ImportedRequest) => (string | null)[] {
  const reads = names.map(readField);
  return (request) => reads.map((read) => read(request));
}
