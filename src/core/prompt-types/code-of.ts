/** Code that asks for a prompt, to be pasted into a program. Keys come from its environment. */
import type { VariableForm } from '../templates/prompt-variables.ts';
import { quoted } from './typescript.ts';

export interface AskedPrompt {
  readonly name: string;
  readonly label?: string | undefined;
  readonly version?: number | undefined;
  readonly variables: readonly { readonly name: string; readonly form: VariableForm }[];
  /** Of a hosted workspace. */
  readonly baseURL?: string | undefined;
}

export const codeKinds = ['client', 'promptlayer', 'python', 'curl'] as const;
export type CodeKind = (typeof codeKinds)[number];

/** Single quotes, as most code of TypeScript has them. */
const single = (text: string): string =>
  `'${quoted(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : single(name));

function scriptCall({ name, label, version, variables }: AskedPrompt): readonly string[] {
  const values = variables.map(
    (variable) => `    ${keyOf(variable.name)}: ${variable.form === 'text' ? "''" : '[]'},`,
  );
  return [
    'const result = await client.run({',
    `  promptName: ${single(name)},`,
    ...(label === undefined ? [] : [`  promptReleaseLabel: ${single(label)},`]),
    ...(version === undefined ? [] : [`  promptVersion: ${String(version)},`]),
    ...(values.length === 0 ? [] : ['  inputVariables: {', ...values, '  },']),
    '});',
  ];
}

function pythonCall({ name, label, version, variables }: AskedPrompt): readonly string[] {
  const values = variables.map(
    (variable) => `        ${quoted(variable.name)}: ${variable.form === 'text' ? '""' : '[]'},`,
  );
  return [
    'result = client.run(',
    `    prompt_name=${quoted(name)},`,
    ...(label === undefined ? [] : [`    prompt_release_label=${quoted(label)},`]),
    ...(version === undefined ? [] : [`    prompt_version=${String(version)},`]),
    ...(values.length === 0 ? [] : ['    input_variables={', ...values, '    },']),
    ')',
  ];
}

const forShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The API gives the prompt with its variables filled in; the clients ask the model. */
function curl({ name, label, version, variables, baseURL = '' }: AskedPrompt): readonly string[] {
  const values = variables.map((each) => [each.name, each.form === 'text' ? '' : []] as const);
  const body = { label, version, input_variables: Object.fromEntries(values) };
  const address = `${baseURL.replace(/\/+$/, '')}/prompt-templates/${encodeURIComponent(name)}`;
  return [
    `curl ${forShell(address)} \\`,
    '  -H "X-API-KEY: $PROMPTLAYER_API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  --data ${forShell(JSON.stringify(body))}`,
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
