import assert from 'node:assert/strict';

import type * as language from '../../../src/webview/common/language.ts';

type Language = typeof language;

let pages = 0;
/** The module as a page loads it: with the language and the texts of that page. */
async function inPage(lang: string, json?: string): Promise<Language> {
  const page = {
    documentElement: { lang },
    getElementById: (id: string) =>
      id === 'texts' && json !== undefined ? { textContent: json } : null,
  };
  const before = Object.getOwnPropertyDescriptor(globalThis, 'document');
  Object.defineProperty(globalThis, 'document', { value: page, configurable: true });
  try {
    pages += 1;
    const file = new URL('../../../src/webview/common/language.ts', import.meta.url);
    return (await import(`${file.href}?page=${pages}`)) as Language;
  } finally {
    if (before === undefined) Reflect.deleteProperty(globalThis, 'document');
    else Object.defineProperty(globalThis, 'document', before);
  }
}

describe('display language of pages', () => {
  it('leaves English texts as they are, and fills in what they name', async () => {
    const { t, spellKeys, spellDecimals } = await inPage('en');
    assert.equal(t('Retry'), 'Retry');
    assert.equal(t('{0} of {1}', 1, 'many'), '1 of many');
    assert.equal(t({ message: 'Run', comment: 'one time that something ran' }), 'Run');
    assert.equal(spellKeys('Ctrl+Shift+Enter'), 'Ctrl+Shift+Enter');
    assert.equal(spellDecimals(1234.5, 1), '1234.5');
  });

  it('takes translations by the English text, and by its meaning where it has several', async () => {
    const texts = {
      ...{ '{0} of {1}': '{1} hat {0}', Run: 'Ausführen', 'Run/noun': 'Lauf', Ctrl: 'Strg' },
    };
    const { t, spellKeys } = await inPage('de', JSON.stringify(texts));
    assert.equal(t('{0} of {1}', 1, '$&'), '$& hat 1');
    assert.equal(t('Run'), 'Ausführen');
    assert.equal(t({ message: 'Run', comment: 'noun' }), 'Lauf');
    assert.equal(t('Not translated'), 'Not translated');
    assert.equal(t('constructor'), 'constructor');
    assert.equal(spellKeys('Ctrl+I'), 'Strg+I');
  });

  it('writes numbers and money as the language does', async () => {
    const { spellDecimals, spellPrice, spellDuration } = await inPage('de', '{}');
    assert.equal(spellDecimals(2.25, 1), '2,3');
    assert.equal(spellPrice(1234.5), '1.234,50\u00a0$');
    assert.equal(spellPrice(0.01234), '0,0123\u00a0$');
    assert.equal(spellDuration(12_340), '12,3 s');
    const british = await inPage('en-GB');
    assert.equal(british.spellPrice(0.5), '$0.50');
    const nowhere = await inPage('no_language');
    assert.equal(nowhere.spellPrice(0.5), '$0.50');
  });

  it('refuses texts that are none', async () => {
    await assert.rejects(inPage('de', '{"Run": 1}'), /aren't strings/);
  });
});
