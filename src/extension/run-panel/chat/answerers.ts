import * as vscode from 'vscode';
import type { ConversationState } from '../../../core/index.ts';
import { CancelledError, ValidationError } from '../../../core/errors.ts';
import { shortened } from '../../../core/shortened.ts';
import type { ToolSource } from '../../../protocol/chat.ts';
import type { ModelName } from '../../../protocol/run.ts';
import type { App } from '../../shell/app.ts';
import { showInputBox, showQuickPick } from '../../shell/questions.ts';
import { showWarningMessage } from '../../shell/shown.ts';
import { askModel } from '../ask-model.ts';
import type { PanelPrompt } from '../panel-prompt.ts';
import type { AskedCall } from './chat-session.ts';
import { askEditorTool, callEditorTool, inputOf } from './editor-tool.ts';
import { McpCalls } from './mcp-calls.ts';
import type { McpTool } from './mcp-tool.ts';
import { askMcpTool } from './mcp-tool.ts';
import { makeMock } from './model-mock.ts';
import { longestMock, ToolMocks } from './tool-mocks.ts';
import { resultSchemaOf } from './tool-schema.ts';

const t = vscode.l10n.t;

/** How calls of a tool are answered, as it was chosen last. */
type Plan =
  | { readonly source: 'mock'; readonly text: string }
  | { readonly source: 'model'; readonly model: ModelName; readonly scenario: string }
  | { readonly source: 'editor'; readonly tool: string }
  | ({ readonly source: 'mcp' } & McpTool);

type State = ConversationState | undefined;

interface ChosenSource {
  readonly source: Exclude<ToolSource, 'hand'>;
  readonly isAlways: boolean;
}

const longestShown = 2000;

function questionOf({ name }: AskedCall, plan: Plan): string {
  switch (plan.source) {
    case 'mock':
      return t('Answer the call of {0} with the mock?', name);
    case 'model':
      return t('Have {0} answer the call of {1}?', plan.model.name, name);
    case 'editor':
      return t('Call the tool {0} of VS Code?', plan.tool);
    case 'mcp':
      return t('Call the tool {0} of the MCP server {1}?', plan.tool, plan.id);
  }
}

/** Who answers calls of tools in the place of the person: asked first, and never over windows. */
export class Answerers {
  readonly #app: App;
  readonly #prompt: PanelPrompt;
  readonly #mocks: ToolMocks;
  readonly #plans = new Map<string, Plan>();
  readonly #mcp = new McpCalls(t);

  constructor(app: App, prompt: PanelPrompt) {
    this.#app = app;
    this.#prompt = prompt;
    this.#mocks = new ToolMocks(app.context.workspaceState);
  }

  /** Another conversation begins, or none does: MCP servers that were started end. */
  forget(): void {
    this.#plans.clear();
    this.#mcp.close().catch((error: unknown) => {
      this.#app.errors.note(error, 'Ending an MCP server');
    });
  }

  /** Throws what is wrong with a result, if the tool says what it answers. */
  async checkResult(state: State, name: string, text: string): Promise<void> {
    const prompt = state?.prompt ?? null;
    const schema = prompt === null ? undefined : resultSchemaOf(prompt, name);
    if (schema === undefined) return;
    const { checkAnswer } = await import('../answer-schema.ts');
    const { kind, text: why = '' } = checkAnswer(text, schema, t);
    if (kind === 'notJson') {
      throw new ValidationError(t("The result isn't JSON: {0}", why), {
        hint: t('{0} answers JSON.', name),
      });
    }
    if (kind === 'differs') {
      throw new ValidationError(t("The result doesn't match the schema of {0}: {1}", name, why));
    }
  }

  /** Asks who answers a call, and whether they may. Errors: CancelledError. */
  async choose(call: AskedCall, state: State): Promise<ChosenSource> {
    const title = t('Answer {0} with', call.name);
    const kept = this.#mocks.of(this.#prompt.owner, call.name);
    const items: (vscode.QuickPickItem & { readonly plan: () => Promise<Plan> })[] = [
      {
        label: t('Fixed mock'),
        description: kept?.text ?? '',
        plan: () => this.#mock(call, state),
      },
      {
        label: t('Mock made by a model'),
        description: kept?.scenario ?? '',
        plan: () => this.#modelMock(call),
      },
      {
        label: t('Tool of VS Code'),
        description: t('also those of its MCP servers'),
        plan: async () => ({ source: 'editor', tool: await askEditorTool(title, call.name) }),
      },
      {
        label: t('MCP server…'),
        description: t('of the setting promptTables.mcpServers'),
        plan: async () => ({
          ...{ source: 'mcp' },
          ...(await askMcpTool(this.#app, this.#mcp, { title, wanted: call.name })),
        }),
      },
    ];
    const placeHolder = t('Who answers this call?');
    const picked = await showQuickPick(items, { title, placeHolder });
    if (picked === undefined) throw new CancelledError('The choice was dismissed.');
    const plan = await picked.plan();
    const isAlways = await this.#mayAnswer(call, plan);
    this.#plans.set(call.name, plan);
    return { source: plan.source, isAlways };
  }

  /** Answers a call as it was chosen. */
  async answer(
    call: AskedCall,
    source: Exclude<ToolSource, 'hand'>,
    state: State,
    signal: AbortSignal,
  ): Promise<string> {
    const plan = this.#plans.get(call.name);
    if (plan === undefined || plan.source !== source) {
      throw new ValidationError(t('Select who answers {0} first.', call.name));
    }
    switch (plan.source) {
      case 'mock':
        return plan.text;
      case 'model': {
        const { connectionId } = this.#prompt.page;
        const client = await this.#app.connections.client(connectionId, { signal });
        const text = await makeMock(client, call, { ...plan, state }, signal);
        await this.checkResult(state, call.name, text);
        return text;
      }
      case 'editor':
        return callEditorTool(plan.tool, call, signal);
      case 'mcp': {
        const text = await this.#mcp.call(plan, inputOf(call.arguments), signal);
        await this.checkResult(state, call.name, text);
        return text;
      }
    }
  }

  async #mock({ name }: AskedCall, state: State): Promise<Plan> {
    const { owner } = this.#prompt;
    const text = await showInputBox({
      title: t('Mock of {0}', name),
      prompt: t('What the tool answers, kept for this prompt and tool'),
      value: this.#mocks.of(owner, name)?.text ?? '',
      validateInput: async (value) => {
        if (value.length > longestMock) return t('At most {0} characters.', longestMock);
        try {
          await this.checkResult(state, name, value);
          return undefined;
        } catch (error) {
          return error instanceof Error ? error.message : String(error);
        }
      },
    });
    if (text === undefined) throw new CancelledError('The question was dismissed.');
    await this.#mocks.keep(owner, name, { text });
    return { source: 'mock', text };
  }

  async #modelMock({ name }: AskedCall): Promise<Plan> {
    const { owner } = this.#prompt;
    const scenario = await showInputBox({
      title: t('Scenario for {0}', name),
      prompt: t('What the tool finds, in a sentence, such as: delivered 47 days ago'),
      value: this.#mocks.of(owner, name)?.scenario ?? '',
      validateInput: (value) =>
        value.length > longestMock ? t('At most {0} characters.', longestMock) : undefined,
    });
    if (scenario === undefined) throw new CancelledError('The question was dismissed.');
    const title = t('Model that makes the mock of {0}', name);
    const { connectionId } = this.#prompt.page;
    const model = await askModel(this.#app, { title, connectionId });
    await this.#mocks.keep(owner, name, { scenario });
    return { source: 'model', model, scenario };
  }

  /** Whether the answer may be given, and without a question from now on. */
  async #mayAnswer(call: AskedCall, plan: Plan): Promise<boolean> {
    const always = t('Always in This Conversation');
    const answer = t('Answer');
    const question = questionOf(call, plan);
    const cost =
      plan.source === 'model'
        ? [t('This is a request of its own to the model, which costs as much as one short answer.')]
        : [];
    const detail = [
      ...cost,
      ...(call.misfit === undefined ? [] : [call.misfit]),
      t('Arguments: {0}', shortened(call.arguments, longestShown)),
    ].join('\n\n');
    const chosen = await showWarningMessage(question, { modal: true, detail }, answer, always);
    if (chosen !== answer && chosen !== always) {
      throw new CancelledError('The question was dismissed.');
    }
    return chosen === always;
  }
}
