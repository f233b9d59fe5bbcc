/** Single requests that are large: none of them may hold the service's event loop in one piece. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Api } from '../service/support/api.ts';
import type { RunningService } from '../service/support/running-service.ts';
import { logGreetings } from '../support/demo-requests.ts';

/** Does something, and times others meanwhile. */
export type During = <Result>(what: string, work: () => Promise<Result>) => Promise<Result>;

const MEBIBYTE = 2 ** 20;
const REQUESTS = 100_000;

const attribute = (key: string, value: string): object => ({ key, value: { stringValue: value } });

/** As an exporter sends it: so many spans, each of so many characters. */
function tracesOf(count: number, characters: number): string {
  const traceId = randomBytes(16).toString('hex');
  const at = 1_760_000_000_000_000_000n;
  const message = JSON.stringify([{ role: 'user', content: 'word '.repeat(characters / 5) }]);
  const spans = Array.from({ length: count }, (_, index) => ({
    traceId,
    spanId: randomBytes(8).toString('hex'),
    name: `chat ${String(index)}`,
    kind: 3,
    startTimeUnixNano: String(at + BigInt(index)),
    endTimeUnixNano: String(at + BigInt(index) + 1_000_000n),
    attributes: [
      attribute('gen_ai.operation.name', 'chat'),
      attribute('gen_ai.provider.name', 'openai'),
      attribute('gen_ai.request.model', 'gpt-4o-mini'),
      attribute('gen_ai.input.messages', message),
    ],
  }));
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
}

async function send(service: RunningService, text: string): Promise<void> {
  const raw = Buffer.from(text);
  const { status, text: answer } = await service.api.call('POST', '/v1/traces', undefined, { raw });
  if (status !== 200) throw new Error(answer.slice(0, 300));
}

/** Copies of requests that were logged by the API; a person would need months. */
async function logMany(service: RunningService): Promise<void> {
  await logGreetings(service.api);
  const data = new DatabaseSync(path.join(service.folder, 'tables.db'), { timeout: 60_000 });
  try {
    const columns = data
      .prepare(
        "select name from pragma_table_info('requests') where name not in ('id', 'started_at')",
      )
      .all()
      .map(({ name }) => String(name));
    const list = columns.join(', ');
    for (let count = 30; count < REQUESTS; count *= 2) {
      data.exec(
        `insert into requests (${list}, started_at)
         select ${list}, started_at + ${String(count)} * 60000 from requests
         where prompt_id is not null limit ${String(REQUESTS - count)}`,
      );
    }
  } finally {
    data.close();
  }
}

async function ofCells(api: Api, during: During): Promise<void> {
  const { path: sheet, columnId } = await api.sheetOf('a\nx');
  const { data } = await api.get(`${sheet}/rows`);
  const id = String(data[0]?.cells[columnId]?.id);
  const column = { title: 'Length', type: 'COUNT', config: { source: 'a', type: 'chars' } };
  await api.expect(201, 'POST', `${sheet}/columns`, column);
  const megabytes = 9.5;
  const value = 'ein Wörterbuch "quoted"\n'.repeat((megabytes * MEBIBYTE) / 29);
  const body = Buffer.from(JSON.stringify({ value }));
  await during('writing a cell of 10 MB', async () => {
    const answer = await api.call('PATCH', `${sheet}/cells/${id}`, undefined, { raw: body });
    if (answer.status !== 200) throw new Error(answer.text.slice(0, 300));
  });
  const cells = [
    { column_id: columnId, row_index: 0, value: `${value}!`, expected: value.slice(0, 9) },
  ];
  const compared = Buffer.from(JSON.stringify({ cells }));
  await during('comparing and writing a cell of 10 MB', () =>
    api.call('PATCH', `${sheet}/cells`, undefined, { raw: compared }),
  );
  await during('reading a cell of 10 MB', () => api.call('GET', `${sheet}/cells/${id}`));
  await during('reading its row', () => api.call('GET', `${sheet}/rows`));
  await during('computing from a cell of 10 MB', async () => {
    const { operation_id: operation } = await api.expect(202, 'POST', `${sheet}/operations`, {});
    for (;;) {
      const state = await api.get(`${sheet}/operations/${operation}`);
      if (state.operation.pending_count === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
}

export async function ofLargeRequests(service: RunningService, during: During): Promise<void> {
  const few = tracesOf(1000, 20_000);
  await during('a post of 20 MB of traces, 1,000 spans', () => send(service, few));
  const many = tracesOf(4500, 4000);
  await during('a post of 20 MB of traces, 4,500 spans', () => send(service, many));
  await logMany(service);
  await during('analytics over 100,000 requests', () =>
    service.api.expect(200, 'POST', '/api/public/v2/requests/analytics', {}),
  );
  await ofCells(service.api, during);
}
