/** A sheet of questions to a shop that two prompts work on, evaluated and scored. */
import type { Client } from '../../src/core/index.ts';
import type { Api } from '../service/support/api.ts';
import { until } from './until.ts';

const kinds = ['order', 'invoice', 'return'] as const;
type Kind = (typeof kinds)[number];

const questions: readonly (readonly [string, Kind])[] = [
  ['Where is my parcel?', 'order'],
  ['Can I pay by the end of the month?', 'invoice'],
  ['My cup arrived broken.', 'return'],
  ['Do you ship to Oslo?', 'order'],
  ['Why was I charged twice?', 'invoice'],
  ['The shoes are too small.', 'return'],
  ['Please change my address.', 'order'],
  ['I need a receipt for my employer.', 'invoice'],
  ['How do I send a lamp back?', 'return'],
  ['Is the blue one in stock again?', 'order'],
  ['My voucher was rejected.', 'invoice'],
  ['May I return a gift?', 'return'],
];

const tones = ['kind and short', 'formal', 'cheerful'];
const rowCount = 48;

/** The same number for the same text, from 0 to 1. */
function spread(text: string): number {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 10_007;
  return sum / 10_007;
}

/** What the demo's model answers to a cell: two kinds it gets wrong, and some answers take long. */
export function demoCell(body: string): { text: string; tokens: number; waitMs: number } {
  const share = spread(body);
  if (body.includes('Which of')) {
    const kind = questions.find(([question]) => body.includes(question))?.[1] ?? 'order';
    const isWrong = /broken|voucher/.test(body);
    return { text: isWrong ? 'order' : kind, tokens: 2, waitMs: 90 + share * 160 };
  }
  const waitMs = 250 + share * share * 1400;
  const text = "Thank you for asking. We're looking into it and will get back to you today.";
  return { text, tokens: 60 + Math.round(share * 180), waitMs };
}

const replies: Readonly<Record<Kind, readonly [plain: string, kind: string]>> = {
  order: [
    'Orders leave our warehouse within two days. You get a link to follow them.',
    "Thank you for asking! Your order leaves our warehouse tomorrow, and you'll get a link to follow it.",
  ],
  invoice: [
    'Invoices are in your account. Contact us for changes.',
    "I'm sorry for the trouble. I'll check the invoice today and send you a corrected one if it's wrong.",
  ],
  return: [
    'Returns are free for 30 days. Print the label in your account.',
    "I'm sorry that it doesn't suit you. Returns are free for 30 days; I've sent you the label.",
  ],
};

/** What the demo's model says to a question in a few words; with a tone, more kindly. */
export function demoWords(body: string): string {
  const kind = questions.find(([question]) => body.includes(question))?.[1] ?? 'order';
  return replies[kind][body.includes('in a tone') ? 1 : 0];
}

/** Makes the sheet, has it computed and its score calculated. */
export async function addDemoSheet(api: Api, client: Client): Promise<void> {
  const sheet = await api.newSheet();
  const table = sheet.path.replace(/\/sheets\/.*/, '');
  await api.expect(200, 'PATCH', table, { title: 'Support' });
  await api.expect(200, 'PATCH', sheet.path, { title: 'Questions' });
  await api.expect(200, 'PATCH', `${sheet.path}/columns/${sheet.columnId}`, { title: 'Question' });
  await api.expect(200, 'DELETE', `${sheet.path}/rows`, { row_indices: [0] });
  const add = async (title: string, type: string, config?: object): Promise<string> =>
    (
      await api.expect(201, 'POST', `${sheet.path}/columns`, {
        ...{ title, type },
        ...(config !== undefined && { config }),
      })
    ).column.id;
  const [tone, wanted] = [await add('Tone', 'TEXT'), await add('Expected kind', 'TEXT')];
  await api.expect(201, 'POST', `${sheet.path}/rows`, {
    count: rowCount,
    values: Array.from({ length: rowCount }, (_, at) => {
      const [question, kind] = questions[at % questions.length] ?? ['', ''];
      return { [sheet.columnId]: question, [tone]: tones[(at % 5) % 3], [wanted]: kind };
    }),
  });
  const text = `Which of ${kinds.join(', ')} is this: {Question}?`;
  const variables = { input_variables: ['Question'] };
  const content = [{ type: 'text', text }];
  const kind = await add('Kind', 'PROMPT_TEMPLATE', {
    inline_template: {
      inline: true,
      prompt_template: {
        type: 'chat',
        messages: [{ role: 'user', ...variables, template_format: 'f-string', content }],
        ...variables,
      },
      metadata: { model: { provider: 'openai', name: 'gpt-4o-mini', parameters: {} } },
    },
    prompt_template_variable_mappings: { Question: 'Question' },
  });
  await add('Answer', 'PROMPT_TEMPLATE', {
    template: { name: 'support/answer' },
    prompt_template_variable_mappings: { question: 'Question', tone: 'Tone' },
  });
  await add('Right kind', 'COMPARE', {
    sources: ['Kind', 'Expected kind'],
    comparison_type: { type: 'STRING' },
  });
  const compute = async (): Promise<void> => {
    await api.expect(202, 'POST', `${sheet.path}/operations`, {});
    await until(
      'the demo is computed',
      async () => (await api.get(`${sheet.path}/operations`)).active_operations.length === 0,
    );
  };
  await compute();
  await client.tables.versions.create(sheet, { name: 'Before the friendlier tone' });
  const { items } = await client.tables.rows.page(sheet);
  for (const { cells } of items.slice(3, 6)) {
    const { id } = cells[tone] ?? {};
    if (id !== undefined) await client.tables.cells.update(sheet, id, { value: 'warm' });
  }
  await compute();
  await client.tables.scorecards.configure(sheet, {
    name: 'Quality',
    aggregation: { pass_threshold: 0.9, warn_threshold: 0.7 },
    steps: [
      {
        ...{ title: 'Right kind', primitive_type: 'COMPARE', source_column_ids: [kind, wanted] },
        primitive_config: { comparison_type: { type: 'STRING' } },
      },
      {
        ...{ title: 'Names a kind', primitive_type: 'REGEX', source_column_ids: [kind] },
        primitive_config: { regex_pattern: kinds.join('|') },
      },
    ],
  });
}
