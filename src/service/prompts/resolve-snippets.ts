import { parseJson } from '../../core/http/json.ts';
import { isMapping } from '../../core/mapping.ts';
import { unprocessable } from '../http/problem.ts';
import type { Session } from '../store/database.ts';
import type { PromptRecord } from './records.ts';
import type { SnippetReference } from '../../core/templates/snippet-references.ts';
import {
  mapTexts,
  referencesIn,
  referencesOf,
  replaceReferences,
} from '../../core/templates/snippet-references.ts';
import { lookUpVersion } from './store.ts';

/** Nested deeper, or longer, something is wrong. */
const MAX_DEPTH = 20;
const MAX_TEXT = 10 * 2 ** 20;

export interface UsedSnippet {
  readonly prompt_name: string;
  readonly version: number;
  readonly label: string | null;
}

interface Loaded {
  readonly text: string;
  readonly used: UsedSnippet;
}

const place = ['body', 'prompt_template'];

const nameOf = ({ name, version, label }: SnippetReference): string =>
  version !== undefined
    ? `${name}@version_number:${String(version)}`
    : label !== undefined
      ? `${name}@label:${label}`
      : name;

/** Loads the snippets of one workspace, each once, and puts their texts in the place of references. */
class Resolver {
  readonly #session: Session;
  readonly #workspaceId: number;
  readonly #resolved = new Map<string, Loaded>();
  readonly used = new Map<string, UsedSnippet>();

  constructor(session: Session, workspaceId: number) {
    this.#session = session;
    this.#workspaceId = workspaceId;
  }

  async template(template: unknown): Promise<unknown> {
    const texts = new Map<string, Loaded>();
    for (const reference of referencesOf(template)) {
      texts.set(nameOf(reference), await this.#snippet(reference, []));
    }
    let size = 0;
    return mapTexts(template, (text) => {
      const whole = fill(text, texts);
      size += whole.length;
      if (size > MAX_TEXT) {
        throw unprocessable(place, 'With its snippets the template has more than 10 MB of text.');
      }
      return whole;
    });
  }

  async #snippet(reference: SnippetReference, path: readonly string[]): Promise<Loaded> {
    const key = nameOf(reference);
    const known = this.#resolved.get(key);
    if (known !== undefined) return known;
    if (path.includes(key) || path.length >= MAX_DEPTH) {
      const circle = [...path.slice(Math.max(0, path.indexOf(key))), key].join(' -> ');
      throw unprocessable(
        place,
        `The snippets use each other in a circle: ${circle}. Take one of the references out.`,
        'snippet_cycle',
      );
    }
    const { text, used } = await this.#load(reference);
    this.used.set(key, used);
    const inner = new Map<string, Loaded>();
    for (const one of referencesIn(text)) {
      inner.set(nameOf(one), await this.#snippet(one, [...path, key]));
    }
    const whole = fill(text, inner);
    if (whole.length > MAX_TEXT) {
      throw unprocessable(place, `The snippet "${key}" has more than 10 MB of text.`);
    }
    const loaded = { text: whole, used };
    this.#resolved.set(key, loaded);
    return loaded;
  }

  async #load(reference: SnippetReference): Promise<Loaded> {
    const record = await this.#session.one<PromptRecord>(
      'select * from prompts where workspace_id = ? and name = ? and deleted_at is null',
      [this.#workspaceId, reference.name],
    );
    const version = record && (await lookUpVersion(this.#session, record, reference));
    if (record === undefined || version === undefined) {
      throw unprocessable(
        place,
        `The snippet "${nameOf(reference)}" is not there. Publish it first, or correct the reference.`,
        'snippet_missing',
      );
    }
    const template = parseJson(version.template_json);
    if (!isMapping(template) || template['type'] !== 'completion') {
      throw unprocessable(
        place,
        `"${reference.name}" isn't a snippet: only a template of type completion can be one.`,
        'snippet_not_completion',
      );
    }
    return {
      text: textOf(template['content']),
      used: {
        prompt_name: record.name,
        version: version.number,
        label: reference.label ?? null,
      },
    };
  }
}

const fill = (text: string, texts: ReadonlyMap<string, Loaded>): string =>
  replaceReferences(text, (reference) => texts.get(nameOf(reference))?.text ?? '');

const textOf = (content: unknown): string =>
  Array.isArray(content)
    ? content
        .map((part) => (isMapping(part) && typeof part['text'] === 'string' ? part['text'] : ''))
        .join('')
    : '';

/**
 * A template with the texts of its snippets, and which they were. Throws a 422 for a snippet that
 * is missing, is no completion, or uses itself.
 */
export async function resolveSnippets(
  session: Session,
  workspaceId: number,
  template: unknown,
): Promise<{ readonly template: unknown; readonly snippets: readonly UsedSnippet[] }> {
  const resolver = new Resolver(session, workspaceId);
  return { template: await resolver.template(template), snippets: [...resolver.used.values()] };
}
