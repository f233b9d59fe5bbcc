/** What code has to know of prompts, out of what a service says of them. */
import type { Template } from '../../api/template.ts';
import { isMapping, listOf } from '../../core/mapping.ts';
import { promptTypeOf } from '../../core/prompt-types/read.ts';
import { promptVariables } from '../../core/templates/prompt-variables.ts';
import { variablesOf as usedIn } from '../../core/templates/template-variables.ts';
import { modelOf } from '../ask/pick-prompt.ts';
import type { PromptVariable, VersionInfo } from './known.ts';

const longestMessages = 4000;

function textOf(holder: unknown): string {
  if (!isMapping(holder)) return '';
  const { content } = holder;
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => (isMapping(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .filter((text) => text !== '')
    .join('\n');
}

function variablesIn(template: Template): readonly PromptVariable[] {
  const { prompt_template: prompt } = template;
  const holders = [...listOf(prompt['messages']), prompt];
  const isJinja = holders.some(
    (holder) => isMapping(holder) && holder['template_format'] === 'jinja2',
  );
  const found = promptVariables(template).map(({ name, form }): PromptVariable => {
    const takes = form === 'text' || form === 'media' ? form : 'list';
    return { name, takes, isOptional: isJinja || form !== 'text' };
  });
  const declared = new Set(found.map(({ name }) => name));
  // Some that are used may not be declared.
  const others = [...new Set(holders.flatMap(usedIn))].filter((name) => !declared.has(name));
  const asText = (name: string): PromptVariable => ({ name, takes: 'text', isOptional: true });
  return [...found, ...others.map(asText)];
}

export function ofTemplate(template: Template): VersionInfo {
  const { prompt_template: prompt } = template;
  const messages = listOf(prompt['messages']);
  const texts = (messages.length > 0 ? messages : [prompt]).map((message) => {
    const role = isMapping(message) && typeof message['role'] === 'string' ? message['role'] : '';
    return { role, text: textOf(message).slice(0, longestMessages) };
  });
  return {
    what: 'prompt',
    id: template.id,
    name: template.prompt_name,
    version: template.version ?? undefined,
    model: modelOf(template),
    variables: variablesIn(template),
    hasAllVariables: true,
    messages: texts.slice(0, 20),
    type: promptTypeOf(template, []),
  };
}
