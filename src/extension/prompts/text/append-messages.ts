import { ValidationError } from '../../../core/errors.ts';
import type { Mapping } from '../../../core/mapping.ts';
import { isMapping, mappings, textOf } from '../../../core/mapping.ts';
import { fStringVariables } from '../../../core/templates/f-string.ts';
import { referencesOf } from '../../../core/templates/snippet-references.ts';
import type { Translate } from '../../shell/translate.ts';
import { readText } from './read.ts';
import { messagesText } from './write.ts';

/** Nothing in it is read as a variable or a tag. */
const isPlain = (text: string, format: string): boolean =>
  format === 'f-string' ? fStringVariables(text).length === 0 : !/\{[{%#]/.test(text);

/** A message as it was said: what looks like a variable in it is none. */
function asSaid(message: Mapping, format: string, t: Translate): Mapping {
  const { role, name, tool_call_id, tool_calls } = message;
  const content = mappings(message['content']).filter(({ type }) => type !== 'thinking');
  const texts = content.map((part) => (part['type'] === 'text' ? textOf(part['text']) : ''));
  const said = texts.join('\n');
  const isAsItIs = texts.every((text) => isPlain(text, format));
  if (referencesOf(message).length > 0 || (!isAsItIs && /\{%[-+]?\s*endraw/.test(said))) {
    throw new ValidationError(
      t('The conversation has text that a prompt would replace, such as a snippet.'),
      { hint: t('Add the messages to the prompt yourself.') },
    );
  }
  const raw = (part: Mapping): Mapping =>
    part['type'] === 'text'
      ? { ...part, text: `{% raw %}${textOf(part['text'])}{% endraw %}` }
      : part;
  return {
    role,
    template_format: isAsItIs ? format : 'jinja2',
    input_variables: [],
    ...(name !== undefined && { name }),
    ...(tool_call_id !== undefined && { tool_call_id }),
    content: isAsItIs ? content : content.map(raw),
    ...(mappings(tool_calls).length > 0 && { tool_calls }),
  };
}

/** The text of a prompt with more messages at its end; what is there stays as it is written. */
export function textWithMessages(text: string, messages: readonly unknown[], t: Translate): string {
  const { front, draft } = readText(text, t);
  if (draft === undefined || draft.template.type !== 'chat') {
    throw new ValidationError(t('The document has no messages that others could follow.'));
  }
  const format = front?.template_format ?? 'f-string';
  const said = messages.filter(isMapping).map((message) => asSaid(message, format, t));
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const added = messagesText(said, format).replaceAll(/\r?\n/g, end);
  return `${text.trimEnd()}${end}${end}${added}`;
}
