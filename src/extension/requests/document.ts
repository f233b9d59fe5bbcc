import type { RequestDetail } from '../../core/index.ts';
import { laidOut } from '../panels/laid-out.ts';
import type { Translate } from '../shell/translate.ts';
import { pairsIn } from '../shell/pairs-in.ts';
import { exact, sortableTime } from './columns.ts';
import type { Mapping } from '../../core/mapping.ts';
import { isMapping, listOf } from '../../core/mapping.ts';

/** A fence that the text itself does not close. */
function fenced(text: string, language: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce(
    (most, { length }) => Math.max(most, length),
    2,
  );
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

const json = (value: unknown): string => fenced(laidOut(value), 'json');

function partText(part: unknown): string {
  if (!isMapping(part)) return json(part);
  const { type, text, thinking } = part;
  if (type === 'text' && typeof text === 'string') return text;
  if (typeof thinking === 'string') return thinking.replaceAll(/^/gm, '> ');
  return json(part);
}

function messageText(message: unknown): string {
  if (!isMapping(message)) return json(message);
  const { role, content, tool_calls: calls } = message;
  const parts = typeof content === 'string' ? [content] : listOf(content).map(partText);
  const called = listOf(calls).map(json);
  const heading = `### ${typeof role === 'string' ? role : 'message'}`;
  return [heading, ...parts, ...called].filter((text) => text !== '').join('\n\n');
}

/** What was asked, and what came back: in a blueprint the answer is the last message. */
function exchangeOf(blueprint: unknown): {
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly tools: readonly unknown[];
} {
  const prompt =
    isMapping(blueprint) && isMapping(blueprint['prompt_template'])
      ? blueprint['prompt_template']
      : {};
  const tools = listOf(prompt['tools']);
  if (prompt['type'] === 'completion') {
    return { input: [], output: listOf(prompt['content']).map(partText), tools };
  }
  const messages = listOf(prompt['messages']);
  const last = messages.at(-1);
  const isAnswered = isMapping(last) && last['role'] === 'assistant';
  const asked = isAnswered ? messages.slice(0, -1) : messages;
  return { input: asked.map(messageText), output: isAnswered ? [messageText(last)] : [], tools };
}

const onLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** A logged request for people to read, as Markdown. What the service does not tell is left out. */
export function requestText(detail: RequestDetail, t: Translate): string {
  const extra: Mapping = detail;
  const text = (name: string): string | undefined => {
    const value = extra[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  const time = (value: string | null | undefined): string | undefined =>
    value ? sortableTime(value) : undefined;
  const { price, latency_ms: latency } = detail;
  const reason = [text('error_type'), text('error_message')].filter(Boolean).join(': ');
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t('Status'), text('status')],
    [t('Problem'), reason],
    [t('Prompt'), text('prompt_name')],
    [t('Version'), text('prompt_version_number')],
    [t('Model'), [detail.provider, detail.model].filter(Boolean).join(' · ')],
    [t('Started'), time(detail.request_start_time)],
    [t('Ended'), time(detail.request_end_time)],
    [
      t('Latency'),
      latency === null || latency === undefined ? undefined : `${String(exact(latency))} ms`,
    ],
    [t('Tokens in'), detail.input_tokens?.toString()],
    [t('Tokens out'), detail.output_tokens?.toString()],
    [t('Cost'), price === null || price === undefined ? undefined : `$${String(exact(price))}`],
    [t('Tags'), listOf(extra['tags']).map(String).join(', ')],
    [t('Trace'), detail.trace_id ?? undefined],
  ];
  const rows = facts
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value = '']) => `- **${name}**: ${onLine(value)}`);
  const { input, output, tools } = exchangeOf(detail.prompt_blueprint);
  const section = (title: string, parts: readonly string[]): readonly string[] =>
    parts.length === 0 ? [] : [`## ${title}`, ...parts];
  const object = (title: string, value: unknown): readonly string[] => {
    const pairs = pairsIn(value);
    return pairs === undefined ? [] : section(title, [json(pairs)]);
  };
  return [
    `# ${t('Request {0}', detail.request_id)}`,
    rows.join('\n'),
    ...section(t('Input'), input),
    ...section(t('Output'), output),
    ...object(t('Variables'), extra['prompt_input_variables']),
    ...object(t('Scores'), extra['scores']),
    ...object(t('Metadata'), extra['metadata']),
    ...section(t('Tools'), tools.length === 0 ? [] : [json(tools)]),
  ].join('\n\n');
}
