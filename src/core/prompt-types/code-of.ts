/** Code that asks for a prompt, to be pasted into a program. Keys come from its environment. */
import { ExactNumber } from '../../api/exact-number.ts';
import { stringifyJson } from '../http/json.ts';
import { isMapping } from '../mapping.ts';
import type { VariableForm } from '../templates/prompt-variables.ts';
import { quoted } from './typescript.ts';

export interface AskedVariable {
  readonly name: string;
  readonly form: VariableForm;
  /** Undefined: whoever uses the code puts one in. */
  readonly given?: { readonly value: unknown } | undefined;
}

export interface AskedPrompt {
  readonly name: string;
  readonly label?: string | undefined;
  readonly version?: number | undefined;
  readonly variables: readonly AskedVariable[];
  /** In the place of the prompt's own. */
  readonly model?: { readonly provider: string; readonly name: string } | undefined;
  /** Of a hosted workspace. */
  readonly baseURL?: string | undefined;
}

export const codeKinds = ['client', 'promptlayer', 'python', 'curl'] as const;
export type CodeKind = (typeof codeKinds)[number];

/** Single quotes, as most code of TypeScript has them. */
const single = (text: string): string =>
  `'${quoted(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

function keyOf(name: string): string {
  // Without brackets it would not be a key.
  if (name === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : single(name);
}

const valueOf = ({ form, given }: AskedVariable): unknown =>
  given === undefined ? (form === 'text' ? '' : []) : given.value;

/** JSON as a literal. A number that JavaScript can't hold is a text, which has its digits. */
function scriptValue(value: unknown): string {
  if (typeof value === 'string') return single(value);
  if (value instanceof ExactNumber) return single(value.text);
  if (Array.isArray(value)) return `[${value.map(scriptValue).join(', ')}]`;
  if (!isMapping(value)) return String(value);
  const entries = Object.entries(value).map(([key, each]) => `${keyOf(key)}: ${scriptValue(each)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function pythonValue(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (!isMapping(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, each]) => `${quoted(key)}: ${pythonValue(each)}`,
  );
  return `{${entries.join(', ')}}`;
}

function scriptCall({ name, label, version, variables, model }: AskedPrompt): readonly string[] {
  const values = variables.map(
    (variable) => `    ${keyOf(variable.name)}: ${scriptValue(valueOf(variable))},`,
  );
  return [
    'const result = await client.run({',
    `  promptName: ${single(name)},`,
    ...(label === undefined ? [] : [`  promptReleaseLabel: ${single(label)},`]),
    ...(version === undefined ? [] : [`  promptVersion: ${String(version)},`]),
    ...(values.length === 0 ? [] : ['  inputVariables: {', ...values, '  },']),
    ...(model === undefined
      ? []
      : [`  provider: ${single(model.provider)},`, `  model: ${single(model.name)},`]),
    '});',
  ];
}

function pythonCall({ name, label, version, variables, model }: AskedPrompt): readonly string[] {
  const values = variables.map(
    (variable) => `        ${quoted(variable.name)}: ${pythonValue(valueOf(variable))},`,
  );
  return [
    'result = client.run(',
    `    prompt_name=${quoted(name)},`,
    ...(label === undefined ? [] : [`    prompt_release_label=${quoted(label)},`]),
    ...(version === undefined ? [] : [`    prompt_version=${String(version)},`]),
    ...(values.length === 0 ? [] : ['    input_variables={', ...values, '    },']),
    ...(model === undefined
      ? []
      : [`    provider=${quoted(model.provider)},`, `    model=${quoted(model.name)},`]),
    ')',
  ];
}

const forShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The API gives the prompt with its variables filled in; the clients ask the model. */
function curl({
  name,
  label,
  version,
  variables,
  model,
  baseURL = '',
}: AskedPrompt): readonly string[] {
  const values = variables.map((each) => [each.name, valueOf(each)] as const);
  const body = {
    ...{ label, version, input_variables: Object.fromEntries(values) },
    ...(model !== undefined && { provider: model.provider, model: model.name }),
  };
  const address = `${baseURL.replace(/\/+$/, '')}/prompt-templates/${encodeURIComponent(name)}`;
  return [
    `curl ${forShell(address)} \\`,
    '  -H "X-API-KEY: $PROMPTLAYER_API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  --data ${forShell(stringifyJson(body))}`,
  ];
}

/** The clients themselves read `PROMPTLAYER_API_KEY`, ours `PROMPTLAYER_BASE_URL` too. */
export function codeOf(kind: CodeKind, prompt: AskedPrompt): string {
  const lines = {
    client: () => [
      "import { Client } from 'prompt-tables-sdk';",
      '',
      'const client = new Client();',
      ...scriptCall(prompt),
    ],
    promptlayer: () => [
      "import { PromptLayer } from 'promptlayer';",
      '',
      'const client = new PromptLayer({ apiKey: process.env.PROMPTLAYER_API_KEY });',
      ...scriptCall(prompt),
    ],
    python: () => [
      'from promptlayer import PromptLayer',
      '',
      'client = PromptLayer()',
      ...pythonCall(prompt),
    ],
    curl: () => curl(prompt),
  }[kind]();
  return `${lines.join('\n')}\n`;
}
