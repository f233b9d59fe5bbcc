import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { ExactNumber } from '../../../../src/api/exact-number.ts';
import { callsIn } from '../../../../src/core/code-index/scan.ts';
import type { AskedPrompt } from '../../../../src/core/prompt-types/code-of.ts';
import { codeKinds, codeOf } from '../../../../src/core/prompt-types/code-of.ts';

const hostile = `'; rm -rf ~; $(id) \`id\` "\n\u2028\${1}\\`;
const prompts: readonly AskedPrompt[] = [
  { name: 'greet', variables: [] },
  { name: 'greet', label: 'prod', variables: [{ name: 'question', form: 'text' }] },
  {
    ...{ name: hostile, label: hostile, baseURL: 'https://prompts.example.com/' },
    variables: [
      { name: hostile, form: 'text' },
      { name: 'user name', form: 'messages' },
    ],
  },
  { name: "it's", version: 3, variables: [{ name: 'a', form: 'media' }] },
];

describe('Code that asks for a prompt', () => {
  it('asks for exactly this prompt, whatever it is called', () => {
    for (const prompt of prompts) {
      for (const kind of codeKinds) {
        if (kind === 'curl') continue;
        const code = codeOf(kind, prompt);
        const [call, ...others] = callsIn(code, kind === 'python' ? 'python' : 'script');
        assert.ok(call !== undefined && others.length === 0, code);
        assert.equal(call.name.value, prompt.name);
        const { label, version, variables } = call;
        assert.equal(label?.kind === 'literal' ? label.value : undefined, prompt.label);
        assert.equal(version?.kind === 'literal' ? version.value : undefined, prompt.version);
        assert.deepEqual(
          variables?.entries.map(({ name }) => name) ?? [],
          prompt.variables.map(({ name }) => name),
        );
        assert.doesNotMatch(code, /pl_/);
      }
    }
  });

  it('holds the values that are given, in the language of the code', () => {
    const value = {
      ...{ [hostile]: [hostile, 1.5, true, null], count: new ExactNumber('9007199254740993') },
      empty: {},
    };
    const variables = [
      { name: 'data', form: 'text', given: { value } },
      { name: '__proto__', form: 'text', given: { value: 'own' } },
      { name: 'open', form: 'media' },
    ] as const;
    const prompt = { name: 'greet', variables, model: { provider: 'openai', name: `gpt'5` } };
    const exact = { ...value, count: '9007199254740993' };
    const script = codeOf('client', prompt).split('\n').slice(2).join('\n');
    const program = [
      '(async () => {',
      'class Client { run(options) { return options; } }',
      script,
      'process.stdout.write(JSON.stringify([result, Object.keys(result.inputVariables)]));',
      '})();',
    ];
    const made = spawnSync(process.execPath, ['-e', program.join('\n')], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    const [sent, names] = JSON.parse(made.stdout) as [Record<string, unknown>, string[]];
    assert.deepEqual(names, ['data', '__proto__', 'open']);
    const { inputVariables, ...options } = sent;
    assert.deepEqual(options, { promptName: 'greet', provider: 'openai', model: `gpt'5` });
    assert.deepEqual((inputVariables as { data: unknown }).data, exact);
    const [call] = callsIn(codeOf('promptlayer', prompt), 'script');
    assert.deepEqual(call?.variables?.entries[0]?.value, { value: exact });
    const [inPython] = callsIn(codeOf('python', prompt), 'python');
    const read = inPython?.variables?.entries[0]?.value?.value as Record<string, unknown>;
    assert.deepEqual(read[hostile], value[hostile]);
    const curl = codeOf('curl', { ...prompt, baseURL: 'https://a.example' });
    assert.match(curl, /"count":9007199254740993[^]*"provider":"openai"/);
  });

  it('for a shell is one command, with the key from the environment', () => {
    for (const prompt of prompts) {
      const code = codeOf('curl', prompt).replace(/^curl /, 'printf "%s\\0" ');
      const { status, stdout } = spawnSync('/bin/sh', ['-c', code], {
        encoding: 'utf8',
        env: { PROMPTLAYER_API_KEY: 'from the environment' },
      });
      assert.equal(status, 0, code);
      const [address, , key, , , , body = ''] = stdout.split('\0');
      assert.equal(decodeURIComponent(address?.split('/').at(-1) ?? ''), prompt.name);
      assert.equal(key, 'X-API-KEY: from the environment');
      const sent = JSON.parse(body) as { label?: string; input_variables: object };
      assert.equal(sent.label, prompt.label);
      assert.deepEqual(
        Object.keys(sent.input_variables),
        prompt.variables.map(({ name }) => name),
      );
    }
  });
});
