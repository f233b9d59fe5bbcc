/** One way to ask each provider, as prompts of the registry, of columns and of files name it. */
import { canaryRows } from '../providers/canary-rows.ts';
import type { CanaryRow } from '../providers/canary-rows.ts';

export interface Asked {
  readonly row: CanaryRow;
  readonly provider: string;
  readonly model: string;
}

type Fields = Readonly<Record<string, unknown>>;

function askedBy(row: CanaryRow): Asked {
  const { metadata } = row.template({}) as { readonly metadata: { readonly model: Fields } };
  const { provider, name } = metadata.model;
  return { row, provider: String(provider), model: String(name) };
}

const isChat = ({ title, provider }: CanaryRow): boolean =>
  provider === 'openai'
    ? title.startsWith('OpenAI chat')
    : !/images|video|speech|, signed$/.test(title);

/** Claude and Gemini at Vertex AI are two. */
export const askedProviders: readonly Asked[] = canaryRows.filter(isChat).map(askedBy);

export const promptText = (text: string): object => ({
  type: 'chat',
  messages: [
    {
      role: 'user',
      input_variables: ['word'],
      template_format: 'f-string',
      content: [{ type: 'text', text }],
    },
  ],
  input_variables: ['word'],
});

/** What somebody might write beside a prompt, hoping that it counts. */
export const smuggled = (url: string, provider: string): object => ({
  provider_base_url: { id: 1, name: 'x', provider, url },
  custom_provider: { id: 1, name: 'x', client: provider, base_url: url, api_key: 'bait-7e1a' },
  llm_kwargs: { base_url: url, extra_headers: { 'x-bait': 'bait-7e1a' } },
});
