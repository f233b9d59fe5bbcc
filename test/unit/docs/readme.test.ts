import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { documents } from '../../../scripts/package-extension.mjs';
import { commands, keybindings, settings } from '../../../src/extension/contributions.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const readme = read('README.md');
const pages = readdirSync(path.join(root, 'docs')).map((name) => `docs/${name}`);

describe('documentation', () => {
  it('names every setting with its default', () => {
    for (const [name, setting] of Object.entries(settings)) {
      if ('deprecation' in setting) continue;
      const line = readme.split('\n').find((each) => each.includes(`\`promptTables.${name}\``));
      assert.ok(line, `README.md does not name promptTables.${name}`);
      const value = setting.schema().parse(undefined);
      const byDefault = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
      assert.ok(line.includes(`\`${byDefault}\``), `default of promptTables.${name}: ${byDefault}`);
    }
  });

  it('has an example of every setting that fits it', () => {
    const lines = read('docs/settings.md').split('\n');
    for (const [name, setting] of Object.entries(settings)) {
      if ('deprecation' in setting) continue;
      const id = `promptTables.${name}`;
      const line = lines.find((each) => each.startsWith(`| \`${id}\``));
      assert.ok(line, `docs/settings.md does not name ${id}`);
      const byDefault = JSON.stringify(setting.schema().parse(undefined));
      assert.ok(line.includes(`\`${byDefault}\``), `default of ${id}: ${byDefault}`);
      const example = /`("promptTables[^`]*)`/.exec(line)?.[1] ?? '';
      const parsed = JSON.parse(`{${example}}`) as Record<string, unknown>;
      assert.ok(id in parsed, `docs/settings.md has no example of ${id}`);
      assert.ok(setting.schema().safeParse(parsed[id]).success, `${id} does not take ${example}`);
    }
  });

  it('names no setting that is not there', () => {
    for (const file of ['README.md', ...pages]) {
      for (const [, name = ''] of read(file).matchAll(/`promptTables\.([\w.]+)`/g)) {
        assert.ok(name in settings, `${file}: promptTables.${name}`);
      }
    }
  });

  it('names every key of the sheet', () => {
    const grid = read('docs/grid.md');
    const spelled = (keys: string): string =>
      keys
        .split('+')
        .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
        .join('+');
    for (const { key } of keybindings) assert.ok(grid.includes(spelled(key)), spelled(key));
  });

  it('names commands by their titles', () => {
    const titles = new Set(Object.values(commands).map(({ title }) => title));
    for (const file of ['README.md', ...pages]) {
      for (const [, title = ''] of read(file).matchAll(/\*\*Prompt Tables:\s+([^*]+)\*\*/g)) {
        assert.ok(titles.has(title.replaceAll(/\s+/g, ' ')), `${file}: ${title}`);
      }
    }
  });

  it('names files that are there where it says how to add something', () => {
    const named = read('CONTRIBUTING.md').matchAll(/`((?:src|test|docs|scripts|l10n)\/[\w./-]*)`/g);
    for (const [, file = ''] of named) {
      const isExample = /\/(?:vscode-)?x\.test/.test(file);
      assert.ok(isExample || existsSync(path.join(root, file)), `CONTRIBUTING.md: ${file}`);
    }
  });

  it('is written for users where the details page of the extension shows it', () => {
    for (const page of ['README.md', 'CHANGELOG.md']) {
      const text = read(documents[page] ?? page);
      // Neither the checkout's commands, nor anything that lies in the checkout only.
      assert.doesNotMatch(text, /\bnpm (?:start|test|run|install)\b|node dist\//, page);
      assert.doesNotMatch(text, /\]\((?!https:|#)|\bsrc(?:set)?="|!\[/, page);
    }
  });
});
