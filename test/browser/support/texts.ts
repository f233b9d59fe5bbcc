/** Translations as VS Code hands them to the extension. */
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';

type Texts = Readonly<Record<string, string>>;

const folder = path.resolve(import.meta.dirname, '../../../l10n');
const read = (name: string): Texts =>
  JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as Texts;

/** Undefined for English, and for languages that there are no texts of. */
export function textsIn(language: string): Texts | undefined {
  const name = `bundle.l10n.${language}.json`;
  return fs.existsSync(path.join(folder, name)) ? read(name) : undefined;
}

/** All that can be seen or heard of a page; `except`: where data stand. */
const saidBy = (page: Page | Frame, except: string): Promise<readonly string[]> =>
  page.evaluate((left) => {
    const said: string[] = [];
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest(`script, [hidden], ${left}`) !== null) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        said.push(element.getAttribute(name) ?? '');
      }
      for (const node of element.childNodes) if (node instanceof Text) said.push(node.data);
    }
    return said;
  }, except);

/** Texts of the product that a page shows in English although they have another word for it. */
export async function englishIn(page: Page | Frame, language: string, except: string) {
  const english = read('bundle.l10n.json');
  const translated = textsIn(language) ?? {};
  const foreign = new Set(Object.values(translated));
  const patterns = Object.keys(translated)
    .map((key) => english[key] ?? '')
    // What reads the same in both says nothing, and what is all placeholder fits everything.
    .filter((text) => !foreign.has(text) && /[a-z]{2}/i.test(text.replaceAll(/\{\d+\}/g, '')))
    .map((text) => ({ text, parts: text.split(/\{\d+\}/) }))
    .map(({ text, parts }) => {
      const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
      return { text, isShown: new RegExp(`^${escaped.join('[^.:]*')}$`) };
    });
  return (await saidBy(page, except)).flatMap((said) => {
    const found = patterns.find(({ isShown }) => isShown.test(said.trim()));
    return found === undefined ? [] : [`${said} (${found.text})`];
  });
}
