/** The texts of the product that users read, by where they are. */
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');

export interface Shown {
  readonly place: string;
  readonly text: string;
}

/** Labels and messages in the editor: what `node esbuild.mjs --contributions` has collected. */
export function editorTexts(): readonly Shown[] {
  return ['package.nls.json', 'l10n/bundle.l10n.json'].flatMap((file) =>
    Object.entries(JSON.parse(read(file)) as Readonly<Record<string, string>>).map(
      ([key, text]) => ({ place: `${file}: ${key}`, text }),
    ),
  );
}

/** Literals of code that are sentences: errors, hints, descriptions of tools, usage of commands. */
export function sentencesOf(code: string, place: string): readonly Shown[] {
  const source = ts.createSourceFile(place, code, ts.ScriptTarget.ESNext, true);
  const found: Shown[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    const text = textOf(node);
    if (text !== undefined && isSentence(text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ place: `${place}:${String(line + 1)}`, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}

/** Python's own words about regular expressions, which are Python's to spell. */
const notOurs = 'src/core/regex/';
const program = /=>|\bdef \w+\(|<script\b/;
const statement =
  /^\s*(?:select|insert|update|delete|create|drop|with|where|case|cast|exists|and) /;

function isSentence(text: string): boolean {
  return /[a-z]{2,}[,:]? [a-z"{]/i.test(text) && !statement.test(text) && !program.test(text);
}

/** Folders whose literals nobody translates: their errors are read as they are. */
export function sentences(): readonly Shown[] {
  return [
    'src/core',
    'src/api',
    'src/service',
    'src/protocol',
    'src/extension',
    'src/webview',
  ].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !path.join(folder, name).startsWith(notOurs))
      .flatMap((name) => sentencesOf(read(path.join(folder, name)), `${folder}/${name}`)),
  );
}

/** SECURITY.md quotes titles of tests, which are not for users. */
const testTitle = /^`code`: /;

/** Paragraphs, list items and cells of tables, without code, addresses and markup. */
export function paragraphsOf(markdown: string, place: string): readonly Shown[] {
  const prose = markdown
    .replaceAll(/^```[^]*?^```/gm, '')
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/`[^`\n]*`/g, '`code`')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/<[^>]+>/g, '');
  return prose
    .split(/\n{2,}|\n(?=\s*[-*] |\s*\d+\. |#|\|)|\|/)
    .map((text) => ({ place, text: text.replaceAll(/\s+/g, ' ').trim() }))
    .filter(({ text }) => text !== '' && !testTitle.test(text));
}

export function documents(): readonly Shown[] {
  const files = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  const pages = fs.readdirSync(path.join(root, 'docs')).map((name) => `docs/${name}`);
  return [...files, ...pages].flatMap((file) => paragraphsOf(read(file), file));
}
