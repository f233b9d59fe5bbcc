import * as vscode from 'vscode';
import { ProviderError } from '../../core/providers/provider-error.ts';
import type { Mapping } from '../../core/mapping.ts';
import { cancellationOf } from '../shell/cancellation.ts';
import type { Part, Turn } from './chat.ts';
import { chatOf, UnsentPart } from './chat.ts';
import { findEditorModel, vscodeProvider } from './models.ts';

const t = vscode.l10n.t;

const refused = (
  message: string,
  hint: string,
  facts: Partial<ConstructorParameters<typeof ProviderError>[1]> = {},
): ProviderError => new ProviderError(message, { provider: vscodeProvider, hint, ...facts });

const noSuchModel = (name: string, cause?: unknown): ProviderError =>
  refused(
    t('VS Code has no language model {0}.', name),
    t('Select another model, or sign in to the extension that provides it.'),
    { cause },
  );

/** What VS Code or the extension of the model says, in a sentence with the next step. */
function explained(error: unknown, name: string): unknown {
  if (!(error instanceof vscode.LanguageModelError)) return error;
  const { code, message, cause } = error;
  const words = message.trim() || (cause instanceof Error ? cause.message : code);
  switch (code) {
    case vscode.LanguageModelError.NotFound.name:
      return noSuchModel(name, error);
    case vscode.LanguageModelError.NoPermissions.name:
      return refused(
        t("Prompt Tables isn't allowed to use {0}.", name),
        t('Run it again and select Allow, or select another model.'),
        { errorType: 'PROVIDER_AUTH_ERROR', cause: error },
      );
    case vscode.LanguageModelError.Blocked.name:
      return refused(
        t('{0} takes no more requests for now: {1}', name, words),
        t('Wait until your plan allows more, or select another model.'),
        { errorType: 'PROVIDER_QUOTA_LIMIT', cause: error },
      );
    default:
      return refused(
        t('{0} could not answer: {1}', name, words),
        t('Run it again, or select another model.'),
        { cause: error },
      );
  }
}

function unsent({ kind, what }: UnsentPart): ProviderError {
  switch (kind) {
    case 'image-address':
      return refused(
        t('Models of VS Code take images as data, not by their address.'),
        t('Select a file for the variable, or select another model.'),
      );
    case 'tool':
      return refused(
        t('Models of VS Code have no tool {0} of their own.', what),
        t('Remove the tool from the prompt, or select another model.'),
      );
    case 'arguments':
      return refused(
        t("The arguments of the call of {0} in the prompt aren't an object.", what),
        t('Correct the message in the prompt.'),
      );
    case 'content':
      return refused(
        t('Models of VS Code take text and images, not {0}.', what),
        t('Select another model.'),
      );
  }
}

function vscodePart(part: Part): vscode.LanguageModelInputPart {
  switch (part.kind) {
    case 'text':
      return new vscode.LanguageModelTextPart(part.text);
    case 'image':
      return vscode.LanguageModelDataPart.image(part.bytes, part.mime);
    case 'call':
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
    case 'result':
      return new vscode.LanguageModelToolResultPart(part.id, [
        new vscode.LanguageModelTextPart(part.text),
      ]);
  }
}

const messageOf = ({ role, parts }: Turn): vscode.LanguageModelChatMessage =>
  new vscode.LanguageModelChatMessage(
    role === 'assistant'
      ? vscode.LanguageModelChatMessageRole.Assistant
      : vscode.LanguageModelChatMessageRole.User,
    parts.map(vscodePart),
  );

/** Counted by the model's own extension, never billed by; undefined: it does not count. */
async function counted(
  model: vscode.LanguageModelChat,
  texts: readonly (string | vscode.LanguageModelChatMessage)[],
  token: vscode.CancellationToken,
): Promise<number | undefined> {
  try {
    const counts = await Promise.all(texts.map((text) => model.countTokens(text, token)));
    const sum = counts.reduce((total, count) => total + count, 0);
    return Number.isFinite(sum) ? sum : undefined;
  } catch {
    // The answer is worth more than its length: what isn't known is shown as unknown.
    return undefined;
  }
}

const chunkOf = (model: string, delta: Mapping, reason: string | null = null): Mapping => ({
  object: 'chat.completion.chunk',
  model,
  choices: [{ index: 0, delta, finish_reason: reason }],
});

/** What came, as a difference to what came before; undefined: a part that says nothing to read. */
function deltaOf(part: unknown, calls: number): Mapping | undefined {
  if (part instanceof vscode.LanguageModelTextPart) return { content: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const called = { name: part.name, arguments: JSON.stringify(part.input) };
    return {
      tool_calls: [{ index: calls, id: part.callId, type: 'function', function: called }],
    };
  }
  if (part instanceof vscode.LanguageModelDataPart && part.mimeType.startsWith('image/')) {
    const url = `data:${part.mimeType};base64,${Buffer.from(part.data).toString('base64')}`;
    return { images: [{ type: 'image_url', image_url: { url } }] };
  }
  return undefined;
}

/**
 * Asks a model of VS Code, `vendor/id`: a request of OpenAI's chat API -> chunks of its stream. Asks
 * the user for consent where VS Code does. Tokens are counted by the model's extension and marked
 * `estimated`; what they cost is part of a plan.
 */
export async function* askEditorModel(
  body: Mapping,
  signal: AbortSignal,
): AsyncGenerator<Mapping, void> {
  const name = typeof body['model'] === 'string' ? body['model'] : '';
  const stop = cancellationOf(signal);
  try {
    const { turns, tools, isToolRequired, options } = chatOf(body);
    const model = await findEditorModel(name);
    if (model === undefined) throw noSuchModel(name);
    const messages = turns.map(messageOf);
    const response = await model.sendRequest(
      messages,
      {
        justification: t('Prompt Tables runs the prompt that you have started.'),
        modelOptions: options,
        ...(tools.length > 0 && {
          tools: [...tools],
          toolMode: isToolRequired
            ? vscode.LanguageModelChatToolMode.Required
            : vscode.LanguageModelChatToolMode.Auto,
        }),
      },
      stop.token,
    );
    const input = counted(model, messages, stop.token);
    const said: string[] = [];
    let calls = 0;
    for await (const part of response.stream) {
      const delta = deltaOf(part, calls);
      if (delta === undefined) continue;
      if ('tool_calls' in delta) calls += 1;
      said.push('content' in delta ? String(delta['content']) : JSON.stringify(delta));
      yield chunkOf(name, delta);
    }
    if (signal.aborted) return;
    yield chunkOf(name, {}, calls > 0 ? 'tool_calls' : 'stop');
    const [before, after] = [await input, await counted(model, [said.join('')], stop.token)];
    const usage = { prompt_tokens: before, completion_tokens: after, estimated: true };
    yield { object: 'chat.completion.chunk', model: name, choices: [], usage };
  } catch (error) {
    throw error instanceof UnsentPart ? unsent(error) : explained(error, name);
  } finally {
    stop.dispose();
  }
}
