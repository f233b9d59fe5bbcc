import assert from 'node:assert/strict';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commands, settings } from '../../../src/extension/contributions.ts';
import { colors } from '../../../src/extension/contributions/views.ts';
import { capabilities, contributes, nls } from '../../../src/extension/manifest.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('manifest', () => {
  it('gives every command a title of its own, in title case', () => {
    const small = new Set([
      'a',
      'an',
      'and',
      'as',
      'by',
      'for',
      'from',
      'in',
      'of',
      'on',
      'or',
      'the',
      'to',
      'with',
    ]);
    for (const [id, { title }] of Object.entries(commands)) {
      for (const [index, word] of title.split(' ').entries()) {
        const isRight = /^[A-Z0-9]/.test(word) || (index > 0 && small.has(word));
        assert.ok(isRight, `${id}: ${title}`);
      }
    }
  });

  it('names only icons that VS Code has', () => {
    const css = fs.readFileSync(`${root}node_modules/@vscode/codicons/dist/codicon.css`, 'utf8');
    const known = new Set([...css.matchAll(/\.codicon-([\w-]+):before/g)].map(([, name]) => name));
    for (const [id, { icon }] of Object.entries(commands)) {
      if (icon !== undefined) assert.ok(known.has(icon), `${id}: ${icon}`);
    }
  });

  it('writes each setting with its default, and no secret among those that are used', () => {
    for (const [name, { schema }] of Object.entries(settings)) {
      const entry = contributes.configuration.properties[`promptTables.${name}`] as {
        readonly default: unknown;
      };
      assert.deepEqual(entry.default, schema().parse(undefined), name);
    }
    const secret = Object.entries(settings).filter(([name]) =>
      /key|token|secret|password/i.test(name),
    );
    assert.ok(secret.every(([, setting]) => 'deprecation' in setting));
  });

  it('takes only what is harmless from a folder that is not trusted', () => {
    const harmless = [
      ...['tree.pageSize', 'evaluations.scoreColumns', 'evaluations.threshold'],
      ...['code.enabled', 'code.lenses', 'code.problems', 'code.callees'],
      'code.highlight',
      // A folder can show answers of this user's own runs again, and keep more of them.
      'run.answerCache',
    ];
    const taken = Object.entries(settings)
      .filter(([, { scope }]) => scope === 'window')
      .map(([name]) => name)
      .filter(
        (name) =>
          !capabilities.untrustedWorkspaces.restrictedConfigurations.includes(
            `promptTables.${name}`,
          ),
      );
    assert.deepEqual(taken.sort(), harmless.sort());
  });

  it('offers its tools to assistants only where a workspace is in use', () => {
    for (const tool of contributes.languageModelTools)
      assert.equal(tool.when, 'promptTables.connection != none', tool.name);
  });

  it('has a colour for every kind of theme', () => {
    for (const { id, defaults } of colors) {
      assert.deepEqual(
        Object.keys(defaults).sort(),
        ['dark', 'highContrast', 'highContrastLight', 'light'],
        id,
      );
    }
  });

  it('has files for all pictures that it names', () => {
    const manifest = fs.readFileSync(`${root}package.json`, 'utf8');
    const named = manifest.match(/media\/[\w./-]+\.\w+/g) ?? [];
    assert.ok(named.length >= 5);
    for (const file of named) assert.ok(fs.existsSync(root + file), file);
  });

  it('has neither empty texts nor texts with stray blanks', () => {
    for (const [key, text] of Object.entries(nls)) {
      assert.equal(text, text.trim(), key);
      assert.ok(text.length > 0, key);
    }
  });
});
