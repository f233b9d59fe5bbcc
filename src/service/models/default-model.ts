import * as z from 'zod';
import { ConfigurationError } from '../../core/errors.ts';
import type { LookUp } from '../../core/options.ts';

export interface FoundModel {
  readonly provider: string;
  readonly name: string;
}

/** How long a finding is taken for granted; servers come and go. */
const KEPT_MS = 30_000;
/** There may be a key or a server a moment later. */
const KEPT_FAILURE_MS = 1000;
/** A server on this machine answers at once, or is not there. */
const PROBE_MS = 500;

const modelVariable = 'PROMPT_TABLES_MODEL';

/** Servers of one's own that speak OpenAI's language, and the variables that say where they are. */
export const servers = [
  { provider: 'ollama', variable: 'OLLAMA_BASE_URL', url: 'http://127.0.0.1:11434/v1' },
  { provider: 'lmstudio', variable: 'LMSTUDIO_BASE_URL', url: 'http://127.0.0.1:1234/v1' },
  { provider: 'vllm', variable: 'VLLM_BASE_URL', url: 'http://127.0.0.1:8000/v1' },
] as const;

/** What a key can do without anybody having chosen: small models of each maker. */
const keys: readonly (FoundModel & { readonly variables: readonly string[] })[] = [
  { variables: ['OPENAI_API_KEY'], provider: 'openai', name: 'gpt-4o-mini' },
  { variables: ['ANTHROPIC_API_KEY'], provider: 'anthropic', name: 'claude-haiku-4-5' },
  { variables: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'], provider: 'google', name: 'gemini-2.5-flash' },
  { variables: ['MISTRAL_API_KEY'], provider: 'mistral', name: 'mistral-small-latest' },
  { variables: ['OPENROUTER_API_KEY'], provider: 'openrouter', name: 'openai/gpt-4o-mini' },
];

const ModelList = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

/** Ids of what a server offers; none when nobody is there. */
export async function modelsOf(base: string): Promise<readonly string[]> {
  try {
    const answer = await fetch(`${base.replace(/\/+$/, '')}/models`, {
      signal: AbortSignal.timeout(PROBE_MS),
    });
    const list = ModelList.safeParse(answer.ok ? await answer.json() : undefined);
    return list.success ? list.data.data.map(({ id }) => id) : [];
  } catch {
    // Nobody is there, which is what was asked.
    return [];
  }
}

/** A variable that says `provider/model`; undefined when it is not set. */
export function modelOf(
  variable: string,
  value: string | undefined,
  example: string,
): FoundModel | undefined {
  const wanted = value?.trim() ?? '';
  if (wanted === '') return undefined;
  const [provider = '', ...rest] = wanted.split('/');
  if (rest.length > 0) return { provider, name: rest.join('/') };
  throw new ConfigurationError(`${variable} is not a provider and a model: ${wanted}.`, {
    hint: `Set it to something like ${example}.`,
  });
}

/** The model of prompts that name none: one on this machine, else one that a key opens. */
export class DefaultModel {
  readonly #lookUp: LookUp;
  #found: Promise<FoundModel> | undefined;
  #foundAt = -Infinity;

  constructor(lookUp: LookUp) {
    this.#lookUp = lookUp;
  }

  /** Throws a ConfigurationError that says how to get a model. */
  find(): Promise<FoundModel> {
    if (this.#found === undefined || performance.now() - this.#foundAt > KEPT_MS) {
      this.#foundAt = performance.now();
      const found = this.#search();
      this.#found = found;
      found.catch(() => {
        if (this.#found === found) this.#foundAt = performance.now() - KEPT_MS + KEPT_FAILURE_MS;
      });
    }
    return this.#found;
  }

  async #search(): Promise<FoundModel> {
    const wanted = modelOf(modelVariable, await this.#lookUp(modelVariable), 'openai/gpt-4o-mini');
    if (wanted !== undefined) return wanted;
    const found = await Promise.all(
      servers.map(async ({ provider, variable, url }) => {
        const models = await modelsOf((await this.#lookUp(variable))?.trim() || url);
        const name = models.find((id) => !/embed/i.test(id));
        return name === undefined ? undefined : { provider, name };
      }),
    );
    const local = found.find((model) => model !== undefined);
    if (local !== undefined) return local;
    for (const { variables, provider, name } of keys) {
      for (const variable of variables) {
        if ((await this.#lookUp(variable))?.trim()) return { provider, name };
      }
    }
    throw new ConfigurationError('There is no model to ask.', {
      hint: `Start Ollama or LM Studio on this machine, or set a key such as OPENAI_API_KEY or ANTHROPIC_API_KEY: in VS Code with Set Provider Key, elsewhere in the environment that the service is started with. ${modelVariable}=provider/model selects one.`,
    });
  }
}
