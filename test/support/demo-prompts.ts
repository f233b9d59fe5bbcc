/** Prompts and a workflow as a team of a shop's support would have them. */
import type { Api } from '../service/support/api.ts';

export const demoReply = `# Your parcel

It left our **Leipzig** depot this morning and is with the courier now.

- Expected: *today, before 18:00*
- Track it: [parcel 4711](https://example.org/parcels/4711)

\`\`\`json
{ "order": 4711, "status": "out for delivery" }
\`\`\`

If it doesn't arrive by tonight, reply to this message and we'll send another one.`;

const prompts = [
  {
    name: 'support/answer',
    tags: ['support'],
    texts: ['Answer {question}.', 'Answer {question} in a tone that is {tone}.'],
    labels: ['prod', 'next'],
  },
  {
    name: 'support/classify',
    tags: ['support'],
    texts: ['Which of {kinds} is this: {question}?'],
    labels: ['prod'],
  },
  { name: 'summarize', tags: ['text'], texts: ['Summarize {text} in one sentence.'], labels: [] },
];

/** Puts them into a workspace of the real service. */
export async function addDemoPrompts(api: Api): Promise<void> {
  for (const { name, tags, texts, labels } of prompts) {
    for (const [at, text] of texts.entries()) {
      const message = {
        role: 'user',
        template_format: 'f-string',
        content: [{ type: 'text', text }],
      };
      await api.expect(200, 'POST', '/rest/prompt-templates', {
        prompt_template: { prompt_name: name, tags },
        prompt_version: {
          prompt_template: { type: 'chat', messages: [message] },
          metadata: { model: { provider: 'openai', name: 'gpt-4o-mini', parameters: {} } },
          commit_message: at === 0 ? 'First version' : 'Friendlier tone',
        },
        ...(labels[at] !== undefined && { release_labels: [labels[at]] }),
      });
    }
  }
  const prompt = (name: string, template: string, dependencies: readonly string[]): object => ({
    name,
    node_type: 'PROMPT_TEMPLATE',
    configuration: { template: { prompt_name: template } },
    dependencies,
    is_output_node: false,
  });
  await api.expect(201, 'POST', '/rest/workflows', {
    name: 'triage',
    required_input_variables: { question: 'string', kinds: 'string', tone: 'string' },
    nodes: [
      prompt('classify', 'support/classify', ['question', 'kinds']),
      prompt('answer', 'support/answer', ['question', 'tone', 'classify']),
      {
        name: 'reply',
        node_type: 'COMBINE_COLUMNS',
        is_output_node: true,
        configuration: { sources: ['classify', 'answer'], delimiter: '\n\n' },
        dependencies: ['classify', 'answer'],
      },
    ],
  });
}

const questions = [
  'Where is my parcel?',
  'Can I pay later?',
  'It came broken.',
  'Do you ship to Oslo?',
];

/** What the log of requests shows: a morning of one prompt, with one that failed. */
export async function addDemoRequests(api: Api): Promise<void> {
  const message = (role: string, text: string): object => ({
    type: 'chat',
    messages: [{ role, content: [{ type: 'text', text }] }],
  });
  for (let at = 0; at < 18; at += 1) {
    const question = questions[at % questions.length] ?? '';
    const startedAt = Date.parse('2026-11-28T08:00:00Z') + at * 97_000;
    await api.expect(201, 'POST', '/log-request', {
      provider: 'openai',
      model: at % 3 === 0 ? 'gpt-4o' : 'gpt-4o-mini',
      input: message('user', `Answer ${question} in a tone that is kind.`),
      output: message('assistant', demoReply),
      request_start_time: new Date(startedAt).toISOString(),
      request_end_time: new Date(startedAt + 700 + ((at * 311) % 900)).toISOString(),
      input_tokens: 18 + (at % 4),
      output_tokens: 90 + ((at * 37) % 60),
      price: 0.0002 + at * 0.00004,
      prompt_name: 'support/answer',
      prompt_version_number: 2,
      prompt_input_variables: { question, tone: 'kind' },
      metadata: { user: `user-${at % 3}` },
      ...(at === 14 && {
        status: 'ERROR',
        error_type: 'PROVIDER_TIMEOUT',
        error_message: 'The model took too long.',
      }),
    });
  }
}
