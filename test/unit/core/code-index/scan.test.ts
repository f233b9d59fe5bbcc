import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { CodeCall, Given } from '../../../../src/core/code-index/call.ts';
import type { CodeLanguage } from '../../../../src/core/code-index/languages.ts';
import { languageOfFile, mayAskForPrompts } from '../../../../src/core/code-index/languages.ts';
import { callsIn, callsInSlices, Slices } from '../../../../src/core/code-index/scan.ts';
import { timeLimit } from '../../../support/time-limit.ts';
import type { CallSite } from './call-sites.ts';
import { pythonSites, scriptSites } from './call-sites.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

const given = (sign: string, value: Given<string | number> | undefined): string =>
  value === undefined ? '' : ` ${sign}${value.kind === 'literal' ? String(value.value) : '?'}`;

function described({ kind, name, label, version, variables, ...call }: CodeCall): string {
  const names = variables?.entries.map((entry) => entry.name) ?? [];
  const all = variables?.isOpen === true ? [...names, '…'] : names;
  return [
    `${kind} ${name.value}${given('@', label)}${given('#', version)}`,
    ...(variables === undefined ? [] : [`{${all.join(',')}}`]),
    ...(call.isOpen ? ['…'] : []),
    ...(call.hasBlueprint ? ['blueprint'] : []),
    ...(call.isUnfinished ? ['unfinished'] : []),
  ].join(' ');
}

const languageOf = (code: string): CodeLanguage =>
  /<[a-zA-Z]+[ />]/.test(code) ? 'scriptWithElements' : 'script';
const plain = (code: string): string => code.replace(/[⟦⟧]/g, '');

function assertSite([code, expected]: CallSite, language: CodeLanguage): void {
  const text = plain(code);
  const calls = callsIn(text, language);
  assert.equal(calls.map(described).join('; '), expected, code);
  const from = code.indexOf('⟦');
  assert.equal(from >= 0, expected !== '', `the table of ${code}`);
  if (from < 0) return;
  const marked = { from, to: code.indexOf('⟧') - 1 };
  const { name } = calls[0] ?? assert.fail(code);
  assert.deepEqual(name.span, marked, code);
  const { inner } = name;
  if (inner !== undefined && !code.includes('\\')) {
    assert.equal(text.slice(inner.from, inner.to), name.value, code);
  }
}

/** Every span of a call; all must be inside the text. */
function spansOf(call: CodeCall): { readonly from: number; readonly to: number }[] {
  const { name, label, version, variables } = call;
  return [
    ...[call.span, call.method, name.span, label?.span, version?.span, variables?.span],
    ...[name.inner, name.declared],
    ...(variables?.slots ?? []),
    ...(variables?.entries.map(({ span }) => span) ?? []),
  ].filter((span) => span !== undefined);
}

/** The same numbers in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

const all: readonly (readonly [CallSite, CodeLanguage])[] = [
  ...scriptSites.map((site) => [site, languageOf(site[0])] as const),
  ...pythonSites.map((site) => [site, 'python'] as const),
];

describe('Calls that ask for prompts', () => {
  it('are found in TypeScript and JavaScript as people write them, and nowhere else', () => {
    assert.ok(scriptSites.length >= 100, String(scriptSites.length));
    for (const site of scriptSites) assertSite(site, languageOf(site[0]));
  });

  it('are found in Python as people write them, and nowhere else', () => {
    assert.ok(pythonSites.length >= 100, String(pythonSites.length));
    for (const site of pythonSites) assertSite(site, 'python');
  });

  it('are found the same among other code, and with the line ends of Windows', () => {
    for (const [[code, expected], language] of all) {
      if (/unfinished/.test(expected) || code.startsWith('#!')) continue;
      const before = language === 'python' ? 'x = 1\n' : 'const x = 1;\n';
      const text = `${before}${plain(code)}\n${before}`.replaceAll('\n', '\r\n');
      assert.equal(callsIn(text, language).map(described).join('; '), expected, code);
    }
  });

  it('of a function that a setting names are found by their first argument', () => {
    const options = { callees: ['getPrompt', 'prompts.load'] };
    const found = (text: string, language: CodeLanguage): string[] =>
      callsIn(text, language, options).map(described);
    assert.deepEqual(found(`getPrompt('a'); prompts.load("b", { label: 'prod' });`, 'script'), [
      'callee a',
      'callee b @prod',
    ]);
    assert.deepEqual(found(`get_prompt("x")\ngetPrompt("a", version=2)`, 'python'), [
      'callee a #2',
    ]);
    assert.deepEqual(found(`load('a'); function getPrompt('a') {}`, 'script'), []);
  });

  it('never throw, and have all their spans inside the text, wherever that is cut or garbled', () => {
    const next = random(7);
    const signs = [
      '"',
      "'",
      '`',
      '{',
      '}',
      '(',
      ')',
      '[',
      '/',
      '\\',
      '\n',
      '${',
      '<a',
      '>',
      '#',
      '"""',
      'f"',
      '*',
      'é',
      '\ud800',
    ];
    const check = (text: string, language: CodeLanguage): void => {
      for (const call of callsIn(text, language)) {
        for (const { from, to } of spansOf(call)) {
          assert.ok(from >= 0 && from <= to && to <= text.length, `${from} to ${to} of ${text}`);
        }
      }
    };
    const languages = ['script', 'scriptWithElements', 'python'] as const;
    for (const [[code]] of all) {
      const text = plain(code);
      for (const language of languages) {
        for (let end = 0; end <= text.length; end += 1) check(text.slice(0, end), language);
        for (let times = 0; times < 30; times += 1) {
          let garbled = text;
          for (let many = 0; many < 3; many += 1) {
            const at = next(garbled.length + 1);
            garbled = `${garbled.slice(0, at)}${signs[next(signs.length)] ?? ''}${garbled.slice(at + next(3))}`;
          }
          check(garbled, language);
        }
      }
    }
  });

  it('have a place for a further variable wherever its name can be typed, and only there', () => {
    const sites: readonly (readonly [code: string, isPlace: boolean, language?: CodeLanguage])[] = [
      [`c.run({ promptName: 'a', inputVariables: {|} })`, true],
      [`c.run({ promptName: 'a', inputVariables: { | } })`, true],
      [`c.run({ promptName: 'a', inputVariables: { x: 1, | } })`, true],
      [`c.run({ promptName: 'a', inputVariables: { | x: 1 } })`, true],
      [`c.run({ promptName: 'a', inputVariables: { x|: 1 } })`, true],
      [`c.run({ promptName: 'a', inputVariables: { x| } })`, true],
      [`c.run({ promptName: 'a', inputVariables: { x: |1 } })`, false],
      [`c.run({ promptName: 'a', inputVariables: { x: { | } } })`, false],
      [`c.run({ promptName: 'a', | inputVariables: {} })`, false],
      [`c.run({ promptName: 'a', inputVariables: {\n  x: 1,\n  |`, true],
      [`c.run(prompt_name="a", input_variables={|})`, true, 'python'],
      [`c.run(prompt_name="a", input_variables={"x": 1, |})`, true, 'python'],
      [`c.run(prompt_name="a", input_variables={"x|": 1})`, true, 'python'],
      [`c.run(prompt_name="a", input_variables={"x": "|"})`, false, 'python'],
    ];
    for (const [code, isPlace, language = 'script'] of sites) {
      const at = code.indexOf('|');
      const [call] = callsIn(code.replace('|', ''), language);
      const slots = call?.variables?.slots ?? [];
      const isFound = slots.some(({ from, to }) => from <= at && at <= to);
      assert.equal(isFound, isPlace, code);
    }
  });

  it('are none in comments and strings, whatever call stands there', () => {
    for (const [[code, expected], language] of all) {
      if (expected === '' || /unfinished/.test(expected)) continue;
      const text = plain(code);
      const hidden =
        language === 'python'
          ? [
              text
                .split('\n')
                .map((line) => `# ${line}`)
                .join('\n'),
              JSON.stringify(text),
              `x = """${text.replaceAll('\\', '').replaceAll('"', "'")}"""`,
            ]
          : [
              text
                .split('\n')
                .map((line) => `// ${line}`)
                .join('\n'),
              `/* ${text.replaceAll('*/', '')} */`,
              JSON.stringify(text),
              `\`${text.replaceAll('\\', '').replaceAll('`', "'").replaceAll('$', '')}\``,
            ];
      for (const each of hidden) assert.deepEqual(callsIn(each, language), [], each);
    }
  });

  it('are none in packages that know nothing of prompts', () => {
    const packages = [
      'typescript',
      'zod',
      'hono',
      'undici',
      'mocha',
      'esbuild',
      'prettier',
      'yaml',
      'fast-check',
      'pg',
      'react',
      'axe-core',
    ];
    const files = packages
      .map((name) => path.join(root, 'node_modules', name))
      .filter((folder) => fs.existsSync(folder))
      .flatMap((folder) =>
        fs
          .readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((file) => languageOfFile(file) !== undefined)
          .slice(0, 40)
          .map((file) => path.join(folder, file)),
      )
      .filter((file) => fs.statSync(file).isFile() && fs.statSync(file).size < 300_000);
    assert.ok(files.length > 150, `${files.length} files`);
    for (const file of files) {
      // The last word makes that the whole file is read.
      const text = `${fs.readFileSync(file, 'utf8')}\n// promptName`;
      const language = languageOfFile(file);
      assert.ok(language !== undefined && mayAskForPrompts(text));
      assert.deepEqual(callsIn(text, language), [], file);
    }
  });

  it('of hostile texts take time in proportion to their length', () => {
    const many = 40_000;
    const mostMs = timeLimit(4000);
    const hostile: readonly (readonly [string, CodeLanguage])[] = [
      [`promptName ${'a.run({promptName:'.repeat(many)}`, 'script'],
      [`promptName ${'a.run({promptName:"a",inputVariables:{q:'.repeat(many)}`, 'script'],
      [`promptName = ${'/['.repeat(many)}`, 'script'],
      [`promptName ${'<a b={'.repeat(many)}`, 'scriptWithElements'],
      [`promptName ${'`${'.repeat(many)}`, 'script'],
      [`promptName ${'} /'.repeat(many)}`, 'script'],
      [`promptName ${'a.run<'.repeat(many)}${'>(b)'.repeat(many)}`, 'script'],
      [`promptName ${'const N = 1; a.run({promptName: N});'.repeat(many / 4)}`, 'script'],
      [`prompt_name ${'a.run(prompt_name='.repeat(many)}`, 'python'],
      [`prompt_name ${'f"{'.repeat(many)}`, 'python'],
      [`prompt_name ${'f"""{'.repeat(many)}`, 'python'],
      [`prompt_name\n${'N = "a"\na.run(prompt_name=N)\n'.repeat(many / 4)}`, 'python'],
      [`prompt_name ${'("a" '.repeat(many)}`, 'python'],
    ];
    for (const [text, language] of hostile) {
      const began = process.cpuUsage();
      callsIn(text, language);
      const { user, system } = process.cpuUsage(began);
      assert.ok(
        (user + system) / 1000 < mostMs,
        `${text.slice(0, 40)}: ${(user + system) / 1000} ms`,
      );
    }
  });

  it('of a large file are found in slices, and no more of them once that is cancelled', async () => {
    const text = `${'const a = [1, 2, { b: "c" }];\n'.repeat(20_000)}client.run({ promptName: 'greet' });`;
    let pauses = 0;
    const slices = new Slices(async () => {
      pauses += 1;
      await turn();
    }, 1);
    const { signal } = new AbortController();
    const found = await callsInSlices(text, 'script', { slices, signal });
    assert.deepEqual(found.map(described), ['run greet']);
    assert.ok(pauses > 3, `${pauses} pauses`);
    const stopping = new AbortController();
    const cancelled = callsInSlices(text, 'script', {
      slices: new Slices(async () => stopping.abort(new Error('Enough.')), 0),
      signal: stopping.signal,
    });
    await assert.rejects(cancelled, /Enough/);
  });
});
