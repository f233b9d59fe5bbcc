import type { PromptTemplate } from '../../api/template.ts';
import type { Mapping } from '../mapping.ts';
import { plainNumbers } from '../http/json.ts';
import { isMapping, textOf } from '../mapping.ts';
import type { Place } from './render-error.ts';
import { RenderError } from './render-error.ts';
import { Budget } from './budget.ts';
import { mediaParts } from './media.ts';
import { ownValue } from '../../api/own-value.ts';
import { renderText } from './render-text.ts';
import { fillSchema } from './schema-variables.ts';

class Renderer {
  readonly #variables: Mapping;
  readonly #budget = new Budget();

  constructor(variables: Mapping) {
    this.#variables = variables;
  }

  parts(content: unknown, format: unknown, place: Place): unknown {
    if (!Array.isArray(content)) return content;
    return content.flatMap((part: unknown, at) => this.#part(part, format, [...place, at]));
  }

  #part(part: unknown, format: unknown, place: Place): unknown[] {
    if (!isMapping(part)) return [part];
    const text = (source: string): string =>
      renderText(source, format, this.#variables, place, this.#budget);
    switch (part['type']) {
      case 'text':
        return [{ ...part, text: text(textOf(part['text'])) }];
      case 'media_variable':
        return mediaParts(
          ownValue(this.#variables, String(part['name'])),
          String(part['name']),
          place,
        );
      case 'image_url': {
        const name = part['image_variable'];
        if (typeof name === 'string' && Object.hasOwn(this.#variables, name)) {
          return mediaParts(ownValue(this.#variables, name), name, place);
        }
        return [{ ...part, image_url: renderUrl(part['image_url'], text) }];
      }
      case 'media':
        return [{ ...part, media: renderUrl(part['media'], text) }];
      default:
        return [part];
    }
  }

  message(message: unknown, place: Place): unknown[] {
    if (!isMapping(message)) return [message];
    if (message['role'] === 'placeholder') return this.#placeholder(message, place);
    return [
      {
        ...message,
        ...('content' in message && {
          content: this.parts(message['content'], message['template_format'], [
            ...place,
            'content',
          ]),
        }),
      },
    ];
  }

  /** A value holds messages of somebody's conversation: they stand there as they are. */
  #placeholder(message: Mapping, place: Place): unknown[] {
    const name = String(message['name']);
    const value = plainNumbers(ownValue(this.#variables, name) ?? []);
    if (Array.isArray(value) && value.every((one) => isMapping(one) && 'role' in one)) {
      return value.map((one: Mapping) =>
        typeof one['content'] === 'string'
          ? { ...one, content: [{ type: 'text', text: one['content'] }] }
          : one,
      );
    }
    throw new RenderError(place, { kind: 'placeholder-variable', name });
  }

  tools(tools: unknown, place: Place): unknown {
    if (!Array.isArray(tools)) return tools;
    return tools.flatMap((tool: unknown, at) => this.#tool(tool, [...place, at]));
  }

  #tool(tool: unknown, place: Place): unknown[] {
    if (!isMapping(tool)) return [tool];
    if (tool['type'] === 'variable') return this.#toolVariable(String(tool['name']), place);
    const { function: made } = tool;
    if (!isMapping(made) || !('parameters' in made)) return [tool];
    const parameters = fillSchema(made['parameters'], this.#variables, place, this.#budget);
    return [{ ...tool, function: { ...made, parameters } }];
  }

  #toolVariable(name: string, place: Place): unknown[] {
    const value = plainNumbers(ownValue(this.#variables, name) ?? []);
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return list.map((tool) => {
      if (isMapping(tool) && isMapping(tool['function'])) return tool;
      if (!isMapping(tool) || typeof tool['name'] !== 'string') {
        throw new RenderError(place, { kind: 'tools-variable', name });
      }
      const { input_schema: schema, parameters = schema, ...rest } = tool;
      return {
        type: 'function',
        function: {
          ...rest,
          parameters: parameters ?? { type: 'object', properties: {} },
        },
      };
    });
  }
}

/** Data of a picture holds no variables, and may be long. */
function renderUrl(holder: unknown, text: (source: string) => string): unknown {
  if (!isMapping(holder) || typeof holder['url'] !== 'string') return holder;
  const isData = holder['url'].startsWith('data:') || holder['format'] === 'base64';
  return isData ? holder : { ...holder, url: text(holder['url']) };
}

/**
 * A template with its variables, placeholders, media and tool variables filled in. A variable that
 * is missing counts as empty.
 */
export function renderTemplate(template: PromptTemplate, variables: Mapping): PromptTemplate {
  const renderer = new Renderer(variables);
  const place = ['prompt_template'];
  if (template.type === 'completion') {
    const content = renderer.parts(template['content'], template['template_format'], [
      ...place,
      'content',
    ]);
    return { ...template, content };
  }
  const { messages } = template as Mapping;
  return {
    ...template,
    messages: Array.isArray(messages)
      ? messages.flatMap((message: unknown, at) =>
          renderer.message(message, [...place, 'messages', at]),
        )
      : messages,
    ...('tools' in template && { tools: renderer.tools(template['tools'], [...place, 'tools']) }),
  };
}
