import * as vscode from 'vscode';
import { CancelledError, ConfigurationError, ValidationError } from '../../../core/errors.ts';
import type { Mapping } from '../../../core/mapping.ts';
import { isMapping } from '../../../core/mapping.ts';
import { cancellationOf } from '../../shell/cancellation.ts';
import { showQuickPick } from '../../shell/questions.ts';
import type { AskedCall } from './chat-session.ts';

const t = vscode.l10n.t;

/** Asks for a tool that VS Code or one of its extensions and MCP servers has. Errors: CancelledError. */
export async function askEditorTool(title: string, wanted: string): Promise<string> {
  const tools = vscode.lm.tools;
  if (tools.length === 0) {
    throw new ConfigurationError(t('VS Code has no tools yet.'), {
      hint: t('Install an extension that provides tools, or add an MCP server to VS Code.'),
    });
  }
  const isWanted = ({ name }: { readonly name: string }): boolean =>
    name === wanted || name.endsWith(`_${wanted}`);
  const items = tools
    .toSorted((a, b) => Number(isWanted(b)) - Number(isWanted(a)) || (a.name < b.name ? -1 : 1))
    .map(({ name, description }) => ({ label: name, detail: description }));
  const placeHolder = t('Tool of VS Code');
  const picked = await showQuickPick(items, { title, placeHolder });
  if (picked === undefined) throw new CancelledError('The choice was dismissed.');
  return picked.label;
}

const textOf = (part: unknown): string => {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return JSON.stringify(part.value);
  // Pictures and the like, which no tool message of every provider can hold.
  throw new ValidationError(t('The tool answered something other than text.'));
};

/** What the tool answers, as text. */
export async function callEditorTool(
  name: string,
  { arguments: given }: AskedCall,
  signal: AbortSignal,
): Promise<string> {
  const input = inputOf(given);
  const source = cancellationOf(signal);
  try {
    const { content } = await vscode.lm.invokeTool(
      name,
      { input, toolInvocationToken: undefined },
      source.token,
    );
    signal.throwIfAborted();
    return content.map(textOf).join('\n');
  } finally {
    source.dispose();
  }
}

/** The arguments of a call, as a tool takes them. */
export function inputOf(text: string): Mapping {
  let input: unknown;
  try {
    input = text.trim() === '' ? {} : JSON.parse(text);
  } catch (cause) {
    throw new ValidationError(t("The arguments aren't a JSON object."), { cause });
  }
  if (isMapping(input)) return input;
  throw new ValidationError(t("The arguments aren't a JSON object."));
}
