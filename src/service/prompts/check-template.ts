import type { PromptTemplate } from '../../api/template.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping } from '../../core/mapping.ts';
import type { ValidationDetail } from '../http/problem.ts';
import { ValidationProblem } from '../http/problem.ts';
import { variablesOf } from '../../core/templates/template-variables.ts';

const roles = 'system, user, assistant, developer, tool, function, placeholder';
const formats: readonly unknown[] = ['f-string', 'jinja2'];

type Place = readonly (string | number)[];

/** Collects all that is wrong, so that it can be put right at once. */
class Checker {
  readonly faults: ValidationDetail[] = [];

  refuse(loc: Place, msg: string, type = 'value_error'): void {
    this.faults.push({ loc, msg, type });
  }

  content(loc: Place, content: unknown): unknown {
    if (content === undefined || content === null) return content;
    if (!Array.isArray(content)) {
      this.refuse(
        loc,
        'Give a list of parts, such as [{"type": "text", "text": "..."}].',
        'list_type',
      );
      return content;
    }
    return content.map((part: unknown, at) => {
      if (!isMapping(part)) this.refuse([...loc, at], 'A part is an object.', 'dict_type');
      else if (part['type'] === undefined && typeof part['text'] === 'string') {
        return { type: 'text', ...part };
      } else if (part['type'] === 'text' && typeof part['text'] !== 'string') {
        this.refuse([...loc, at, 'text'], 'A part of type text has a text.', 'string_type');
      }
      return part;
    });
  }

  /** Format and variables are filled in as the service does. */
  texts(loc: Place, holder: Mapping): Mapping {
    const format = holder['template_format'] ?? 'f-string';
    if (!formats.includes(format)) {
      this.refuse([...loc, 'template_format'], 'A format is "f-string" or "jinja2".', 'enum');
    }
    const whole = {
      ...holder,
      ...('content' in holder && { content: this.content([...loc, 'content'], holder['content']) }),
      template_format: format,
    };
    const given = holder['input_variables'];
    const isGiven = Array.isArray(given) && given.length > 0;
    return { ...whole, input_variables: isGiven ? (given as unknown[]) : variablesOf(whole) };
  }

  message(loc: Place, message: unknown): unknown {
    if (!isMapping(message)) {
      this.refuse(loc, 'A message is an object.', 'dict_type');
      return message;
    }
    const { role } = message;
    if (typeof role !== 'string' || !roles.split(', ').includes(role)) {
      this.refuse([...loc, 'role'], `A role is one of ${roles}.`, 'enum');
    }
    if ((role === 'placeholder' || role === 'function') && typeof message['name'] !== 'string') {
      this.refuse([...loc, 'name'], `A message of role ${role} has a name.`, 'missing');
    }
    if (role === 'tool' && typeof message['tool_call_id'] !== 'string') {
      this.refuse([...loc, 'tool_call_id'], 'It names the call that it answers.', 'missing');
    }
    this.#toolCalls([...loc, 'tool_calls'], message['tool_calls']);
    return this.texts(loc, message);
  }

  #toolCalls(loc: Place, calls: unknown): void {
    if (calls === undefined || calls === null) return;
    if (!Array.isArray(calls)) {
      this.refuse(loc, 'Tool calls are a list.', 'list_type');
      return;
    }
    calls.forEach((call: unknown, at) => {
      const made = isMapping(call) ? call['function'] : undefined;
      if (!isMapping(made) || typeof made['name'] !== 'string') {
        this.refuse([...loc, at], 'A tool call has a function with a name.');
      } else if (typeof made['arguments'] !== 'string') {
        this.refuse(
          [...loc, at, 'function', 'arguments'],
          'Arguments are JSON text.',
          'string_type',
        );
      }
    });
  }
}

const variablesOfAll = (messages: readonly unknown[]): string[] => [
  ...new Set(messages.flatMap(variablesOf)),
];

/** A template with its defaults filled in. Throws a 422 that lists all that is wrong with it. */
export function checkTemplate(template: PromptTemplate, loc: Place): PromptTemplate {
  const checker = new Checker();
  let checked: PromptTemplate = template;
  if (template.type === 'completion') {
    checked = { ...checker.texts(loc, template), type: 'completion' };
    if (!Array.isArray(template['content'])) {
      checker.refuse(
        [...loc, 'content'],
        'A completion has a content, a list of parts.',
        'missing',
      );
    }
  } else if (template.type === 'chat') {
    const { messages } = template as Mapping;
    if (Array.isArray(messages)) {
      const all = messages.map((message, at) => checker.message([...loc, 'messages', at], message));
      const given = template['input_variables'];
      checked = {
        ...template,
        messages: all,
        input_variables:
          Array.isArray(given) && given.length > 0 ? (given as unknown[]) : variablesOfAll(all),
      };
    } else {
      checker.refuse([...loc, 'messages'], 'A chat has messages, a list.', 'missing');
    }
    for (const name of ['tools', 'functions']) {
      const list = template[name] ?? [];
      if (!Array.isArray(list) || !list.every(isMapping)) {
        checker.refuse([...loc, name], `The ${name} are a list of objects.`, 'list_type');
      }
    }
  } else {
    checker.refuse([...loc, 'type'], 'A template is of type "chat" or "completion".', 'enum');
  }
  if (checker.faults.length > 0) throw new ValidationProblem(checker.faults);
  return checked;
}
