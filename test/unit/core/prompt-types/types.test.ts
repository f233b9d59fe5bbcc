import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Ajv } from 'ajv';
import { GeneratedModule, isGenerated } from '../../../../src/core/prompt-types/generated.ts';
import { pythonOf } from '../../../../src/core/prompt-types/python.ts';
import type { PromptType } from '../../../../src/core/prompt-types/read.ts';
import type { Shape } from '../../../../src/core/prompt-types/shape.ts';
import { shapeOf } from '../../../../src/core/prompt-types/shape.ts';
import { typescriptOf } from '../../../../src/core/prompt-types/typescript.ts';
import { startPromptService } from '../../../host/support/prompt-service.ts';
import { typesEntry } from '../../../support/service-entry.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const tsc = path.join(root, 'node_modules', 'typescript', 'lib', 'tsc.js');

const hostile = `'; import x; */ "\n\u2028\`\${1}\\`;

const prompts: readonly PromptType[] = [
  {
    name: hostile,
    variables: [{ name: hostile, form: 'text', isOptional: false }],
    labels: [hostile],
    output: { type: 'object', properties: { [hostile]: { not: {} } }, required: [hostile] },
  },
  { name: 'no variables', variables: [], labels: [], output: undefined },
  {
    name: 'support/answer',
    variables: [
      { name: 'history', form: 'messages', isOptional: true },
      { name: 'photos', form: 'media', isOptional: true },
      { name: 'question', form: 'text', isOptional: false },
      { name: 'user name', form: 'text', isOptional: false },
    ],
    labels: ['dev', 'prod'],
    output: {
      type: 'object',
      properties: {
        verdict: { type: 'string', enum: ['yes', 'no'] },
        score: { type: ['number', 'null'], minimum: 0 },
        parts: { type: 'array', items: { $ref: '#/$defs/part' } },
      },
      required: ['verdict', 'parts'],
      additionalProperties: false,
      $defs: { part: { type: 'object', properties: { at: { type: 'integer' } } } },
    },
  },
  { name: 'support answer', variables: [], labels: ['prod'], output: undefined },
];

const golden = (name: string): string =>
  fs.readFileSync(path.join(import.meta.dirname, 'golden', name), 'utf8');

/** The same numbers in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Whether a value is of the type that is written for a shape. */
function accepts(shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case 'unknown':
      return true;
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === shape.kind;
    case 'integer':
      return typeof value === 'number';
    case 'null':
      return value === null;
    case 'literals':
      return shape.values.some((each) => each === value);
    case 'list':
      return Array.isArray(value) && value.every((each) => accepts(shape.items, each));
    case 'either':
      return shape.shapes.some((each) => accepts(each, value));
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
      const given = new Map<string, unknown>(Object.entries(value));
      const fit = shape.fields.every(({ name, shape: field, isNeeded }) =>
        given.has(name) ? accepts(field, given.get(name)) : !isNeeded,
      );
      const names = new Set(shape.fields.map(({ name }) => name));
      return fit && (shape.isOpen || [...given.keys()].every((name) => names.has(name)));
    }
  }
}

const words = ['a', 'b', 'c'];

function schemaFrom(next: (below: number) => number, depth: number): object {
  const inner = (): object => schemaFrom(next, depth + 1);
  const fields = (): object =>
    Object.fromEntries(words.slice(0, next(3)).map((name) => [name, inner()]));
  switch (next(depth > 3 ? 6 : 11)) {
    case 0:
      return { type: 'string', maxLength: 2 };
    case 1:
      return { type: 'integer' };
    case 2:
      return { type: ['number', 'null'] };
    case 3:
      return { enum: ['a', 1, null] };
    case 4:
      return { const: true };
    case 5:
      return {};
    case 6:
      return { type: 'array', items: inner() };
    case 7:
      return { anyOf: [inner(), inner()] };
    case 8:
      return { oneOf: [inner(), inner()] };
    case 9:
      return { type: 'object', properties: fields(), required: words.slice(0, next(3)) };
    default:
      return { type: 'object', properties: fields(), additionalProperties: next(2) === 0 };
  }
}

function valueFrom(next: (below: number) => number, depth: number): unknown {
  const inner = (): unknown => valueFrom(next, depth + 1);
  switch (next(depth > 3 ? 6 : 9)) {
    case 0:
      return 'a';
    case 1:
      return next(3);
    case 2:
      return 1.5;
    case 3:
      return null;
    case 4:
      return true;
    case 5:
      return 'long text';
    case 6:
      return Array.from({ length: next(3) }, inner);
    default:
      return Object.fromEntries(words.slice(0, next(4)).map((name) => [name, inner()]));
  }
}

describe('Types of prompts', function () {
  this.timeout(120_000);
  let folder: string;

  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'prompt-types-'));
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('are always written the same, whatever prompts are called', () => {
    assert.equal(typescriptOf(prompts).text, golden('prompts.ts.txt'));
    assert.equal(pythonOf(prompts).text, golden('prompts.py.txt'));
  });

  it('of prompts that can not be read stay as they were, and the others are made anew', () => {
    const sorted = prompts.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    for (const make of [typescriptOf, pythonOf]) {
      const { text: before } = make(sorted);
      for (const { name } of sorted) {
        const readable = sorted.filter((each) => each.name !== name);
        const made = make(readable, { unread: [name], text: before });
        assert.deepEqual(made.leftOut, []);
        assert.equal(made.text, before, name);
        const unknown = make(readable, { unread: [name], text: '' });
        assert.deepEqual(unknown, { text: make(readable).text, leftOut: [name] });
      }
      // What a new prompt is called takes nothing away from a former one.
      const added = { name: 'support-answer', variables: [], labels: [], output: undefined };
      const unread = ['support/answer'];
      const rest = sorted.filter(({ name }) => name !== 'support/answer');
      const { text: after } = make([...rest, added], { unread, text: before });
      const parts = after.split('\n').filter((line) => line.includes('"support/answer"'));
      assert.ok(parts.length > 0 && after.includes('"user name"'), after);
      const names = [...after.matchAll(/^(\w+) = TypedDict/gm)].map(([, found]) => found);
      assert.equal(new Set(names).size, names.length);
    }
  });

  it('let the compiler refuse what is misspelt, and nothing else', () => {
    fs.writeFileSync(path.join(folder, 'prompts.ts'), typescriptOf(prompts).text);
    const caller = `
import { typed } from './prompts.ts';
import type { PromptOutput } from './prompts.ts';
interface Options { promptName: string; inputVariables?: object; stream?: boolean; tags?: string[] }
type Either = { groupId?: number; promptName: string } | { group_id?: number; prompt_name: string };
declare const plain: { run(options: Options): Promise<number>; close(): void };
const client = typed(plain);
const question = 'Why?';
export const right: Promise<number>[] = [
  client.run({ promptName: 'support/answer', inputVariables: { question, 'user name': 'Ann' } }),
  client.run({ promptName: 'support/answer', promptReleaseLabel: 'prod', tags: ['a'], inputVariables: { question, 'user name': 1, photos: ['x'], history: [{}] } }),
  client.run({ promptName: 'no variables' }),
  client.run({ promptName: 'support answer', promptVersion: 3, stream: true }),
];
client.close();
declare const either: { run(options: Either): Promise<number> };
void typed(either).run({ promptName: 'no variables', groupId: 3 });
// @ts-expect-error no such prompt
void client.run({ promptName: 'support/anser', inputVariables: { question, 'user name': 'Ann' } });
// @ts-expect-error a variable is missing
void client.run({ promptName: 'support/answer', inputVariables: { question } });
// @ts-expect-error all variables are missing
void client.run({ promptName: 'support/answer' });
// @ts-expect-error a variable is misspelt
void client.run({ promptName: 'support/answer', inputVariables: { question, 'user name': 'Ann', qestion: '' } });
// @ts-expect-error a list is given as a text
void client.run({ promptName: 'support/answer', inputVariables: { question, 'user name': 'Ann', photos: 'x' } });
// @ts-expect-error no such label
void client.run({ promptName: 'support/answer', promptReleaseLabel: 'prd', inputVariables: { question, 'user name': 'Ann' } });
// @ts-expect-error it has no labels
void client.run({ promptName: 'no variables', promptReleaseLabel: 'prod' });
// @ts-expect-error it has no variables
void client.run({ promptName: 'no variables', inputVariables: { a: 1 } });
// @ts-expect-error another option of the client is wrong
void client.run({ promptName: 'no variables', stream: 'yes' });
export const answer: PromptOutput<'support/answer'> = { verdict: 'yes', parts: [{ at: 3 }], score: null };
// @ts-expect-error neither yes nor no
export const other: PromptOutput<'support/answer'>['verdict'] = 'maybe';
`;
    fs.writeFileSync(path.join(folder, 'caller.ts'), caller);
    const compilerOptions = {
      ...{ noEmit: true, strict: true, skipLibCheck: true, allowImportingTsExtensions: true },
      ...{ target: 'es2022', module: 'nodenext', types: [] },
    };
    const project = path.join(folder, 'tsconfig.json');
    fs.writeFileSync(project, JSON.stringify({ compilerOptions, files: ['caller.ts'] }));
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', project], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout);
  });

  it('are Python that can be loaded', function () {
    const file = path.join(folder, 'prompts.py');
    for (const count of [0, 1, prompts.length]) {
      fs.writeFileSync(file, pythonOf(prompts.slice(0, count)).text);
      const { status, stderr, error } = spawnSync('python3', ['-m', 'py_compile', file], {
        encoding: 'utf8',
      });
      if (error !== undefined) this.skip();
      assert.equal(status, 0, stderr);
    }
  });

  it('let a type checker of Python refuse what is misspelt, and nothing else', function () {
    const right = [
      `run(client, "support/answer", input_variables={"question": "a", "user name": 1})`,
      `run(client, "support/answer", prompt_release_label="prod", tags=["a"], input_variables={"question": "a", "user name": "b", "photos": ["x"], "history": [{}]})`,
      `run(client, "no variables", prompt_version=3)`,
    ];
    const wrong = [
      `run(client, "support/anser", input_variables={"question": "a", "user name": "b"})`,
      `run(client, "support/answer", input_variables={"question": "a"})`,
      `run(client, "support/answer")`,
      `run(client, "support/answer", input_variables={"question": "a", "user name": "b", "qestion": "c"})`,
      `run(client, "support/answer", input_variables={"question": "a", "user name": "b", "history": 1})`,
      `run(client, "support/answer", prompt_release_label="prd", input_variables={"question": "a", "user name": "b"})`,
      `run(client, "no variables", prompt_release_label="prod")`,
      `run(client, "no variables", input_variables={"a": 1})`,
      `verdict: SupportAnswerAnswer = {"verdict": "maybe", "parts": []}`,
    ];
    fs.writeFileSync(path.join(folder, 'prompts_gen.py'), pythonOf(prompts).text);
    const head = [
      'from typing import Any',
      'from prompts_gen import SupportAnswerAnswer, run',
      'client: Any = object()',
      `answer: SupportAnswerAnswer = {"verdict": "yes", "parts": [{"at": 3}], "score": None}`,
    ];
    const lines = [...head, ...right, ...wrong];
    fs.writeFileSync(path.join(folder, 'caller.py'), `${lines.join('\n')}\n`);
    const options = ['--strict', '--no-error-summary', '--cache-dir', path.join(folder, 'mypy')];
    const { stdout, error } = spawnSync('mypy', [...options, 'caller.py'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (error !== undefined) this.skip();
    const refused = [...stdout.matchAll(/^(.+):(\d+): error:/gm)].map(
      ([, file, line]) => `${file} ${lines[Number(line) - 1]}`,
    );
    assert.deepEqual(
      [...new Set(refused)],
      wrong.map((line) => `caller.py ${line}`),
      stdout,
    );
  });

  it('know which prompts have changed since they were generated, and only those', () => {
    const changes: readonly ((prompt: PromptType) => PromptType)[] = [
      (prompt) => ({ ...prompt, name: `${prompt.name} of now` }),
      (prompt) => ({ ...prompt, labels: [...prompt.labels, 'zeta'] }),
      (prompt) => ({ ...prompt, output: { type: 'object', properties: { zeta: {} } } }),
      (prompt) => ({
        ...prompt,
        variables: [...prompt.variables, { name: 'zeta', form: 'text', isOptional: false }],
      }),
    ];
    for (const make of [typescriptOf, pythonOf]) {
      const { text } = make(prompts);
      assert.ok(isGenerated(text) && !isGenerated(text.slice(1)));
      for (const ending of ['\n', '\r\n']) {
        const module = new GeneratedModule(text.replaceAll('\n', ending));
        for (const prompt of prompts) {
          assert.ok(module.fits(prompt), prompt.name);
          for (const change of changes) assert.ok(!module.fits(change(prompt)), prompt.name);
        }
      }
    }
  });

  it('take every answer that a validator of its JSON schema takes', () => {
    const next = random(11);
    // Making one takes longer than what it is asked here.
    const ajv = new Ajv({ strict: false });
    let valid = 0;
    for (let times = 0; times < 400; times += 1) {
      const schema = schemaFrom(next, 0);
      const validate = ajv.compile(schema);
      const { shape } = shapeOf(schema);
      for (let tries = 0; tries < 20; tries += 1) {
        const value = valueFrom(next, 0);
        if (!validate(value)) continue;
        valid += 1;
        assert.ok(accepts(shape, value), `${JSON.stringify(schema)} ${JSON.stringify(value)}`);
      }
    }
    assert.ok(valid > 1000, `${valid} values were valid`);
  });

  it('of a schema that refers to itself, or is large, have an end', () => {
    const itself = { type: 'object', properties: { next: { $ref: '#' } } };
    assert.ok(shapeOf(itself).notes.length > 0);
    const wide = (depth: number): object =>
      depth === 0
        ? { type: 'string' }
        : { anyOf: Array.from({ length: 6 }, () => wide(depth - 1)) };
    assert.ok(shapeOf(wide(6)).notes.length > 0);
  });

  it('are written and checked by the command', async () => {
    const service = await startPromptService();
    const files = ['made.ts', 'made.py'].map((name) => path.join(folder, name));
    const command = async (...args: readonly string[]) => {
      const child = spawn(process.execPath, [typesEntry, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, PROMPTLAYER_API_KEY: 'pl_1', PROMPTLAYER_BASE_URL: service.url },
      });
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { code: await ended, out, err };
    };
    const outs = files.flatMap((file) => ['--out', file]);
    try {
      const missing = await command(...outs, '--check');
      assert.equal(missing.code, 1, missing.err);
      assert.ok(files.every((file) => !fs.existsSync(file)));
      const written = await command(...outs);
      assert.deepEqual([written.code, written.out], [0, '3 prompts: written.\n'], written.err);
      assert.equal((await command(...outs, '--check')).code, 0);
      const made = fs.readFileSync(files[0] ?? '', 'utf8');
      assert.match(made, /"support\/answer": \{\n {4}variables: \{ "question": .*; "tone": /);
      assert.match(made, /labels: "prod";/);
      fs.writeFileSync(files[0] ?? '', made.replace('"tone"', '"mood"'));
      const drifted = await command(...outs, '--check');
      assert.equal(drifted.code, 1);
      assert.match(drifted.out, /- .*"mood"[^]*\+ .*"tone"/);
      assert.equal((await command('--out', 'types.txt')).code, 2);
      // One that can't be read any more keeps what was said of it, and its place in CI is not green.
      await command(...outs);
      const before = files.map((file) => fs.readFileSync(file, 'utf8'));
      service.fail('summarize');
      const kept = await command(...outs);
      assert.equal(kept.code, 2, kept.out);
      assert.match(kept.err, /"summarize" can't be read[^]*made\.ts: "summarize" keeps its former/);
      assert.deepEqual(
        files.map((file) => fs.readFileSync(file, 'utf8')),
        before,
      );
    } finally {
      await service.close();
    }
  });
});
