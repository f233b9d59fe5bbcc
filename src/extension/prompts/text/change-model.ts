import { parseDocument, type Document } from 'yaml';
import { ValidationError } from '../../../core/errors.ts';
import { stringifyJson } from '../../../core/http/json.ts';
import { chooseModel } from '../../../core/kwargs/choose-model.ts';
import type { Mapping } from '../../../core/mapping.ts';
import { isMapping } from '../../../core/mapping.ts';
import type { ModelChange } from '../../shell/choice-schema.ts';
import type { Translate } from '../../shell/translate.ts';
import { split } from './blocks.ts';
import { frontOptions, frontText, styleTexts } from './front-matter.ts';
import { readText } from './read.ts';

/** Facts of the model before, which say nothing of another one. */
const ofOneModel = ['display_params', 'base_model', 'model_config_display_name', 'api_type'];

/** `parameters:` without a value is as good as none. */
function put(document: Document, path: readonly string[], value: unknown): void {
  for (let length = 1; length < path.length; length += 1) {
    const holder = path.slice(0, length);
    if (document.hasIn(holder) && document.getIn(holder) === null) document.deleteIn(holder);
  }
  const node = document.createNode(value, { aliasDuplicateObjects: false });
  styleTexts(node);
  document.setIn(path, node);
}

/** At the top of the front matter; the older form of tools goes where it has a newer one. */
function changeTools(document: Document, { tools, toolChoice }: ModelChange): void {
  if (tools !== undefined) {
    for (const key of ['tools', 'functions', 'function_call']) document.delete(key);
    if (tools.length > 0) put(document, ['tools'], tools);
    // Without tools there is nothing to choose.
    else document.delete('tool_choice');
  }
  if (toolChoice === undefined) return;
  document.delete('function_call');
  put(document, ['tool_choice'], toolChoice);
}

const ofTools = ['tools', 'tool_choice', 'functions', 'function_call'];

function change(document: Document, wanted: ModelChange, metadata: unknown): void {
  const { model, parameters } = wanted;
  changeTools(document, wanted);
  if (model !== undefined) {
    const { provider, name } = model;
    const before = isMapping(metadata) ? metadata : null;
    const format = chooseModel(before, {}).model?.parameters['response_format'];
    const chosen = chooseModel(before, { provider, model: name });
    for (const field of ['parameters', ...ofOneModel]) document.deleteIn(['model', field]);
    put(document, ['model', 'provider'], provider);
    put(document, ['model', 'name'], name);
    const apiType = chosen.model?.apiType;
    if (apiType !== undefined) put(document, ['model', 'api_type'], apiType);
    // It belongs to the prompt, not to the model.
    if (format !== undefined && !document.has('response_format')) {
      put(document, ['model', 'parameters', 'response_format'], format);
    }
  }
  for (const [name, value] of Object.entries(parameters)) {
    const isOnTop = name === 'response_format' && document.has(name);
    put(document, isOnTop ? [name] : ['model', 'parameters', name], value);
  }
}

const isAlike = (one: unknown, other: unknown): boolean =>
  stringifyJson(one ?? null) === stringifyJson(other ?? null);

/** Whether what was written is what was wanted. */
const hasTools = (template: Mapping | undefined, { tools, toolChoice }: ModelChange): boolean =>
  (tools === undefined || isAlike(template?.['tools'] ?? [], tools)) &&
  (toolChoice === undefined || isAlike(template?.['tool_choice'], toolChoice));

/** The front matter by its keys, each with what stands below it; undefined: not one key a line. */
function sections(text: string, t: Translate): ReadonlyMap<string, string> | undefined {
  const { keys } = readText(text, t);
  const { front = [] } = split(text);
  const starts = new Map([...keys].map(([key, { from }]) => [from, key]));
  const found = new Map<string, string>([['', '']]);
  let key = '';
  for (const line of front) {
    const begun = starts.get(line.from);
    if (begun !== undefined) {
      key = begun;
      found.set(key, '');
    }
    found.set(key, `${found.get(key) ?? ''}${line.text}\n`);
  }
  return found.size === keys.size + 1 ? found : undefined;
}

/** `after`, but as `before` wherever that says the same. */
function keepingLines(
  before: string,
  after: string,
  changed: readonly string[],
  t: Translate,
): string {
  const [kept, made] = [sections(before, t), sections(after, t)];
  if (kept === undefined || made === undefined) return after;
  const { front = [] } = split(after);
  const lines = [...made].map(([key, section]) =>
    changed.includes(key) ? section : (kept.get(key) ?? section),
  );
  const [first] = front;
  const last = front.at(-1);
  if (first === undefined || last === undefined) return after;
  const end = last.from + last.text.length;
  return after.slice(0, first.from) + lines.join('').slice(0, -1) + after.slice(end);
}

/**
 * The text of a prompt with another model, or with other parameters of its model. All else stays as
 * it is written, comments as well. Errors: ValidationError, when there is no way to write that.
 */
export function textWithModel(text: string, wanted: ModelChange, t: Translate): string {
  const refuse = (cause?: unknown): ValidationError =>
    new ValidationError(t("The parameters can't be written into the front matter."), {
      hint: t('Change them in the document.'),
      cause,
    });
  const before = readText(text, t).draft;
  const { front } = split(text);
  const [first] = front ?? [];
  const last = front?.at(-1);
  if (before === undefined || first === undefined || last === undefined) throw refuse();
  const lines = (front ?? []).map((line) => `${line.text}\n`).join('');
  let written: string;
  try {
    const document = parseDocument(lines, frontOptions);
    change(document, wanted, before.metadata);
    written = frontText(document);
  } catch (error) {
    // An alias, or a text where a map is to be.
    throw refuse(error);
  }
  const whole = text.slice(0, first.from) + written + text.slice(last.from + last.text.length);
  const isOfTools = wanted.tools !== undefined || wanted.toolChoice !== undefined;
  const changed = ['model', 'response_format', ...(isOfTools ? ofTools : [])];
  const lean = keepingLines(text, whole, changed, t);
  const result = text.includes('\r\n') ? lean.replaceAll(/\r?\n/g, '\r\n') : lean;
  const draft = readText(result, t).draft;
  const model = draft?.metadata['model'];
  const parameters = isMapping(model) ? model['parameters'] : undefined;
  const isThere = Object.entries(wanted.parameters).every(
    ([name, value]) =>
      isMapping(parameters) && stringifyJson(parameters[name] ?? null) === stringifyJson(value),
  );
  if (!isThere || !hasTools(draft?.template, wanted)) throw refuse();
  return result;
}
