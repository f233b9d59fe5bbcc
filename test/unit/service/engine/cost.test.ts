import assert from 'node:assert/strict';
import { columnTypes } from '../../../../src/api/column.ts';
import type { Tools } from '../../../../src/service/engine/columns/column-kind.ts';
import type { Json } from '../../../../src/service/engine/columns/json.ts';
import { columnKind } from '../../../../src/service/engine/columns/registry.ts';
import { Sources, type SourceEntry } from '../../../../src/service/engine/columns/sources.ts';
import { CellProblem, EngineProblem } from '../../../../src/service/engine/problem.ts';
import { CallContext } from '../../../../src/service/engine/prompts.ts';
import { Sandbox } from '../../../../src/service/sandbox/sandbox.ts';
import { stepKind, stepTypes } from '../../../../src/service/scorecards/step-kinds.ts';
import { holdsText } from '../../../../src/core/holds-text.ts';
import { renderText } from '../../../../src/core/templates/render-text.ts';
import { RenderError } from '../../../../src/core/templates/render-error.ts';
import { variablesOfText } from '../../../../src/core/templates/template-variables.ts';
import { workOf } from '../../../support/work-of.ts';
import { sandboxProgram } from '../../../support/service-entry.ts';
import { timeLimit } from '../../../support/time-limit.ts';

const SANDBOX_MS = 500;
const tools: Tools = {
  sandbox: new Sandbox({
    ...sandboxProgram,
    shortTimeMs: SANDBOX_MS,
    limits: { timeMs: SANDBOX_MS },
  }),
  signal: new AbortController().signal,
  callContext: new CallContext({
    kind: 'operation',
    sheetKey: 1,
    operationKey: 1,
    isRestricted: false,
  }),
  prompts: undefined,
  outside: undefined,
};

/** What is the worst for a kind, for a number of characters or items. */
interface Hostile {
  readonly type: string;
  readonly config: (size: number) => Json;
  readonly sources: (size: number) => Readonly<Record<string, Json | readonly Json[]>>;
}

const a = (size: number): string => 'a'.repeat(size);
const deep = (size: number, inside: Json): Json => {
  let value = inside;
  // No deeper than what the stack of a recursive reader holds.
  for (let level = 0; level < Math.min(size, 2000); level += 1) value = [value];
  return value;
};
const numbers = (size: number): Json[] => Array.from({ length: size }, (_, at) => at);
const objects = (size: number): Json[] => Array.from({ length: size }, () => ({}));
const fields = (size: number): Json =>
  Object.fromEntries(Array.from({ length: size }, (_, at) => [`k${String(at)}`, 1]));
const needle = (size: number): string => `${a(10)}b${a(size)}`;
const one = (config: object, source: (size: number) => Json): Omit<Hostile, 'type'> => ({
  config: () => ({ source: 'a', ...config }),
  sources: (size) => ({ source: source(size) }),
});
const two = (
  config: object,
  left: (size: number) => Json,
  right: (size: number) => Json,
): Omit<Hostile, 'type'> => ({
  config: () => ({ sources: ['a', 'b'], ...config }),
  sources: (size) => ({ sources: [left(size), right(size)] }),
});
const conditional = (operator: string, config: object = {}): object => ({
  conditionals: [
    { operator, left_config: { source: 'left', ...config }, right_config: { source: 'right' } },
  ],
});
const compared = (
  operator: string,
  left: (size: number) => Json,
  right: (size: number) => Json,
  config: object = {},
): Omit<Hostile, 'type'> => ({
  config: () => conditional(operator, config) as Json,
  sources: (size) => ({ conditionals: [left(size), right(size)] }),
});

/** Every kind that computes by itself; the rest asks models, servers or people. */
const columns: readonly Hostile[] = [
  {
    type: 'ABSOLUTE_NUMERIC_DISTANCE',
    ...two(
      {},
      (n) => '9'.repeat(n),
      (n) => `0.${'1'.repeat(n)}`,
    ),
  },
  {
    type: 'APPLY_DIFF',
    config: () => ({ content_source: 'a', diff_source: 'b' }),
    sources: (n) => ({
      content_source: 'x\n'.repeat(n / 4),
      diff_source: `--- a\n+++ b\n${'@@ -1,2 +1,2 @@\n x\n-y\n+z\n'.repeat(n / 40)}`,
    }),
  },
  { type: 'ASSERT_VALID', ...one({ type: 'object' }, (n) => '{"a":'.repeat(n / 5)) },
  { type: 'ASSERT_VALID', ...one({ type: 'number' }, (n) => '1'.repeat(n)) },
  { type: 'ASSERT_VALID', ...one({ type: 'sql' }, (n) => `select ${'('.repeat(n)}`) },
  {
    type: 'COALESCE',
    ...two(
      {},
      () => null,
      (n) => numbers(n),
    ),
  },
  {
    type: 'COMBINE_COLUMNS',
    ...two(
      {},
      (n) => numbers(n),
      (n) => fields(n),
    ),
  },
  {
    type: 'COMPARE',
    ...two(
      { comparison_type: 'STRING' },
      (n) => a(n),
      (n) => `${a(n - 1)}b`,
    ),
  },
  {
    type: 'COMPARE',
    ...two(
      { comparison_type: 'JSON' },
      (n) => deep(n, numbers(n)),
      (n) => deep(n, numbers(n)),
    ),
  },
  {
    type: 'COMPARE',
    ...two(
      { comparison_type: 'NUMBER' },
      (n) => '9'.repeat(Math.min(n, 4000)),
      (n) => '8'.repeat(Math.min(n, 4000)),
    ),
  },
  {
    type: 'COMPARE',
    ...two(
      { comparison_type: { type: 'JSON', json_path: '$..[?count($..*)>0]' } },
      (n) => objects(n / 4),
      () => 1,
    ),
  },
  {
    type: 'CONDITION',
    ...compared(
      'in',
      (n) => fields(n / 10),
      (n) => objects(n / 4),
    ),
  },
  {
    type: 'CONDITION',
    ...compared(
      'in',
      (n) => '1'.repeat(n),
      (n) => numbers(n),
    ),
  },
  { type: 'CONDITION', ...compared('in', needle, (n) => a(2 * n)) },
  {
    type: 'CONDITION',
    ...compared(
      '=',
      (n) => objects(n / 4),
      () => 1,
      { json_path: '$..[?count($..*)>0]' },
    ),
  },
  {
    type: 'CONTAINS',
    config: () => ({ source: 'a', value_source: 'b' }),
    sources: (n) => ({ source: a(2 * n), value_source: needle(n) }),
  },
  { type: 'COUNT', ...one({ type: 'chars' }, (n) => '😀'.repeat(n)) },
  { type: 'COUNT', ...one({ type: 'words' }, (n) => 'a '.repeat(n)) },
  { type: 'COUNT', ...one({ type: 'sentences' }, (n) => 'a. "(b'.repeat(n / 4)) },
  { type: 'COUNT', ...one({ type: 'paragraphs' }, (n) => '\n \t'.repeat(n)) },
  {
    type: 'CODE_EXECUTION',
    config: () => ({ code: 'for (;;);' }),
    sources: (n) => ({ code: numbers(n) }),
  },
  {
    type: 'COSINE_SIMILARITY',
    ...two(
      {},
      (n) => numbers(n),
      (n) => numbers(n),
    ),
  },
  { type: 'JSON_PATH', ...one({ json_path: '$[*].a[0]["b"][1:]' }, (n) => objects(n)) },
  { type: 'JSON_PATH', ...one({ json_path: '$..[?count($..*)>0]' }, (n) => objects(n / 4)) },
  { type: 'JSON_PATH', ...one({ json_path: '$..[*,*]..[*,*]..[*,*]' }, (n) => deep(n / 100, 1)) },
  { type: 'JSON_PATH', ...one({ json_path: '$[?search(@, "(a*)*b")]' }, (n) => [a(n), a(n)]) },
  {
    type: 'MATH_OPERATOR',
    ...two(
      { operator: 'lt' },
      (n) => '9'.repeat(Math.min(n, 4000)),
      (n) => '8'.repeat(Math.min(n, 4000)),
    ),
  },
  { type: 'MIN_MAX', ...one({ type: 'max' }, (n) => deep(n, numbers(n))) },
  {
    type: 'MIN_MAX',
    ...one({ type: 'max', json_path: '$..*..*..*' }, (n) => deep(n, numbers(n / 4))),
  },
  { type: 'PARSE_VALUE', ...one({ type: 'object' }, (n) => `[${'[],'.repeat(n / 3)}1]`) },
  { type: 'PARSE_VALUE', ...one({ type: 'number' }, (n) => '1'.repeat(n)) },
  { type: 'PARSE_VALUE', ...one({ type: 'boolean' }, (n) => ` ${a(n)}`) },
  { type: 'REGEX', ...one({ regex_pattern: '(?:a{0,100}){100}b' }, a) },
  { type: 'REGEX', ...one({ regex_pattern: '^(?=a)(a|a)*$' }, (n) => `${a(n)}b`) },
  { type: 'REGEX_EXTRACTION', ...one({ regex_pattern: 'a.*b|a' }, a) },
  {
    type: 'VARIABLE',
    config: (n) => ({ value: { type: 'json', value: `[${'1,'.repeat(n)}1]` } }),
    sources: () => ({}),
  },
  {
    type: 'XML_PATH',
    ...one({ xml_path: '//*[count(//*)>0]' }, (n) => `<a>${'<b/>'.repeat(n / 4)}</a>`),
  },
  {
    type: 'XML_PATH',
    ...one(
      { xml_path: `.${'/ancestor-or-self::*/descendant-or-self::*'.repeat(20)}` },
      (n) => `<a>${'<b/>'.repeat(n / 4)}</a>`,
    ),
  },
  { type: 'XML_PATH', ...one({ xml_path: 'a' }, (n) => '<a '.repeat(n / 3)) },
];

const calls = (size: number): Json =>
  deep(
    size / 4,
    Array.from({ length: size / 10 }, () => ({ name: 't', arguments: '{' })),
  );
const steps: readonly Hostile[] = [
  { type: 'COLUMN_AGGREGATE', ...one({}, (n) => numbers(n)) },
  {
    type: 'STRUCTURE',
    ...one({ schema: { type: 'array', items: { enum: objects(500) } } }, (n) =>
      Array.from({ length: n / 100 }, () => fields(20)),
    ),
  },
  { type: 'MAX_TOOL_CALLS', ...one({ max: 1 }, calls) },
  { type: 'NO_INVALID_TOOL_CALLS', ...one({ tool_names: ['u'] }, calls) },
  { type: 'TOOL_EVALUATOR', ...one({ tool_names: ['t', 'u'] }, calls) },
  { type: 'TRAJECTORY', ...one({ expected: ['t', 'u'] }, calls) },
  { type: 'COUNT', ...one({ type: 'sentences', max: 1 }, (n) => 'a. '.repeat(n)) },
];

function sourcesOf(given: Readonly<Record<string, Json | readonly Json[]>>, config: Json): Sources {
  const names = JSON.stringify(config).includes('"left"') ? ['left', 'right'] : [];
  const isList = (key: string): boolean => key === 'sources' || key === 'conditionals';
  return new Sources(
    Object.entries(given).flatMap(([configKey, values]) =>
      (isList(configKey) ? (values as readonly Json[]) : [values as Json]).map(
        (value, at): SourceEntry => ({
          configKey,
          name: names[at],
          state: { kind: 'value', title: `${configKey}${String(at)}`, value },
        }),
      ),
    ),
  );
}

const SIZE = 40_000;
const FACTOR = 8;

/** Runs `work` on a size and on eight times that: both within the limit, and the second not much longer. */
async function assertBounded(work: (size: number) => () => unknown): Promise<void> {
  const small = await workOf(work(SIZE));
  const large = await workOf(work(SIZE * FACTOR));
  const limit = Math.max(1500, 4 * FACTOR * small);
  assert.ok(
    large <= limit,
    `${String(FACTOR)} times the input took ${small.toFixed(0)} and ${large.toFixed(0)} ms of this thread.`,
  );
}

describe('What a computation costs', function () {
  this.timeout(120_000);
  after(() => tools.sandbox.close());

  for (const [kindOf, hostile] of [
    ...columns.map((one) => [columnKind, one] as const),
    ...steps.map((one) => [stepKind, one] as const),
  ]) {
    const { type, config, sources } = hostile;
    it(`${type} ${JSON.stringify(config(4)).slice(0, 90)}`, async () => {
      const ends: number[] = [];
      await assertBounded((size) => {
        const given = sourcesOf(sources(size), config(size));
        return async () => {
          const began = performance.now();
          try {
            await kindOf(type)!.compile(config(size)).compute(given, tools);
          } catch (error) {
            if (!(error instanceof CellProblem || error instanceof EngineProblem)) throw error;
          }
          ends.push(performance.now() - began);
        };
      });
      // The limit of the sandbox, and what a busy machine needs to start a process of it.
      assert.ok(
        Math.max(...ends) < SANDBOX_MS + timeLimit(7500),
        `It took ${ends.join(' and ')} ms.`,
      );
    });
  }

  it('is tried for every type that computes by itself, and every step', () => {
    const asking = [
      ...['AI_DATA_EXTRACTION', 'CONVERSATION_SIMULATOR', 'ENDPOINT', 'FOR_LOOP', 'HUMAN'],
      ...['LLM_ASSERTION', 'MCP', 'PROMPT_TEMPLATE', 'WHILE_LOOP', 'WORKFLOW'],
    ];
    const inputs = ['TEXT', 'COMPOSITION', 'DATASET'];
    const tried = new Set(columns.map(({ type }) => type));
    const untried = (columnTypes as readonly string[]).filter(
      (type) => !tried.has(type) && !asking.includes(type) && !inputs.includes(type),
    );
    assert.deepEqual(untried, []);
    const triedSteps = new Set([...tried, ...steps.map(({ type }) => type), 'LLM_ASSERTION']);
    assert.deepEqual(
      stepTypes.filter((type) => !triedSteps.has(type)),
      [],
    );
  });

  it('a search for a long text', async () => {
    for (const sought of [
      needle,
      (n: number) => `${a(n)}b`,
      (n: number) => `${a(n / 2)}b${a(n / 2)}`,
    ]) {
      await assertBounded(
        (size) => () => assert.equal(holdsText(a(2 * size), sought(size)), false),
      );
    }
  });

  it('a template, whatever is in it and in its values', async () => {
    const sources = [
      '{a:',
      '{{',
      '{%',
      '{{ a }}',
      '{% set x = [] %}',
      '{% if a %}',
      '{{ a|',
      '{a}',
      '{a:}',
      '{# ',
      '{% for i in l %}{% for j in l %}{{ a|upper }}{% endfor %}{% endfor %}',
      '{% for i in l %}{% if l == m %}x{% endif %}{% endfor %}',
      '{% for i in l %}{% if s in a %}x{% endif %}{% endfor %}',
    ];
    for (const unit of sources) {
      for (const format of ['jinja2', 'f-string']) {
        await assertBounded((size) => {
          const variables = { a: a(size), s: needle(size / 2), l: numbers(1000), m: numbers(1000) };
          const isLoop = unit.includes('for');
          const text = isLoop ? unit : unit.repeat(size / 8);
          return () => {
            variablesOfText(text, format);
            try {
              renderText(text, format, variables, ['text']);
            } catch (error) {
              if (!(error instanceof RenderError)) throw error;
            }
          };
        });
      }
    }
  });
});
