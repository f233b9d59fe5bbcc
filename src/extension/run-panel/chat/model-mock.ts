import * as vscode from 'vscode';
import type { Client, ConversationState } from '../../../core/index.ts';
import { ValidationError } from '../../../core/errors.ts';
import { isMapping, listOf } from '../../../core/mapping.ts';
import { joinedText } from '../../../core/providers/template-parts.ts';
import type { ModelName } from '../../../protocol/run.ts';
import type { AskedCall } from './chat-session.ts';
import { resultSchemaOf, toolsOf } from './tool-schema.ts';

interface Mock {
  readonly model: ModelName;
  readonly scenario: string;
  readonly state: ConversationState | undefined;
}

const say = (role: string, text: string): object => ({
  role,
  content: [{ type: 'text', text }],
});

/** The block of code that models like to wrap JSON in. */
const unwrapped = (text: string): string =>
  /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text.trim();

/**
 * Has a model answer in the place of a tool. The request is logged in the group of the conversation.
 * Errors: those of a run, and ValidationError for an answer that says nothing.
 */
export async function makeMock(
  client: Client,
  call: AskedCall,
  { model, scenario, state }: Mock,
  signal: AbortSignal,
): Promise<string> {
  const prompt = state?.prompt ?? null;
  const tool = prompt === null ? undefined : toolsOf(prompt).find(({ name }) => name === call.name);
  const schema = prompt === null ? undefined : resultSchemaOf(prompt, call.name);
  const lines = [
    `You act as the tool "${call.name}" in a test. Reply with nothing but what the tool returns.`,
    ...(tool?.description ? [`What the tool does: ${tool.description}`] : []),
    schema === undefined
      ? 'Return JSON that such a tool would plausibly return.'
      : `Return JSON that matches this schema: ${JSON.stringify(schema)}`,
    ...(scenario.trim() === '' ? [] : [`What is true in this test: ${scenario}`]),
  ];
  const { provider, name } = model;
  const { prompt_blueprint: blueprint } = await client.run(
    {
      promptName: `mock of ${call.name}`,
      promptBlueprint: {
        prompt_template: {
          type: 'chat',
          messages: [say('system', lines.join('\n')), say('user', call.arguments || '{}')],
        },
        metadata: { model: { provider, name, parameters: {} } },
      },
      tags: ['tool-mock'],
      ...(typeof state?.groupId === 'number' && { groupId: state.groupId }),
    },
    { signal },
  );
  const made = blueprint['prompt_template'];
  const last = isMapping(made) ? listOf(made['messages']).at(-1) : undefined;
  const text = unwrapped(isMapping(last) ? joinedText(last['content']) : '');
  if (text === '') throw new ValidationError(vscode.l10n.t('The model returned nothing.'));
  return text;
}
