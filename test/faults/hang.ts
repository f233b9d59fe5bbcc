/** Hostile expressions and values in every column, node and step that computes. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../../scripts/postgres.mjs';
import type { Api, SheetPlace } from '../service/support/api.ts';
import { Heartbeat } from '../service/support/heartbeat.ts';
import {
  ended,
  newFolder,
  RunningService,
  spawnService,
} from '../service/support/running-service.ts';
import type { Campaign } from './load.ts';
import { between, within } from './load.ts';

interface HeldCell {
  readonly status?: string;
  readonly error_message?: string | null;
}

const ROWS = 3;
/** A cell of the sandbox has 2 s (code 5 s), and two run at the same time. */
const ROUND_LIMIT_MS = 120_000;

const oneOf = <Item>(items: readonly Item[]): Item =>
  items[Math.floor(Math.random() * items.length)] as Item;
const size = (): number => between(100, 60_000);
const some = <Item>(make: () => Item, most: number): Item[] =>
  Array.from({ length: between(1, most) }, make);

function jsonPath(depth = 3): string {
  const step = (): string =>
    oneOf([
      () => '..*',
      () => '[*]',
      () => '.a',
      () => '[*,*]',
      () => '[0:]',
      () => `[?${filter(depth - 1)}]`,
      () => `..[?${filter(depth - 1)}]`,
    ])();
  return `$${some(step, 4).join('')}`;
}

function filter(depth: number): string {
  if (depth <= 0) return '@';
  const inner = jsonPath(depth - 1).replace('$', oneOf(['$', '@']));
  return oneOf([
    `count(${inner})>${String(between(0, 3))}`,
    inner,
    `search(@, "(a*)*b${'a?'.repeat(20)}")`,
    `length(@)>0 && count(${inner})<9`,
  ]);
}

function xmlPath(depth = 3): string {
  const axis = (): string =>
    oneOf(['//*', '/*', '/ancestor-or-self::*', '/descendant-or-self::*', '/following::*', '/..']);
  const predicate = (): string =>
    depth <= 0
      ? ''
      : oneOf([
          '',
          `[count(${xmlPath(depth - 1)})>0]`,
          '[position()<last()]',
          '[contains(., "a")]',
        ]);
  return some(() => `${axis()}${predicate()}`, 4).join('');
}

function pattern(depth = 4): string {
  if (depth === 0) return oneOf(['a', '.', '[ab]', '\\w', 'a|a', 'a?']);
  const inner = pattern(depth - 1);
  return oneOf([
    `(${inner})*`,
    `(${inner})+`,
    `(?:${inner}){0,50}`,
    `(?=${inner})`,
    `${inner}${inner}`,
    `(${inner})\\1`,
  ]);
}

const a = (): string => 'a'.repeat(size());
function json(): string {
  const count = Math.min(size(), 20_000);
  return oneOf([
    () => JSON.stringify(Array.from({ length: count }, (_, at) => at)),
    () =>
      JSON.stringify(
        Array.from({ length: 150 }, () => Array.from({ length: 150 }, () => ({ a: 1 }))),
      ),
    () => '['.repeat(count) + ']'.repeat(count),
    () => '['.repeat(count),
    () =>
      JSON.stringify(
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${String(at)}`, {}])),
      ),
    () => '9'.repeat(count),
    () => JSON.stringify([a(), a()]),
  ])();
}
const xml = (): string =>
  oneOf([
    () => `<a>${'<b/>'.repeat(Math.min(size(), 30_000))}</a>`,
    () => `${'<a>'.repeat(2000)}${'</a>'.repeat(2000)}`,
    () => '<a '.repeat(size()),
    () => `<a>${'&lt;'.repeat(size())}</a>`,
  ])();
const diff = (): string =>
  `--- a\n+++ b\n${'@@ -1,2 +1,2 @@\n x\n-y\n+z\n'.repeat(between(1, 4000))}`;
const lines = (): string => 'x\n'.repeat(between(1, 40_000));

interface Hostile {
  readonly type: string;
  readonly config: object;
  readonly left: string;
  readonly right: string;
}

const at = (type: string, config: object, left: string, right = '1'): Hostile => ({
  type,
  config: { source: 'left', ...config },
  left,
  right,
});
const both = (type: string, config: object, left: string, right: string): Hostile => ({
  type,
  config: { sources: ['left', 'right'], ...config },
  left,
  right,
});

const makers: readonly (() => Hostile)[] = [
  () =>
    at('JSON_PATH', { json_path: jsonPath(), return_first_match: oneOf([true, false]) }, json()),
  () => at('XML_PATH', { xml_path: xmlPath(), type: oneOf(['find', 'findall']) }, xml()),
  () => at('REGEX', { regex_pattern: pattern() }, `${a()}b`),
  () => at('REGEX_EXTRACTION', { regex_pattern: oneOf([pattern(), 'a.*b|a']) }, a()),
  () => at('MIN_MAX', { type: 'max', json_path: oneOf([null, jsonPath()]) }, json()),
  () => at('PARSE_VALUE', { type: oneOf(['object', 'number', 'boolean']) }, json()),
  () =>
    at(
      'COUNT',
      { type: oneOf(['chars', 'words', 'sentences', 'paragraphs']) },
      oneOf([a(), 'a. "(b\n\n'.repeat(size())]),
    ),
  () =>
    at(
      'ASSERT_VALID',
      { type: oneOf(['object', 'number', 'sql']) },
      oneOf([json(), `select ${'('.repeat(size())}`]),
    ),
  () => at('CONTAINS', { value_source: 'right' }, a(), `aaaaaaaaaab${a()}`),
  () =>
    both(
      'COMPARE',
      { comparison_type: { type: 'JSON', json_path: oneOf([null, jsonPath()]) } },
      json(),
      json(),
    ),
  () => both('COMPARE', { comparison_type: oneOf(['STRING', 'NUMBER']) }, json(), json()),
  () => both('ABSOLUTE_NUMERIC_DISTANCE', {}, '9'.repeat(4000), `0.${'1'.repeat(4000)}`),
  () => both('COSINE_SIMILARITY', {}, '[1,2,3]', '[4,5,6]'),
  () => ({
    type: 'APPLY_DIFF',
    config: { content_source: 'left', diff_source: 'right' },
    left: lines(),
    right: diff(),
  }),
  () => ({
    type: 'CONDITION',
    config: {
      conditionals: [
        {
          operator: oneOf(['in', '=', 'not_in', '<']),
          left_config: { source: 'left', json_path: oneOf([null, jsonPath()]) },
          right_config: { source: 'right' },
        },
      ],
    },
    left: json(),
    right: json(),
  }),
  () => ({
    type: 'CODE_EXECUTION',
    config: { code: oneOf(['for (;;);', 'let s = "a"; for (;;) s += s;', 'data.left.length']) },
    left: a(),
    right: '1',
  }),
];
const steps: readonly (() => Hostile)[] = [
  () =>
    at(
      'STRUCTURE',
      { schema: { type: 'array', items: { enum: Array.from({ length: 300 }, () => ({})) } } },
      json(),
    ),
  () => at('MAX_TOOL_CALLS', { max: 1 }, json()),
  () => at('TRAJECTORY', { expected: ['t'] }, json()),
  () => at('NO_INVALID_TOOL_CALLS', { tool_names: ['t'] }, json()),
];
const shared = new Set(['CONTAINS', 'REGEX', 'ASSERT_VALID', 'COMPARE', 'CODE_EXECUTION']);

/** What each round has found. */
class Tally {
  rounds = 0;
  refused = 0;
  cells = 0;
  stuck = 0;
  silent = 0;
  longestRound = 0;
  longestBeside = 0;
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async sheet({ left, right }: Hostile): Promise<SheetPlace> {
    const quoted = `"${left.replaceAll('"', '""')}","${right.replaceAll('"', '""')}"`;
    return this.#api.sheetOf(
      `left,right\n${`${quoted}\n`.repeat(ROWS)}`,
      'data.csv',
      ROUND_LIMIT_MS,
    );
  }

  /** Waits until nothing is pending; whatever has failed says why. */
  async column(hostile: Hostile): Promise<void> {
    const place = await this.sheet(hostile);
    const { type, config } = hostile;
    const made = await this.#api.call('POST', `${place.path}/columns`, {
      title: type,
      type,
      config,
    });
    if (made.status !== 201) {
      this.#refuse(made.status);
      return;
    }
    const began = Date.now();
    const { operation_id: id } = await this.#api.expect(
      202,
      'POST',
      `${place.path}/operations`,
      {},
    );
    const state = async () => (await this.#api.get(`${place.path}/operations/${id}`)).operation;
    this.longestRound = Math.max(
      this.longestRound,
      await within(
        `${type} ${JSON.stringify(config)} ends`,
        ROUND_LIMIT_MS,
        async () => (await state()).pending_count === 0,
      ).catch(() => {
        this.stuck += ROWS;
        return Date.now() - began;
      }),
    );
    this.cells += ROWS;
    const { data } = await this.#api.get(`${place.path}/rows`);
    for (const row of data) {
      for (const cell of Object.values(row.cells as Record<string, HeldCell>)) {
        if (cell.status?.toLowerCase() === 'error' && !cell.error_message) this.silent += 1;
      }
    }
  }

  async node({ type, config, left, right }: Hostile): Promise<void> {
    const name = `hostile ${String(this.rounds)}`;
    const created = await this.#api.call('POST', '/rest/workflows', {
      name,
      required_input_variables: { left: 'string', right: 'string' },
      nodes: [
        {
          name: 'node',
          node_type: type,
          configuration: config,
          dependencies: ['left', 'right'],
          is_output_node: true,
        },
      ],
    });
    if (created.status !== 201) {
      this.#refuse(created.status);
      return;
    }
    const started = (await this.#api.expect(
      201,
      'POST',
      `/workflows/${encodeURIComponent(name)}/run`,
      {
        input_variables: { left, right },
      },
    )) as unknown as { workflow_version_execution_id?: number };
    const path = `/workflow-version-execution-results?workflow_version_execution_id=${String(started.workflow_version_execution_id)}&return_all_outputs=true`;
    const took = await within(
      `a ${type} node ends`,
      ROUND_LIMIT_MS,
      async () => (await this.#api.call('GET', path)).status === 200,
    ).catch(() => {
      this.stuck += 1;
      return ROUND_LIMIT_MS;
    });
    this.longestRound = Math.max(this.longestRound, took);
  }

  async step(hostile: Hostile): Promise<void> {
    const place = await this.sheet(hostile);
    const saved = await this.#api.call('PATCH', `${place.path}/scorecard`, {
      name: 'hostile',
      steps: [
        {
          title: 'step',
          primitive_type: hostile.type,
          primitive_config: hostile.config,
        },
      ],
    });
    if (saved.status >= 300) {
      this.#refuse(saved.status);
      return;
    }
    const status = async (): Promise<string> => {
      const { text } = await this.#api.call('GET', `${place.path}/scorecard`);
      const { scorecard } = JSON.parse(text) as { scorecard?: { status?: string } };
      return scorecard?.status ?? 'queued';
    };
    await this.#api.call('POST', `${place.path}/scorecard/recalculate`, {});
    const took = await within(
      `a ${hostile.type} step ends`,
      ROUND_LIMIT_MS,
      async () => !/queued|running|calculating/.test(await status()),
    ).catch(() => {
      this.stuck += 1;
      return ROUND_LIMIT_MS;
    });
    this.longestRound = Math.max(this.longestRound, took);
  }

  /** Refused as the request's fault, never as a failure of the service. */
  #refuse(status: number): void {
    if (status >= 500) throw new Error(`The service failed with ${String(status)}.`);
    this.refused += 1;
  }

  /** One quick cell of another sheet. */
  async beside(place: SheetPlace): Promise<void> {
    const began = performance.now();
    const { operation_id: id } = await this.#api.expect(202, 'POST', `${place.path}/operations`, {
      statuses: [],
    });
    await within(
      'a quick cell beside it',
      ROUND_LIMIT_MS,
      async () =>
        (await this.#api.get(`${place.path}/operations/${id}`)).operation.pending_count === 0,
    );
    this.longestBeside = Math.max(this.longestBeside, performance.now() - began);
  }
}

/** The processes below one. */
function processesBelow(pid: number): number[] {
  const listed = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const parents = listed
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    parents.filter(([, of]) => of === parent).flatMap(([id = 0]) => [id, ...below(id)]);
  return below(pid);
}

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // Nobody has this number.
    return false;
  }
};

interface Crew {
  readonly service: RunningService;
  readonly workers: readonly ChildProcess[];
  readonly close: () => Promise<void>;
}

const alone = async (): Promise<Crew> => ({
  service: await RunningService.start(),
  workers: [],
  close: async () => undefined,
});

async function withWorkers(): Promise<Crew> {
  const postgres = await startPostgres();
  const folder = newFolder();
  const options = { databaseUrl: postgres.url };
  const service = await RunningService.start({ ...options, args: ['--port', '0', '--no-worker'] });
  const workers = [0, 1].map(() => spawnService(folder, { ...options, args: ['--worker'] }));
  for (const worker of workers) worker.stderr?.resume();
  await Promise.all(workers.map(async ({ stdout }) => once(stdout!, 'data')));
  return {
    ...{ service, workers },
    close: async () => {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Computes in the service itself, or in two workers that share a PostgreSQL with it. */
const hangOn = (where: 'SQLite' | 'PostgreSQL'): Campaign => ({
  name: `hostile expressions and values (${where})`,
  async run(untilMs) {
    const crew = await (where === 'SQLite' ? alone() : withWorkers());
    const { service } = crew;
    const { api } = service;
    const tally = new Tally(api);
    const quick = await api.sheetOf('left\nsome words');
    await api.expect(201, 'POST', `${quick.path}/columns`, {
      title: 'n',
      type: 'COUNT',
      config: { source: 'left', type: 'chars' },
    });
    const heartbeat = new Heartbeat(api);
    const over = new AbortController();
    const besides = (async () => {
      while (!over.signal.aborted) {
        await tally.beside(quick);
        await pause(300);
      }
    })();
    try {
      for (; Date.now() < untilMs; tally.rounds += 1) {
        const hostile = oneOf(makers)();
        const isStep = Math.random() < 0.2;
        if (isStep) {
          const step = shared.has(hostile.type) && Math.random() < 0.5 ? hostile : oneOf(steps)();
          await tally.step(step);
        } else if (Math.random() < 0.4) await tally.node(hostile);
        else await tally.column(hostile);
      }
      // One more, that is under way when the service is told to end.
      const last = makers[0]?.();
      if (last)
        void tally
          .column({ ...last, config: { ...last.config, json_path: '$..[?count($..*)>0]' } })
          .catch(() => undefined);
      await pause(1000);
    } finally {
      over.abort();
      await besides.catch(() => undefined);
    }
    const longest = await heartbeat.stop();
    const all = [service.child, ...crew.workers];
    const children = all.flatMap(({ pid = 0 }) => processesBelow(pid));
    const began = performance.now();
    for (const worker of crew.workers) worker.kill('SIGTERM');
    await Promise.all([service.stop(), ...crew.workers.map(ended)]);
    const stopped = performance.now() - began;
    await pause(500);
    await crew.close();
    return [
      { metric: 'rounds', value: tally.rounds, unit: '' },
      { metric: 'configs that were refused', value: tally.refused, unit: '' },
      { metric: 'cells', value: tally.cells, unit: '' },
      { metric: 'cells, nodes and steps that did not end', value: tally.stuck, unit: '', limit: 0 },
      { metric: 'errors without a reason', value: tally.silent, unit: '', limit: 0 },
      {
        metric: 'longest way of a hostile operation to its end',
        value: tally.longestRound,
        unit: 'ms',
      },
      { metric: 'heartbeats', value: heartbeat.count, unit: '' },
      {
        metric: 'longest wait for the health of the service',
        value: longest,
        unit: 'ms',
        limit: 5000,
      },
      {
        metric: 'longest way of one quick cell of another sheet',
        value: tally.longestBeside,
        unit: 'ms',
        limit: 10_000,
      },
      { metric: 'from SIGTERM to the end', value: stopped, unit: 'ms', limit: 5500 },
      { metric: 'processes left', value: children.filter(isThere).length, unit: '', limit: 0 },
    ];
  },
});

export const hang = hangOn('SQLite');
export const hangOnPostgres = hangOn('PostgreSQL');
