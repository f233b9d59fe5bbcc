import { isDeepStrictEqual } from 'node:util';
import { parseJson, plainNumbers } from '../../core/http/json.ts';
import { toolChoicesOf } from '../../core/kwargs/tool-choices.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping, mappings } from '../../core/mapping.ts';
import type { ToolChoice } from '../../core/providers/template-parts.ts';
import { functionToolsOf, toolChoiceOf } from '../../core/providers/template-parts.ts';
import type {
  ModelName,
  ParameterFault,
  ParameterField,
  ParameterText,
} from '../../protocol/run.ts';
import type { Translate } from '../shell/translate.ts';
import type { checkAnswer } from './answer-schema.ts';
import { jsonText } from './parameters.ts';

export const toolsName = 'tools';
export const choiceName = 'tool_choice';
const mostTools = 128;
const longestName = 64;

type Prompt = Readonly<Record<string, unknown>> & { readonly type: string };

/** What a run takes in the place of the prompt's own. */
export interface ChangedTools {
  readonly tools?: readonly unknown[];
  readonly toolChoice?: string | Mapping;
}

const toolsIn = (prompt: Prompt): readonly unknown[] => {
  const tools = mappings(prompt['tools']);
  if (tools.length > 0) return tools;
  return mappings(prompt['functions']).map((made) => ({ type: 'function', function: made }));
};

const choiceText = (choice: ToolChoice | undefined): string => {
  if (choice === undefined) return '';
  return choice.kind === 'function'
    ? choice.name
    : choice.kind === 'any'
      ? 'required'
      : choice.kind;
};

/** What is shown as one text after the other has to come out of it as it was. */
const isPlain = (text: string): boolean => JSON.stringify(JSON.parse(text), null, 2) === text;

/** Fields for the tools of a prompt and for their choice; none of a prompt that can have none. */
export function toolFields(prompt: Prompt, model: ModelName): readonly ParameterField[] {
  if (prompt.type === 'completion') return [];
  const tools = toolsIn(prompt);
  const own = tools.length === 0 ? '' : jsonText(tools);
  const { words, takesName } = toolChoicesOf(model);
  const names = takesName ? functionToolsOf({ type: 'chat', tools }).map(({ name }) => name) : [];
  return [
    { name: toolsName, kind: own === '' || isPlain(own) ? 'tools' : 'json', own },
    {
      ...{ name: choiceName, kind: 'word', own: choiceText(toolChoiceOf(prompt)) },
      words: [...words, ...names],
    },
  ];
}

/** What is wrong with a tool, in words; undefined: nothing. */
function toolFault(tool: unknown, t: Translate, check: typeof checkAnswer): string | undefined {
  if (!isMapping(tool)) return t('must be a JSON object');
  const { type, function: made } = tool;
  if (typeof type !== 'string' || type === '') return t('/type is missing');
  if (type !== 'function') return undefined;
  if (!isMapping(made)) return t('/function must be a JSON object');
  const { name, parameters, description } = made;
  if (typeof name !== 'string' || !/^[\w.:-]+$/.test(name) || name.length > longestName) {
    return t('/function/name must be letters, digits, _ and -, at most {0}', longestName);
  }
  if (description !== undefined && typeof description !== 'string') {
    return t('/function/description must be text');
  }
  if (parameters === undefined) return undefined;
  if (!isMapping(parameters)) return t('/function/parameters must be a JSON schema');
  const { kind, text = '' } = check('{}', plainNumbers(parameters), t);
  return kind === 'unusable'
    ? t("/function/parameters can't be used as a JSON schema: {0}", text)
    : undefined;
}

function readTools(
  text: string,
  t: Translate,
  check: typeof checkAnswer,
): readonly unknown[] | string {
  let tools: unknown;
  try {
    tools = parseJson(text);
  } catch (error) {
    return t("The tools aren't JSON: {0}", error instanceof Error ? error.message : String(error));
  }
  if (!Array.isArray(tools)) return t('Enter a JSON list of tools.');
  if (tools.length > mostTools) return t('At most {0} tools.', mostTools);
  const names = functionToolsOf({ type: 'chat', tools }).map(({ name }) => name);
  for (const [at, tool] of tools.entries()) {
    const fault = toolFault(tool, t, check);
    if (fault !== undefined) return t('Tool {0}: {1}', at + 1, fault);
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  return twice === undefined ? tools : t('Two tools have the name {0}.', twice);
}

function readChoice(
  text: string,
  model: ModelName,
  tools: readonly unknown[],
  t: Translate,
): { readonly choice: string | Mapping } | string {
  const { words, takesName } = toolChoicesOf(model);
  const names = functionToolsOf({ type: 'chat', tools }).map(({ name }) => name);
  const isWord = words.some((word) => word === text);
  if (tools.length === 0) return t('Add a tool first.');
  if (isWord) return { choice: text };
  if (takesName && names.includes(text)) {
    return { choice: { type: 'function', function: { name: text } } };
  }
  return takesName
    ? t('Enter {0}, or the name of a function.', words.join(', '))
    : t('Enter {0}. This provider has no choice of one function.', words.join(', '));
}

/** What was entered for them, checked; the choice also where only the tools have changed. */
export function readToolParameters(
  { prompt, model }: { readonly prompt: Prompt; readonly model: ModelName },
  texts: readonly ParameterText[],
  t: Translate,
  check: typeof checkAnswer,
): { readonly changed: ChangedTools; readonly faults: readonly ParameterFault[] } {
  const entered = (name: string): string =>
    texts.find((one) => one.name === name)?.text.trim() ?? '';
  const faults: ParameterFault[] = [];
  const own = toolsIn(prompt);
  let tools = own;
  const toolsText = entered(toolsName);
  if (toolsText !== '') {
    const read = readTools(toolsText, t, check);
    if (typeof read === 'string') faults.push({ name: toolsName, message: read });
    else tools = read;
  }
  const ownChoice = choiceText(toolChoiceOf(prompt));
  const choiceEntered = entered(choiceName);
  let choice: string | Mapping | undefined;
  // The prompt's own choice may be of a function that was removed; without tools there is none.
  const isChecked = choiceEntered !== '' || (tools !== own && tools.length > 0 && ownChoice !== '');
  if (isChecked && faults.length === 0) {
    const wanted = choiceEntered === '' ? ownChoice : choiceEntered;
    const read = readChoice(wanted, model, tools, t);
    if (typeof read === 'string') faults.push({ name: choiceName, message: read });
    else if (wanted !== ownChoice) choice = read.choice;
  }
  return {
    faults,
    changed: {
      ...(isDeepStrictEqual(tools, own) ? {} : { tools }),
      ...(choice !== undefined && { toolChoice: choice }),
    },
  };
}
