/** What the extension throws is read by people: it is made of texts that can be translated. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const folder = path.resolve(import.meta.dirname, '../../../../src/extension');

/** Never shown as they are: an end that was wanted, faults of the program, and a sheet that moved. */
const forTheLog = /^(?:CancelledError|Error|TypeError|MisfitError|MovedRowsError|AbortError)$/;
/** Read by assistants, which are spoken to in English. */
const toAssistants = /^assistants\//;

const isText = (node: ts.Node | undefined): boolean =>
  node !== undefined && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node));

function untranslatedIn(name: string, code: string): readonly string[] {
  const source = ts.createSourceFile(name, code, ts.ScriptTarget.ESNext, true);
  const found: string[] = [];
  const note = (node: ts.Node): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${name}:${line + 1}: ${node.getText()}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node)) {
      const what = node.expression.getText();
      const [message] = node.arguments ?? [];
      if (/Error$/.test(what) && !forTheLog.test(what) && message && isText(message)) note(message);
    }
    const isHint = ts.isPropertyAssignment(node) && node.name.getText() === 'hint';
    if (isHint && isText(node.initializer)) note(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('errors of the extension', () => {
  it('are made of texts that can be translated', () => {
    const names = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !toAssistants.test(name));
    assert.ok(names.length > 200);
    assert.deepEqual(
      names.flatMap((name) =>
        untranslatedIn(name, fs.readFileSync(path.join(folder, name), 'utf8')),
      ),
      [],
    );
  });

  it('are found where they are not', () => {
    const code = `
      throw new ServerError(\`It ended \${times} times.\`, { hint: 'See the log.' });
      throw new ServerError(t('It ended.'), { hint: t('See the log.') });
      throw new CancelledError('Dismissed.');
    `;
    assert.equal(untranslatedIn('errors.ts', code).length, 2);
  });
});
