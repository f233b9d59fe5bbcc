import * as vscode from 'vscode';
import type { ToolAnswer } from '../../core/assistant/call.ts';
import { callTool, failedAnswer, planTool } from '../../core/assistant/call.ts';
import type { ToolName } from '../../core/assistant/names.ts';
import type { Plan, Tool, ToolContext } from '../../core/assistant/tool.ts';
import { toolNamed } from '../../core/assistant/tools.ts';
import { isCancellation } from '../../core/errors.ts';
import type { App } from '../shell/app.ts';
import { withSignal } from '../shell/cancellation.ts';
import { questionOf } from './question.ts';
import { plainSentence } from '../shell/plain-text.ts';
import { PlainMarkdown, showWarningMessage } from '../shell/shown.ts';

async function confirm(plan: Plan): Promise<boolean> {
  const { title, lines, action } = questionOf(plan);
  const detail = lines.join('\n');
  return (await showWarningMessage(title, { modal: true, detail }, action)) === action;
}

const toolContextOf = ({
  connections,
  changes,
  usesInCode,
  signal: appSignal,
}: App): ToolContext => ({
  workspaces: connections.all.map((connection) => ({
    id: connection.id,
    name: connection.name,
    address: connection.kind === 'local' ? vscode.l10n.t('on this machine') : connection.baseURL,
  })),
  currentId: connections.current?.id,
  client: (id, { signal }) => connections.client(id, signal && { signal }),
  findInCode: (signal = appSignal) => usesInCode.places(signal),
  confirm,
  started: (connectionId, ref, operationId) =>
    changes.tell({ ...ref, connectionId, what: 'operation', operationId }),
});

function known(name: ToolName): Tool {
  const tool = toolNamed(name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
}

/** An error is what tells a model that its call has failed; its text says what to do next. */
function failed(app: App, { text }: ToolAnswer, name: ToolName): Error {
  app.log.warn(`The tool ${name} failed: ${text}`);
  return new Error(text);
}

/** The question to the user before a tool that changes or costs something. */
export async function prepareTool(
  app: App,
  name: ToolName,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.PreparedToolInvocation | undefined> {
  const plan = await withSignal(
    token,
    async (signal) => {
      try {
        return await planTool(known(name), toolContextOf(app), input, { signal });
      } catch (error) {
        if (isCancellation(error)) throw new vscode.CancellationError();
        throw failed(app, failedAnswer(error), name);
      }
    },
    app.signal,
  );
  if (plan === undefined) return undefined;
  const { title, lines } = questionOf(plan);
  const message = new PlainMarkdown();
  for (const line of lines) message.text(line).paragraph();
  return { confirmationMessages: { title: plainSentence(title), message: message.value } };
}

export async function invokeTool(
  app: App,
  name: ToolName,
  options: vscode.LanguageModelToolInvocationOptions<unknown>,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const tokenBudget = options.tokenizationOptions?.tokenBudget;
  const answer = await withSignal(
    token,
    async (signal) => {
      try {
        const callOptions = { signal, tokenBudget };
        return await callTool(known(name), toolContextOf(app), options.input, callOptions);
      } catch (error) {
        if (isCancellation(error)) throw new vscode.CancellationError();
        throw error;
      }
    },
    app.signal,
  );
  if (answer.isError) throw failed(app, answer, name);
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(answer.text)]);
}
