import { checkSendable } from '../http/sendable.ts';
import { PromptTemplate } from '../../api/template.ts';
import { ValidationError } from '../errors.ts';
import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';
import { snakeFields } from '../spelling.ts';
import type { RunOptions } from './options.ts';

/** A prompt that was given instead of fetched. */
export interface GivenBlueprint {
  readonly prompt_template: PromptTemplate;
  readonly metadata: Mapping | undefined;
}

/** Run options in one spelling, checked as far as they would go wrong unnoticed. */
export interface GivenOptions {
  readonly promptName: string;
  readonly version: number | undefined;
  readonly label: string | undefined;
  readonly blueprint: GivenBlueprint | undefined;
  readonly inputVariables: Mapping;
  /** A blueprint without variables is taken as it is. */
  readonly hasVariables: boolean;
  readonly tags: readonly string[] | undefined;
  readonly metadata: Readonly<Record<string, string>> | undefined;
  readonly metadataFilters: Readonly<Record<string, string>> | undefined;
  readonly modelParameterOverrides: Mapping | undefined;
  readonly tools: readonly unknown[] | undefined;
  readonly toolChoice: string | Mapping | undefined;
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly groupId: number | undefined;
  readonly stream: boolean;
  readonly answerCache: boolean;
  readonly repetition: number;
  /** Of a conversation, which goes on from what the provider said, not from what is logged of it. */
  readonly isTurn?: boolean;
}

/** For options that would go wrong unnoticed. */
export function refuse(what: string, hint: string): never {
  throw new ValidationError(
    { kind: 'invalid-argument', doing: 'The prompt was not run', problem: what },
    { hint: { kind: 'argument', words: hint } },
  );
}

/** Null and undefined alike: not given. */
function given<T>(
  value: unknown,
  fits: (value: unknown) => value is T,
  what: string,
  hint: string,
): T | undefined {
  if (value === undefined || value === null) return undefined;
  return fits(value) ? value : refuse(what, hint);
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isWholeNumber = (value: unknown): value is number => Number.isSafeInteger(value);
const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(isText);
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isChoice = (value: unknown): value is string | Mapping => isText(value) || isMapping(value);
const isMappingOfTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isMapping(value) && Object.values(value).every(isText);

/** A content may be a text; what follows knows parts only. */
function withParts(holder: unknown): unknown {
  if (!isMapping(holder) || typeof holder['content'] !== 'string') return holder;
  return { ...holder, content: [{ type: 'text', text: holder['content'] }] };
}

function blueprintOf(given: Mapping | undefined): GivenBlueprint | undefined {
  if (given === undefined) return undefined;
  const { prompt_template: prompt, metadata } = snakeFields(given);
  const read = PromptTemplate.safeParse(withParts(prompt));
  const hint = 'Give { prompt_template, metadata: { model: { provider, name, parameters } } }.';
  if (!read.success || !['chat', 'completion'].includes(read.data.type)) {
    return refuse('promptBlueprint has no prompt_template', hint);
  }
  const { messages, ...rest } = read.data;
  return {
    prompt_template: Array.isArray(messages)
      ? { ...rest, messages: messages.map(withParts) }
      : rest,
    metadata: isMapping(metadata) ? metadata : undefined,
  };
}

/** What goes on to the service or to a provider, some of it after the answer has been paid for. */
const sent = [
  'input_variables',
  'model_parameter_overrides',
  'prompt_blueprint',
  'tools',
  'tool_choice',
  'metadata',
  'metadata_filters',
  'tags',
] as const;

export function givenOptions(options: RunOptions): GivenOptions {
  const fields = snakeFields(options);
  for (const field of sent) checkSendable({ [field]: fields[field] }, "The prompt can't be run");
  const name = fields['prompt_name'];
  if (typeof name !== 'string' || name === '') return refuse('it has no name', 'Give promptName.');
  const text = (field: string, label: string): string | undefined =>
    given(fields[field], isText, `${label} is not a text`, 'Make it a string.');
  const wholeNumber = (field: string, label: string): number | undefined =>
    given(fields[field], isWholeNumber, `${label} is not a whole number`, 'Give an integer.');
  const mapping = (field: string, label: string): Mapping | undefined =>
    given(fields[field], isMapping, `${label} is not a plain object`, 'Give an object of values.');
  const texts = (field: string, label: string): Readonly<Record<string, string>> | undefined =>
    given(
      fields[field],
      isMappingOfTexts,
      `${label} is not an object of strings`,
      'Make every value a string.',
    );
  const metadata = texts('metadata', 'metadata');
  const version = wholeNumber('prompt_version', 'promptVersion');
  const variables = mapping('input_variables', 'inputVariables');
  const blueprint = blueprintOf(mapping('prompt_blueprint', 'promptBlueprint'));
  const label = text('prompt_release_label', 'promptReleaseLabel');
  // Only a label has variants; without one, filters would only keep the cache from being used.
  const filters = Object.hasOwn(fields, 'metadata_filters')
    ? texts('metadata_filters', 'metadataFilters')
    : label === undefined
      ? undefined
      : metadata;
  if (blueprint !== undefined && (version !== undefined || label !== undefined)) {
    refuse('it has both a blueprint and a version', 'Leave one of them out.');
  }
  return {
    promptName: name,
    version,
    label,
    blueprint,
    inputVariables: variables ?? {},
    hasVariables: variables !== undefined,
    tags: given(fields['tags'], areTexts, 'tags are not a list of strings', 'Give an array.'),
    metadata,
    metadataFilters: filters,
    modelParameterOverrides: mapping('model_parameter_overrides', 'modelParameterOverrides'),
    tools: given(fields['tools'], isList, 'tools are not a list', 'Give an array.'),
    toolChoice: given(
      fields['tool_choice'],
      isChoice,
      'toolChoice is neither a string nor an object',
      'Give a string.',
    ),
    provider: text('provider', 'provider'),
    model: text('model', 'model'),
    groupId: wholeNumber('group_id', 'groupId'),
    stream: fields['stream'] === true,
    answerCache: fields['answer_cache'] === true,
    repetition: wholeNumber('repetition', 'repetition') ?? 0,
  };
}
