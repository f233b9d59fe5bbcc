/** Whoever types a dot after the client is told what comes: everything public is described. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import ts from 'typescript';

const core = path.resolve('src/core');

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

const isDescribed = (node: ts.Node): boolean => ts.getJSDocCommentsAndTags(node).length > 0;

/** Names that `index.ts` hands on, by the file that they come from. */
function publicNames(): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  const index = path.join(core, 'index.ts');
  for (const statement of parse(index).statements) {
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) continue;
    if (!ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const file = path.resolve(core, statement.moduleSpecifier.text);
    const known = names.get(file) ?? new Set();
    names.set(file, known);
    if (statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause)) {
      for (const { name, propertyName } of statement.exportClause.elements) {
        known.add((propertyName ?? name).text);
      }
    }
  }
  return names;
}

/** The declarations of a file by name; a schema and its type are one thing. */
function declarations(file: ts.SourceFile): Map<string, ts.Node[]> {
  const found = new Map<string, ts.Node[]>();
  const add = (name: string, node: ts.Node): void => {
    found.set(name, [...(found.get(name) ?? []), node]);
  };
  for (const statement of file.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) {
        if (ts.isIdentifier(name)) add(name.text, statement);
      }
    } else if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
    ) {
      if (statement.name !== undefined) add(statement.name.text, statement);
    }
  }
  return found;
}

/** The object that a function of this file gives back: the methods of a part of the client. */
function methodsOf(make: ts.FunctionDeclaration): ts.ObjectLiteralElementLike[] {
  const last = make.body?.statements.at(-1);
  const given = last !== undefined && ts.isReturnStatement(last) ? last.expression : undefined;
  return given !== undefined && ts.isObjectLiteralExpression(given) ? [...given.properties] : [];
}

/** What `return { page }` means is described where `page` is made. */
function isMethodDescribed(method: ts.ObjectLiteralElementLike, make: ts.FunctionDeclaration) {
  if (isDescribed(method)) return true;
  if (!ts.isShorthandPropertyAssignment(method)) return false;
  const name = method.name.text;
  return (make.body?.statements ?? []).some(
    (statement) =>
      isDescribed(statement) &&
      ((ts.isFunctionDeclaration(statement) && statement.name?.text === name) ||
        (ts.isVariableStatement(statement) &&
          statement.declarationList.declarations.some((made) => made.name.getText() === name))),
  );
}

describe('the SDK describes', () => {
  it('every name that it exports', () => {
    const bare: string[] = [];
    for (const [file, names] of publicNames()) {
      const known = declarations(parse(file));
      for (const name of names) {
        const nodes = known.get(name) ?? [];
        assert.ok(nodes.length > 0, `${name} is declared in ${file}`);
        if (!nodes.some(isDescribed)) bare.push(`${path.relative(core, file)}: ${name}`);
      }
    }
    assert.deepEqual(bare, []);
  });

  it('every member of the client, and every method of its parts', () => {
    const bare: string[] = [];
    const client = declarations(parse(path.join(core, 'client.ts'))).get('Client')?.[0];
    assert.ok(client !== undefined && ts.isClassDeclaration(client));
    for (const member of client.members) {
      const name = member.name?.getText() ?? '';
      if (name !== '' && !name.startsWith('#') && !isDescribed(member)) bare.push(`client.${name}`);
    }
    let count = 0;
    for (const folder of ['tables', 'templates', 'tracking', 'workflows', 'requests', 'folders']) {
      for (const entry of fs.readdirSync(path.join(core, folder))) {
        if (!entry.endsWith('.ts')) continue;
        const file = parse(path.join(core, folder, entry));
        for (const make of file.statements) {
          if (!ts.isFunctionDeclaration(make) || make.name === undefined) continue;
          // Parts of the client, which all call the service; not what they are made of.
          if (!/\bApiContext\b/.test(make.parameters[0]?.getText() ?? '')) continue;
          for (const method of methodsOf(make)) {
            count += 1;
            if (!isMethodDescribed(method, make)) {
              bare.push(`${make.name.text}: ${method.name?.getText() ?? ''}`);
            }
          }
        }
      }
    }
    assert.ok(count > 60, `${count} methods were looked at`);
    assert.deepEqual(bare, []);
  });
});
