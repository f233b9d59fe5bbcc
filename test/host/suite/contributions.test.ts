import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  commands,
  contextKeys,
  foreignContextKeys,
  itemKinds,
} from '../../../src/extension/contributions.ts';
import { menus } from '../../../src/extension/contributions/menus.ts';
import { extension, product } from '../support/product.ts';

interface Contributes {
  readonly commands: readonly { readonly command: string; readonly title: string }[];
  readonly menus: Readonly<Record<string, readonly { readonly when?: string }[]>>;
  readonly keybindings: readonly { readonly when?: string }[];
  readonly viewsWelcome: readonly { readonly when?: string; readonly contents: string }[];
  readonly configuration: {
    readonly properties: Readonly<
      Record<string, { readonly scope: string; readonly markdownDescription: string }>
    >;
  };
}

const contributes = (): Contributes =>
  (extension().packageJSON as { readonly contributes: Contributes }).contributes;

/** Names in a `when` clause, without literals and regular expressions. */
function keysOf(when: string): readonly string[] {
  const bare = when.replaceAll(/=~ \/[^/]*\//g, '').replaceAll(/[!=]= ('[^']*'|[\w.-]+)/g, '');
  return [...bare.matchAll(/[\w.]+/g)].map(([name]) => name).filter((name) => name !== 'false');
}

describe('contributions', () => {
  before(product);

  it('registers every command that is declared, and declares every command that is registered', async () => {
    const registered = (await vscode.commands.getCommands(true)).filter(
      (id) =>
        id.startsWith('promptTables.') &&
        !/\.(focus|open|resetViewLocation|removeView|toggleVisibility)$/.test(id),
    );
    const declared = contributes().commands.map(({ command }) => command);
    assert.deepEqual(
      declared.filter((id) => !registered.includes(id)),
      [],
      'declared, not registered',
    );
    assert.deepEqual(
      registered.filter((id) => !declared.includes(id)),
      [],
      'registered, not declared',
    );
  });

  it('reads only known keys in when clauses', () => {
    const { menus: all, keybindings, viewsWelcome } = contributes();
    const clauses = [...Object.values(all).flat(), ...keybindings, ...viewsWelcome].flatMap(
      ({ when }) => (when === undefined ? [] : [when]),
    );
    const known = new Set<string>([...contextKeys, ...foreignContextKeys]);
    assert.ok(clauses.length > 40);
    assert.deepEqual(
      clauses.flatMap(keysOf).filter((key) => !known.has(key)),
      [],
    );
  });

  it('names only kinds of items that the tree has', () => {
    const named = Object.values(menus)
      .flat()
      .flatMap(({ when }) => [...when.matchAll(/viewItem (?:== (\w+)|=~ \/\^\(([\w|]+)\)\$\/)/g)])
      .flatMap(([, one, several]) => (one === undefined ? (several ?? '').split('|') : [one]));
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter((kind) => !(itemKinds as readonly string[]).includes(kind)),
      [],
    );
  });

  it('puts what destroys last in each menu', () => {
    const destroys = /delete|remove|discard|signOut/i;
    for (const [menu, entries] of Object.entries(menus)) {
      const wrong = entries.filter(
        ({ command, group }) => destroys.test(command) !== group.startsWith('9_danger'),
      );
      assert.deepEqual(wrong, [], menu);
    }
  });

  it('shows at most four actions in a title bar at a time', () => {
    for (const menu of ['view/title', 'editor/title']) {
      const visible = (menus[menu] ?? []).filter(({ group }) => group.startsWith('navigation'));
      assert.ok(new Set(visible.map(({ group }) => group)).size <= 4, menu);
    }
  });

  it('gives an icon to every command that stands inline or in a title bar', () => {
    const shown = Object.values(menus)
      .flat()
      .filter(({ group }) => /^(inline|navigation)/.test(group));
    assert.deepEqual(
      shown.filter(({ command }) => commands[command]?.icon === undefined),
      [],
    );
  });

  it('has a text for every key that package.json refers to', () => {
    const texts = JSON.parse(
      fs.readFileSync(path.join(extension().extensionPath, 'package.nls.json'), 'utf8'),
    ) as Readonly<Record<string, string>>;
    const manifest = fs.readFileSync(path.join(extension().extensionPath, 'package.json'), 'utf8');
    const used = [...manifest.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual(
      used.filter((key) => texts[key] === undefined),
      [],
    );
    assert.deepEqual(
      Object.keys(texts).filter((key) => !used.includes(key)),
      [],
    );
  });

  it('points every button of the welcome texts at a declared command', () => {
    const buttons = contributes().viewsWelcome.flatMap(({ contents }) => [
      ...contents.matchAll(/\(command:([\w.]+)\)/g),
    ]);
    assert.ok(buttons.length >= 8);
    assert.deepEqual(
      buttons.filter(([, id]) => !Object.hasOwn(commands, id ?? '')),
      [],
    );
  });

  it('keeps addresses out of the reach of a workspace', () => {
    const { properties } = contributes().configuration;
    assert.equal(properties['promptTables.baseUrl']?.scope, 'machine');
    for (const [name, { markdownDescription }] of Object.entries(properties)) {
      assert.ok(markdownDescription.length > 10, name);
    }
  });
});
