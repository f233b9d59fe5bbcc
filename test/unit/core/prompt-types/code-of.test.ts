import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
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
