import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { keepRun } from '../../../../src/extension/kept-runs/keep-run.ts';
import { keepWorkflowRun } from '../../../../src/extension/kept-runs/keep-workflow-run.ts';
import type { EndedRun } from '../../../../src/extension/kept-runs/run-history.ts';
import { RunHistory } from '../../../../src/extension/kept-runs/run-history.ts';

type App = Parameters<typeof keepRun>[0];
type Logged = Readonly<Record<string, unknown>>;

const ended: EndedRun = {
  ...{ kind: 'prompt', connectionId: 'c', workspace: 'Acme', name: 'answer' },
  ...{ choice: { kind: 'latest' }, version: 3, state: 'done', startedAt: 1, elapsedMs: 2 },
  requestId: 17,
  detail: { variables: [], output: '', record: null },
};

describe('keeping a run', () => {
  let folder: string;
  let history: RunHistory;
  let window: AbortController;
  let asked: number;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pt-keep-'));
    history = new RunHistory(folder, () => 10);
    window = new AbortController();
    asked = 0;
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  /** A window whose service answers with these, one after the other; then with the last. */
  const app = (...answers: readonly (Logged | Error)[]): App => {
    const get = (): Promise<Logged> => {
      const answer = answers[Math.min(asked, answers.length - 1)] ?? {};
      asked += 1;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    const made = {
      connections: { client: () => Promise.resolve({ requests: { get } }) },
      errors: { note: (error: unknown) => assert.fail(String(error)) },
      history: () => Promise.resolve(history),
      log: { debug: () => undefined },
      signal: window.signal,
    };
    return made as unknown as App;
  };
  const kept = async () => (await history.list((error) => assert.fail(String(error))))[0];

  it('asks again for a cost that comes late, and tells it to panel and list', async () => {
    const reported: unknown[] = [];
    const service = app({ price: null }, new Error('away'), { price: 0.5 });
    await keepRun(service, ended, (price) => reported.push(price), [1, 1, 1, 1]);
    assert.deepEqual(reported, [undefined, undefined, 0.5]);
    assert.deepEqual([asked, (await kept())?.priceUsd], [3, 0.5]);
  });

  it('gives up after a few times', async () => {
    await keepRun(app({ price: null }), ended, () => undefined, [1, 1]);
    assert.deepEqual([asked, (await kept())?.priceUsd], [3, undefined]);
  });

  it('asks no more once the window has gone', async () => {
    const asking = keepRun(app({}), ended, () => window.abort(), [60_000]);
    await asking;
    assert.equal(asked, 1);
  });

  it('takes the version that "latest" was from the log', async () => {
    await keepRun(app({ prompt_version_number: 4, price: 0 }), ended, () => undefined, []);
    assert.deepEqual([(await kept())?.version, (await kept())?.priceUsd], [4, 0]);
  });

  describe('of a workflow', () => {
    const { requestId: _, ...rest } = ended;
    const workflow: EndedRun = { ...rest, kind: 'workflow', executionId: 5 };
    type Page = Readonly<Record<string, unknown>> | Error;
    const searching = (searches: unknown[], ...pages: readonly Page[]): App => {
      const search = (asked_: unknown): Promise<Page> => {
        searches.push(asked_);
        const page = pages[Math.min(searches.length, pages.length) - 1] ?? {};
        return page instanceof Error ? Promise.reject(page) : Promise.resolve(page);
      };
      const client = () => Promise.resolve({ requests: { search } });
      return { ...app(), connections: { client } } as unknown as App;
    };
    const request = (price: number | null) => ({ price, input_tokens: 3, output_tokens: 4 });

    it('sums up its requests, and looks once more', async () => {
      const searches: unknown[] = [];
      const first = { items: [request(0.25)], has_next: false };
      const second = { items: [request(0.25), request(0.5)], has_next: false };
      await keepWorkflowRun(searching(searches, first, second), workflow, 'm', [1, 1]);
      const entry = await kept();
      assert.deepEqual([entry?.priceUsd, entry?.inputTokens, entry?.outputTokens], [0.75, 6, 8]);
      assert.match(JSON.stringify(searches[0]), /"nested_key":"prompt_tables_run","value":"m"/);
    });

    it('keeps a cost unknown of which a part is, or that nobody tells', async () => {
      const part = { items: [request(0.25), request(null)], has_next: false };
      await keepWorkflowRun(searching([], part), workflow, 'm', [1]);
      assert.deepEqual([(await kept())?.priceUsd, (await kept())?.inputTokens], [undefined, 6]);
      const endless = { items: [request(1)], has_next: true };
      for (const page of [endless, { items: [], has_next: false }, new Error('away')]) {
        const other = { ...workflow, startedAt: 9 };
        await keepWorkflowRun(searching([], page), other, 'm', [1]);
        assert.equal((await kept())?.priceUsd, undefined);
      }
    });
  });
});
