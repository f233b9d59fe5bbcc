import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { OutputChange, RunPanelView, RunStatus } from '../../src/protocol/run.ts';
import { timeLimit } from '../support/time-limit.ts';
import { faultsOfTab } from '../support/host/tab-walk.ts';
import { canBeReadByEverybody } from './support/page-link.ts';
import { drawn } from './support/pages.ts';
import { emit, firstView, shownText, startRunPages } from './support/run-page.ts';
import type { RunPages } from './support/run-page.ts';
import { until } from '../support/until.ts';

const running: RunStatus = { runId: 1, state: 'running', elapsedMs: 10 };
const done: RunStatus = { ...running, state: 'done', elapsedMs: 900 };
const text = (said: string, more: Partial<OutputChange> = {}): OutputChange => ({
  ...{ id: 'c0', kind: 'text', text: said, replace: false },
  ...more,
});

describe('Run panel', function () {
  this.timeout(60_000);
  let pages: RunPages;
  let page: Page;

  before(async () => {
    pages = await startRunPages();
  });
  after(() => pages.close());
  afterEach(async () => {
    assert.deepEqual(await page.evaluate(() => runPeer.faults), []);
    await pages.done(page);
  });

  const begin = async (): Promise<void> => {
    page = await pages.open();
    await emit(page, 'started', running);
  };
  const say = (...changes: readonly OutputChange[]): Promise<void> =>
    emit(page, 'progress', { status: running, changes });
  const end = (status = done): Promise<void> => emit(page, 'progress', { status, changes: [] });

  it('stays smooth over 30,000 tokens that come a thousand and more a second', async () => {
    await begin();
    const figures = await page.evaluate(async (status) => {
      const words = ['token ', 'another ', 'of ', 'the ', 'answer. ', 'So\n', '\n'];
      const costs: number[] = [];
      let at = 0;
      let whole = '';
      while (at < 30_000) {
        let more = '';
        for (let each = 0; each < 33; each += 1, at += 1) more += words[at % words.length] ?? '';
        whole += more;
        const change = { id: 'c0', kind: 'text', text: more, replace: false };
        const from = performance.now();
        runPeer.emit('progress', { status, changes: [change] });
        costs.push(performance.now() - from);
        await new Promise((resolve) => setTimeout(resolve, 4));
      }
      return { costs, length: whole.length };
    }, running);
    // Times of tasks depend on what else this machine does; what one message costs must not grow.
    const median = (list: readonly number[]): number =>
      list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
    const [first, last] = [figures.costs.slice(0, 200), figures.costs.slice(-200)];
    const costs = `${median(first).toFixed(2)} ms, then ${median(last).toFixed(2)} ms a message`;
    assert.ok(median(last) < Math.max(2 * median(first), timeLimit(4)), costs);
    assert.ok(median(figures.costs) < timeLimit(10), costs);
    await until(
      'all of it is shown',
      async () => Math.abs((await shownText(page)).length - figures.length) < 50,
    );
    await until('its end is in sight', () =>
      page.evaluate(() => {
        const { scrollHeight, scrollTop, clientHeight } = document.querySelector('.output')!;
        return scrollHeight - scrollTop - clientHeight < 5;
      }),
    );
  });

  it('takes no keys that are elsewhere when a run ends, and has them again with the page', async () => {
    await begin();
    const where = () => page.evaluate(() => document.activeElement?.className);
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      document.hasFocus = () => false;
    });
    await say(text('An answer.'));
    await end();
    assert.equal(await where(), await page.evaluate(() => document.body.className));
    await page.evaluate(() => {
      Reflect.deleteProperty(document, 'hasFocus');
      window.dispatchEvent(new Event('focus'));
    });
    await page.waitForFunction(() => document.activeElement?.className === 'output');
  });

  it('does not call an answer done that is not whole, and says so', async () => {
    const endings: readonly (readonly [NonNullable<RunStatus['ending']>, string])[] = [
      [{ kind: 'length', reason: 'length' }, 'Cut off at the token limit'],
      [{ kind: 'filtered', reason: 'SAFETY' }, 'Stopped by the content filter'],
      [{ kind: 'refused', reason: 'refusal' }, 'Refused by the model'],
      [{ kind: 'other', reason: 'pause_turn' }, 'Ended early: pause_turn'],
    ];
    // All at once: a reader is told a while after.
    const shown: Page[] = [];
    for (const [ending] of endings) {
      await begin();
      await say(text('An answer that'));
      await end({ ...done, ending });
      shown.push(page);
    }
    for (const [index, [, words]] of endings.entries()) {
      page = shown[index] ?? page;
      const state = page.locator('.state');
      await until('it says so', async () => (await state.textContent()) === words);
      const color = (name: string) =>
        state.evaluate((element, given) => {
          element.setAttribute('class', given);
          return getComputedStyle(element).color;
        }, name);
      assert.notEqual(await color('state cut'), await color('state done'));
      await page.getByRole('status').getByText(`${words}. The answer is not complete.`).waitFor();
      if (index < endings.length - 1) await pages.done(page);
    }
  });

  it('leaves a reader who has scrolled up where they are', async () => {
    await begin();
    await say(text('line\n'.repeat(300)));
    const output = page.locator('.output');
    /** The page is told of it in the next frame. */
    const scrollTo = (place: 'up' | 'end'): Promise<void> =>
      output.evaluate(async (element, to) => {
        element.scrollTop = to === 'up' ? 100 : element.scrollHeight;
        for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      }, place);
    await scrollTo('up');
    await say(text('line\n'.repeat(300)));
    await drawn(page);
    assert.equal(await output.evaluate((element) => element.scrollTop), 100);
    await scrollTo('end');
    const before = await output.evaluate((element) => element.scrollTop);
    await say(text('line\n'.repeat(300)));
    await until(
      'it follows',
      async () => (await output.evaluate((element) => element.scrollTop)) > before + 1000,
    );
  });

  it('shows the same text however it is cut', async () => {
    const whole =
      'One `tick`.\n\n```js\nlet a = 1;\n\n``\n```\n  ~~~\nplain\n~~~\nשלום \u202eevil\n``` open\nrest\r\nend 👩‍👩‍👧';
    const shown = new Set<string>();
    for (const size of [whole.length, 1, 2, 3, 7]) {
      await begin();
      for (let at = 0; at < whole.length; at += size) await say(text(whole.slice(at, at + size)));
      await end();
      shown.add(await shownText(page));
      if (size !== 7) await pages.done(page);
    }
    assert.equal(shown.size, 1, [...shown].join('\n=====\n'));
    const [only = ''] = shown;
    assert.match(only, /js\nlet a = 1;\n\n``/);
    assert.match(only, /⟨RLO⟩evil/);
    assert.equal(await page.locator('.fence').count(), 3);
  });

  it('keeps blank lines where a long text is divided', async () => {
    await begin();
    await say(text(`${'word '.repeat(500)}\n`), text('\n'), text('\nafter'));
    await end();
    assert.match(await shownText(page), /word \n\n\nafter$/);
  });

  it('makes no element and no link of what a model says, but those of Markdown', async () => {
    await begin();
    await say(
      text(
        [
          '<img src=x onerror="fetch(1)"> <script>alert(1)</script>',
          '[bad](javascript:alert(1)) [good](https://example.org) ![pic](https://example.org/a.png)',
          '',
          '- [x] done',
          '',
          '| a | b |',
          '|---|---|',
          '| 1 | <b>2</b> |',
        ].join('\n'),
      ),
    );
    await end();
    await page.getByRole('button', { name: 'Markdown' }).click();
    const output = page.locator('.output');
    await until('it is laid out', async () => (await output.locator('td').count()) === 2);
    assert.equal(await output.locator('img, script, b').count(), 0);
    const links = await output
      .locator('a')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
    assert.deepEqual(links, ['https://example.org', 'https://example.org/a.png']);
    await output.getByText('<script>alert(1)</script>').waitFor();
  });

  it('lays Markdown out while it comes, as it is when it is whole', async () => {
    const whole = [
      '# Title\n\nSome **bold** words, `code` and [a link](https://example.org) \u202eback.\n\n',
      '1. one\n   ```sh\n   run it\n   ```\n2. two\n   - inner\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n',
      `\`\`\`js\n${'let a = 1;\n'.repeat(500)}\n\n# no title\n\`\`\`\n\nIt **ends** here.\n\n> quoted\n\n- last`,
    ].join('');
    const shown = new Set<string>();
    for (const size of [whole.length, 7, 1, 900]) {
      page = await pages.open({ ...firstView, isMarkdown: true });
      await emit(page, 'started', running);
      const half = whole.indexOf('let a') + 50;
      await page.evaluate(
        ({ said, step, status }) => {
          for (let at = 0; at < said.length; at += step) {
            const piece = said.slice(at, at + step);
            const change = { id: 'c0', kind: 'text', text: piece, replace: false };
            runPeer.emit('progress', { status, changes: [change] });
          }
        },
        { said: whole.slice(0, half), step: size, status: running },
      );
      // What has come is laid out before the answer is whole.
      const output = page.locator('.output');
      await output.locator('.fence .code').last().getByText('let a = 1;').first().waitFor();
      assert.equal(await output.locator('h3').textContent(), 'Title');
      assert.equal(await output.locator('td').count(), 2);
      assert.equal(await output.locator('.sign').textContent(), '⟨RLO⟩');
      const title = await output.locator('h3').elementHandle();
      for (let at = half; at < whole.length; at += size * 40)
        await say(text(whole.slice(at, at + size * 40)));
      await end();
      await output.locator('.markdown .group > ul').getByText('last').waitFor();
      assert.equal(await title.evaluate(({ isConnected }) => isConnected), true);
      await output.locator('.group.ended').first().waitFor({ state: 'attached' });
      shown.add(await output.locator('.markdown').evaluate(({ innerHTML }) => innerHTML));
      if (size !== 900) await pages.done(page);
    }
    assert.equal(shown.size, 1, [...shown].join('\n=====\n'));
  });

  it('keeps what is selected in an answer that grows, and shows it as written when asked', async () => {
    page = await pages.open({ ...firstView, isMarkdown: true });
    await emit(page, 'started', running);
    await say(text('A *first* word'));
    const selected = () => page.evaluate(() => String(getSelection()));
    await page.evaluate(() => {
      getSelection()?.selectAllChildren(document.querySelector('.markdown em')!);
    });
    await say(text(' and more'), text(' of it **bo'), text('ld**'));
    await page.locator('.markdown strong').getByText('bold').waitFor();
    assert.equal(await selected(), 'first');
    await page.getByRole('button', { name: 'Markdown' }).click();
    assert.equal(await shownText(page), 'A *first* word and more of it **bold**');
    await say(text(', _plain_'));
    assert.match(await shownText(page), /\*\*bold\*\*, _plain_$/);
    await page.getByRole('button', { name: 'Markdown' }).click();
    await page.locator('.markdown em').getByText('plain').waitFor();
  });

  it('begins as answers were last shown, and tells what is chosen', async () => {
    page = await pages.open({ ...firstView, isMarkdown: true });
    const button = page.getByRole('button', { name: 'Markdown' });
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    await button.click();
    await until('it is off', async () => (await button.getAttribute('aria-pressed')) === 'false');
    const reported = await until('it is told', async () => {
      const told = await page.evaluate(() => runPeer.of('markdown'));
      return told.length > 0 && told;
    });
    assert.deepEqual(reported, [{ kind: 'event', name: 'markdown', payload: false }]);
  });

  it('does not mix what comes late of an earlier run into the one that goes on', async () => {
    await begin();
    await emit(page, 'started', { ...running, runId: 2 });
    await say(text('of the first'));
    await emit(page, 'progress', {
      status: { ...running, runId: 2 },
      changes: [text('of the second')],
    });
    assert.equal(await shownText(page), 'of the second');
  });

  it('lays out the arguments of a tool call when they are whole', async () => {
    await begin();
    const call = { id: 't0', kind: 'tool', title: 'search', replace: false } as const;
    await say(text('Let me look.'), { ...call, text: '{"q":' }, { ...call, text: '"a"}' });
    await end();
    await page.getByRole('heading', { name: 'Tool call search' }).waitFor();
    assert.match(await shownText(page), /\{\n {2}"q": "a"\n\}/);
  });

  it('shows thoughts only to those who open them, and pictures only from their own data', async () => {
    await begin();
    const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    await say(
      text('Secret thought', { id: 'c1', kind: 'thinking' }),
      text(pixel, { id: 'c2', kind: 'image' }),
      text('https://example.org/a.png', { id: 'c3', kind: 'image' }),
    );
    assert.equal(await page.getByText('Secret thought').isVisible(), false);
    await page.getByText('Thinking').click();
    await page.getByText('Secret thought').waitFor();
    await until('one is shown', async () => (await page.locator('.output img').count()) === 1);
    await page.getByRole('button', { name: 'Load image' }).click();
    await until('it is asked for', () => page.evaluate(() => runPeer.of('loadImage').length === 1));
    await page.locator('.output .fault').first().waitFor();
  });

  it('refuses a value that is not JSON before anything is asked for', async () => {
    page = await pages.open();
    await page.getByRole('textbox', { name: 'question' }).fill('[1,');
    await page.getByRole('checkbox', { name: /question is JSON/ }).check();
    await page.keyboard.press('Control+Enter');
    await page.getByText(/This isn't JSON/).waitFor();
    assert.equal(await page.evaluate(() => runPeer.of('run').length), 0);
    await page.getByRole('textbox', { name: 'question' }).fill('[1]');
    await page.keyboard.press('Control+Enter');
    await until('it is run', () => page.evaluate(() => runPeer.of('run').length === 1));
    const [asked] = await page.evaluate(() => runPeer.of('run'));
    const variables = [{ name: 'question', kind: 'json', text: '[1]' }];
    assert.deepEqual(asked?.params, { variables, parameters: [], usesCache: false });
    assert.ok((await page.evaluate(() => runPeer.of('variables').length)) > 0);
  });

  it('says what failed, with the button that helps, and says little to screen readers', async () => {
    await begin();
    const failed: RunStatus = {
      ...running,
      state: 'failed',
      problem: { message: 'No key.', hint: 'Set OPENAI_API_KEY.', variable: 'OPENAI_API_KEY' },
    };
    await say(text('a'));
    const status = page.getByRole('status');
    await until('the begin is told', async () => (await status.textContent()) === 'Running.');
    for (let at = 0; at < 50; at += 1) await say(text('b'));
    assert.equal(await status.textContent(), 'Running.');
    await end(failed);
    const alert = page.getByRole('alert').filter({ hasText: 'No key. Set OPENAI_API_KEY.' });
    await alert.getByRole('button', { name: 'Set OPENAI_API_KEY' }).click();
    await alert.waitFor({ state: 'hidden' });
    assert.equal(await page.evaluate(() => runPeer.of('setKey').length), 1);
  });

  it('has Stop and its key while either of two models still answers', async () => {
    const comparisonRun: RunPanelView['comparisonRun'] = {
      kind: 'model',
      title: 'other',
      run: firstView.run,
    };
    page = await pages.open({ ...firstView, comparisonRun });
    await emit(page, 'started', running);
    await emit(page, 'comparisonStarted', running);
    await end();
    const stop = page.getByRole('button', { name: 'Stop' });
    const run = page.getByRole('button', { name: 'Run again' });
    await page.getByText('Done').waitFor();
    assert.deepEqual([await stop.isVisible(), await run.isDisabled()], [true, true]);
    await page.keyboard.press('Control+Shift+Backspace');
    await stop.click();
    await until('both were heard', () => page.evaluate(() => runPeer.of('stop').length === 2));
    await emit(page, 'comparisonProgress', {
      status: { ...running, state: 'stopped' },
      changes: [],
    });
    await stop.waitFor({ state: 'hidden' });
    await until('it can be run again', () => run.isEnabled());
    await until('the focus is somewhere', () =>
      page.evaluate(() => document.activeElement !== document.body),
    );
  });

  const answered = async (): Promise<void> => {
    await say(
      text('# An answer\n\nFirst some **words**, then code:\n\n```python\nprint("hi")\n```\n'),
    );
    const tells = { firstTokenMs: 300, inputTokens: 1234, outputTokens: 56, requestId: 4001 };
    await end({ ...done, ...tells, priceUsd: 0.0123 });
    await page.locator('.state').filter({ hasText: 'Done' }).waitFor();
  };

  it('tells times, tokens, cost and the request, as Markdown too, and can be read by everybody', async () => {
    await begin();
    await answered();
    for (const fact of ['1,234', '4001', '$0.0123']) await page.getByText(fact).waitFor();
    const output = page.getByRole('region', { name: 'Output' });
    await output.locator('.language', { hasText: 'python' }).waitFor();
    await canBeReadByEverybody(page, 'run');
    await page.getByRole('button', { name: 'Markdown' }).click();
    await output.getByRole('heading', { name: 'An answer' }).waitFor();
    await canBeReadByEverybody(page, 'run-markdown');
    await page.getByRole('button', { name: 'Markdown' }).click();
    await output.getByText('# An answer').waitFor();
    assert.deepEqual(await faultsOfTab(page, page.mainFrame()), []);
  });

  it('says whether the answer fits the schema, where it does not, and that half an answer is not judged', async () => {
    const verdicts: readonly (readonly [NonNullable<RunStatus['schema']>, RegExp])[] = [
      [{ kind: 'fits' }, /^The answer matches the schema\.$/],
      [
        { kind: 'differs', text: '/items/0/\u202eprice is missing' },
        /^The answer doesn't match the schema: \/items\/0\/\ufffdprice is missing$/,
      ],
      [{ kind: 'incomplete' }, /isn't complete, so it wasn't checked/],
    ];
    await begin();
    for (const [at, [schema, words]] of verdicts.entries()) {
      const runId = at + 2;
      await emit(page, 'started', { ...running, runId });
      const changes = [text('{"items":[]}')];
      await emit(page, 'progress', { status: { ...done, runId, schema }, changes });
      await page.locator('.schema-line').getByText(words).waitFor();
      if (at === 1) await canBeReadByEverybody(page, 'run-schema');
    }
    await page
      .getByRole('status')
      .getByText(/The answer isn't complete/)
      .waitFor();
    await emit(page, 'started', { ...running, runId: 9 });
    await page.locator('.schema-line').waitFor({ state: 'hidden' });
  });

  it('asks for the answer that is kept when it is told to, and says of one that it is', async () => {
    page = await pages.open({ ...firstView, usesCache: true });
    const cache = page.getByRole('button', { name: 'Cache', exact: true });
    const sent = () =>
      page.evaluate(() =>
        runPeer.of('run').map(({ params }) => (params as { usesCache: unknown }).usesCache),
      );
    assert.equal(await cache.getAttribute('aria-pressed'), 'true');
    await page.keyboard.press('Control+Enter');
    await cache.focus();
    await page.keyboard.press('Space');
    assert.equal(await cache.getAttribute('aria-pressed'), 'false');
    await page.keyboard.press('Control+Enter');
    assert.deepEqual(await sent(), [true, false]);
    await emit(page, 'started', running);
    const cachedAt = Date.UTC(2026, 0, 5, 12);
    const status = { ...done, elapsedMs: 4, inputTokens: 3, outputTokens: 1000, cachedAt };
    await emit(page, 'progress', { status, changes: [text('An answer.')] });
    await page.getByText('Answer cached').waitFor();
    await page.getByText(/Jan 5, 2026/).waitFor();
    await page.getByText('none', { exact: true }).waitFor();
    assert.equal(await page.getByText('tokens/s').isVisible(), false);
    await page.getByRole('status').getByText('It comes from the cache.').waitFor();
    await canBeReadByEverybody(page, 'run-cached');
  });

  it('compares two models side by side, marks where they differ, and can be read by everybody', async () => {
    const comparisonRun: RunPanelView['comparisonRun'] = {
      ...{ kind: 'model', title: 'gpt-other · openai', run: firstView.run },
    };
    page = await pages.open({ ...firstView, comparisonRun });
    await emit(page, 'started', running);
    await emit(page, 'comparisonStarted', running);
    await say(text('The same words.'));
    await emit(page, 'comparisonProgress', {
      status: { ...done, priceUsd: 0.0123 },
      changes: [text('Otherwise.')],
    });
    await end();
    const other = page.getByRole('region', { name: 'Compared with', exact: true });
    await other.getByText('gpt-other · openai', { exact: true }).waitFor();
    await other.getByText('$0.0123').waitFor();
    await page.getByText('The answers differ in 1 place, which is marked.').waitFor();
    await canBeReadByEverybody(page, 'run-compared');
  });

  it('asks for what its buttons say', async () => {
    await begin();
    await answered();
    for (const [button, asked] of [
      ['Show raw response', 'showRaw'],
      ['Open output as document', 'openOutput'],
      ['Copy output', 'copyOutput'],
    ] as const) {
      await page.getByRole('button', { name: button }).click();
      await page.waitForFunction((name) => runPeer.of(name).length === 1, asked);
    }
  });

  const withParameters: RunPanelView = {
    ...firstView,
    presentation: firstView.presentation && {
      ...firstView.presentation,
      parameters: {
        ...{ provider: 'openai', model: 'gpt-test', isOtherModel: false, savesTo: 'version' },
        fields: [
          { name: 'temperature', kind: 'number', own: '0.2', min: 0, max: 2 },
          { name: 'max_tokens', kind: 'whole', own: '', min: 1 },
          { name: 'reasoning_effort', kind: 'word', own: '', words: ['low', 'high'] },
          { name: 'parallel_tool_calls', kind: 'flag', own: '' },
          { name: 'response_format', kind: 'json', own: '{\n  "type": "json_object"\n}' },
        ],
        others: '{\n  "logit_bias": {}\n}',
      },
    },
  };
  const sentParameters = (name: string): Promise<readonly unknown[]> =>
    page.evaluate(
      (asked) =>
        runPeer.of(asked).map(({ params }) => (params as { parameters: unknown }).parameters),
      name,
    );

  it("takes parameters in the place of the prompt's own, marks them, and resets one or all", async () => {
    page = await pages.open(withParameters);
    await page.locator('summary').focus();
    await page.keyboard.press('Enter');
    const temperature = page.getByLabel('temperature', { exact: true });
    assert.equal(await temperature.inputValue(), '0.2');
    await temperature.fill('0.9');
    await page.getByLabel('parallel_tool_calls', { exact: true }).selectOption('false');
    await page.getByLabel('max_tokens', { exact: true }).fill('12');
    await page.getByText('3 changed').waitFor();
    // A page that is hidden goes without a word: what is typed is told before.
    const told = await page.evaluate(() => runPeer.of('parameters').length);
    assert.equal(told, 3);
    await page.getByLabel('max_tokens', { exact: true }).fill('');
    await page.getByText('2 changed').waitFor();
    await page.keyboard.press('Control+Enter');
    const both = [
      { name: 'temperature', text: '0.9' },
      { name: 'parallel_tool_calls', text: 'false' },
    ];
    assert.deepEqual(await sentParameters('run'), [both]);
    await page.getByText('logit_bias').waitFor();
    await canBeReadByEverybody(page, 'run-parameters');
    assert.deepEqual(await faultsOfTab(page, page.mainFrame()), []);
    // The prompt is loaded anew, and has another value of its own by now.
    const { presentation } = withParameters;
    assert.ok(presentation?.parameters);
    const fields = presentation.parameters.fields.map((field) =>
      field.name === 'temperature' ? { ...field, own: '0.9' } : field,
    );
    const parameters = { ...presentation.parameters, fields };
    await emit(page, 'prompt', {
      ...{ page: firstView.page, presentation: { ...presentation, parameters }, problem: null },
    });
    await page.getByText('1 changed').waitFor();
    await temperature.fill('1');
    await page.getByRole('button', { name: 'Reset temperature' }).click();
    assert.equal(await temperature.inputValue(), '0.9');
    assert.ok(await temperature.evaluate((field) => field === document.activeElement));
    await page.getByRole('button', { name: 'Reset All' }).click();
    await page.keyboard.press('Control+Enter');
    assert.deepEqual((await sentParameters('run')).at(-1), []);
    assert.equal(
      await page.getByRole('button', { name: 'Save as New Version…' }).isDisabled(),
      true,
    );
  });

  it('shows what is wrong with a parameter at its field, and keeps what was entered', async () => {
    const entered = [{ name: 'temperature', text: '7' }];
    const view = { ...withParameters, page: { ...firstView.page, parameters: entered } };
    page = await pages.open(view);
    await page.evaluate(() =>
      runPeer.answer('run', { faults: [{ name: 'temperature', message: 'From 0 to 2.' }] }),
    );
    await page.keyboard.press('Control+Enter');
    const temperature = page.getByLabel('temperature', { exact: true });
    await page.getByRole('alert').getByText('From 0 to 2.').waitFor();
    assert.deepEqual(
      [await temperature.getAttribute('aria-invalid'), await temperature.inputValue()],
      ['true', '7'],
    );
    assert.ok(await temperature.evaluate((field) => field === document.activeElement));
    assert.deepEqual(await sentParameters('run'), [entered]);
    // Of another model nothing of it is meant.
    assert.ok(withParameters.presentation?.parameters);
    const parameters = { ...withParameters.presentation.parameters, model: 'gpt-other' };
    await emit(page, 'prompt', {
      page: firstView.page,
      presentation: { ...withParameters.presentation, parameters },
      problem: null,
    });
    await page.getByRole('status').getByText('The parameters were reset.').waitFor();
    assert.equal(await temperature.inputValue(), '0.2');
  });

  it('lists tools, each with its JSON, which are added, edited, removed, and reset', async () => {
    const { presentation } = withParameters;
    assert.ok(presentation?.parameters);
    const tool = { type: 'function', function: { name: 'find', parameters: { type: 'object' } } };
    const own = JSON.stringify([tool], null, 2);
    const words = ['auto', 'none', 'required', 'find'];
    const parameters = {
      ...presentation.parameters,
      fields: [
        { name: 'tools', kind: 'tools', own },
        { name: 'tool_choice', kind: 'word', own: '', words },
      ] as const,
    };
    page = await pages.open(
      { ...withParameters, presentation: { ...presentation, parameters } },
      420,
    );
    await page.locator('summary').first().click();
    const tools = page.getByRole('group', { name: 'tools', exact: true });
    await tools.getByText('find').click();
    const find = tools.getByRole('textbox', { name: 'JSON of find' });
    assert.deepEqual(JSON.parse(await find.inputValue()), tool);
    await page.keyboard.press('Control+Enter');
    assert.deepEqual(await sentParameters('run'), [[]]);
    await tools.getByRole('button', { name: 'Add Tool' }).click();
    const added = tools.getByRole('textbox', { name: 'JSON of new_tool' });
    assert.ok(await added.evaluate((field) => field === document.activeElement));
    await page.getByText('1 changed').waitFor();
    await canBeReadByEverybody(page, 'run-tools-narrow');
    assert.deepEqual(await faultsOfTab(page, page.mainFrame()), []);
    await added.fill('{"type": ');
    await tools.getByText("This isn't JSON").waitFor();
    const second = { type: 'function', function: { name: 'other' } };
    await tools.getByRole('textbox', { name: 'JSON of Tool' }).fill(JSON.stringify(second));
    await page.evaluate(() =>
      runPeer.answer('run', { faults: [{ name: 'tools', message: 'Tool 2: is wrong' }] }),
    );
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('Tool 2: is wrong').waitFor();
    const sent = (await sentParameters('run')).at(-1) as { name: string; text: string }[];
    assert.deepEqual(
      sent.map(({ name, text }) => [name, JSON.parse(text) as unknown]),
      [['tools', [tool, second]]],
    );
    await tools.getByRole('button', { name: 'Remove find' }).click();
    await tools.getByText('other').waitFor();
    await tools.getByRole('button', { name: 'Remove other' }).click();
    await tools.getByText('No tools').waitFor();
    await page.keyboard.press('Control+Enter');
    assert.deepEqual((await sentParameters('run')).at(-1), [{ name: 'tools', text: '[]' }]);
    await page.getByRole('button', { name: 'Reset tools' }).click();
    await tools.getByText('find').waitFor();
    await page.keyboard.press('Control+Enter');
    assert.deepEqual((await sentParameters('run')).at(-1), []);
  });

  it('has its parameters in a narrow editor too', async () => {
    page = await pages.open(withParameters, 420);
    await page.locator('summary').click();
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    assert.equal(isWide, false);
    const output = await page.locator('.output').boundingBox();
    assert.ok(output !== null && output.height > 200);
    await canBeReadByEverybody(page, 'run-parameters-narrow');
  });

  it('fits a narrow editor', async () => {
    page = await pages.open(firstView, 420);
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    assert.equal(isWide, false);
    const form = await page.locator('.form').boundingBox();
    const output = await page.locator('.output').boundingBox();
    assert.ok(form !== null && output !== null && output.y > form.y + form.height - 1);
    assert.ok(output.height > 200, `${output.height}`);
  });
});
