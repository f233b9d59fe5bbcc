/** Whatever a person sees or hears of a page goes through t, or nobody can translate it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const folder = path.resolve(import.meta.dirname, '../../../src/webview');

/** Properties and attributes that are read out or shown. */
const shown = /^(?:aria-label|aria-description|title|placeholder|alt|label|message|hint|nothing)$/;
/** Two words, or one that begins like a sentence. */
const prose = /[A-Za-z]{2} [a-z]{2}|^\s*[A-Z][a-z]+(?![A-Za-z-])/;

/** Names that are the same in every language, classes of CSS, and faults for the log. */
const allowed = new Set([
  ...['JSON', 'Markdown', 'Aa', 'MisfitError', 'Control', 'Ctrl'],
  ...['area prose', 'flow code', 'edge conditional', 'total minor'],
  ...['The charts were sent an unfit {}: {}', 'The comparison was sent an unfit {}: {}'],
  ...['{} was sent an unknown message: {}', 'The form', 'The comparison'],
  "The translations in the page aren't strings.",
  'The page has no element "{}".',
  'The page has not asked for what it is to show.',
  'The icons could not be loaded from {}.',
  'There is no {} named “{}”.',
  "The {} “{}” isn't valid: {}.",
]);

const textOf = (node: ts.StringLiteralLike | ts.TemplateExpression): string =>
  ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
    : node.text;

const nameOf = (call: ts.CallExpression): string =>
  ts.isPropertyAccessExpression(call.expression)
    ? call.expression.name.text
    : call.expression.getText();

/** Past what chooses between texts: to what takes the one that was chosen. */
function takerOf(node: ts.Node): { readonly taker: ts.Node; readonly given: ts.Node } {
  let given = node;
  while (
    ts.isConditionalExpression(given.parent) ||
    ts.isParenthesizedExpression(given.parent) ||
    (ts.isBinaryExpression(given.parent) &&
      given.parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
  ) {
    given = given.parent;
  }
  return { taker: given.parent, given };
}

/** Whether what is written there is shown, is of the code alone, or may be either. */
function placeOf(node: ts.Node): 'shown' | 'code' | 'either' {
  const { taker, given } = takerOf(node);
  if (ts.isPropertyAssignment(taker)) {
    if (taker.name === given) return 'code';
    const name = taker.name.getText().replaceAll("'", '');
    return shown.test(name) ? 'shown' : name === 'keys' || name === 'look' ? 'code' : 'either';
  }
  if (ts.isCaseClause(taker) || ts.isElementAccessExpression(taker)) return 'code';
  if (ts.isBinaryExpression(taker)) {
    const isSet = taker.operatorToken.kind === ts.SyntaxKind.EqualsToken;
    if (!isSet) return ts.isStringLiteralLike(node) ? 'code' : 'either';
    const name = ts.isPropertyAccessExpression(taker.left) ? taker.left.name.text : '';
    return shown.test(name) || name === 'textContent' ? 'shown' : 'either';
  }
  if (ts.isArrayLiteralExpression(taker) && ts.isCallExpression(taker.parent)) {
    return nameOf(taker.parent) === 'el' ? 'shown' : 'either';
  }
  if (!ts.isCallExpression(taker)) return 'either';
  const at = taker.arguments.findIndex((argument) => argument === given);
  switch (nameOf(taker)) {
    case 'el':
      return at === 1 ? 'code' : 'either';
    case 'setText':
      return 'shown';
    case 'say':
      return 'shown';
    case 'setAttribute': {
      const [first, second] = taker.arguments;
      const name = [first, second].find((one) => one !== undefined && ts.isStringLiteral(one));
      return name !== undefined && name !== given && shown.test(name.text) ? 'shown' : 'code';
    }
    case 'addEventListener':
    case 'querySelector':
    case 'querySelectorAll':
    case 'closest':
    case 'setProperty':
      return 'code';
    default:
      return 'either';
  }
}

function unwrappedIn(name: string, code: string): readonly string[] {
  const source = ts.createSourceFile(name, code, ts.ScriptTarget.ESNext, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isCallExpression(node) && nameOf(node) === 't') {
      for (const argument of node.arguments.slice(1)) visit(argument);
      return;
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const text = textOf(node);
      const place = placeOf(node);
      const isText =
        place === 'shown'
          ? /[A-Za-z]{2}/.test(text)
          : place === 'either' &&
            prose.test(text) &&
            !/^Ctrl\+|^[\w-]+ \{\}|px|url\(|^M |^[LC] /.test(text);
      if (isText && !allowed.has(text)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${name}:${line + 1}: ${text}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('texts of pages', () => {
  it('all go through t', () => {
    const names = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
    assert.ok(names.length > 80);
    assert.deepEqual(
      names.flatMap((name) => unwrappedIn(name, fs.readFileSync(path.join(folder, name), 'utf8'))),
      [],
    );
  });

  for (const [what, code] of [
    ['a child', "el('p', 'dim', {}, ['nothing'])"],
    ['one of two children', "el('p', 'dim', {}, [is ? 'yes' : t('No')])"],
    ['a label', "button({ label: 'Retry', run })"],
    ['an attribute', "element.setAttribute('aria-label', `Row ${row}`)"],
    ['a tooltip', "element.title = 'Retry'"],
    ['speech', 'announcer.say(`${rows} rows`)'],
    ['an error', "throw new Error('The sheet no longer exists.')"],
    ['a value of a list', "const words = { running: 'Still running' }"],
  ] as const) {
    it(`are found where they do not: ${what}`, () => {
      assert.equal(unwrappedIn('page.ts', code).length, 1);
    });
  }

  it('are told from what is for the code alone', () => {
    const code = `
      el('div', 'banner error', { role: 'alert' }, [icon('warning'), t('Gone')]);
      if (event.key === 'Enter') element.style.transform = \`translate(\${left}px, \${top}px)\`;
      button({ label: t('Run'), keys: 'Ctrl+Enter', look: 'primary' });
    `;
    assert.deepEqual(unwrappedIn('page.ts', code), []);
  });
});
