import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CancelledError } from '../../../src/core/errors.ts';
import { StepBox } from '../../../src/extension/ask/step-box.ts';
import { until } from '../../support/until.ts';

interface Late {
  readonly items: AsyncIterable<string>;
  readonly come: () => void;
}

/** A list that a slow service answers with. */
function late(...names: readonly string[]): Late {
  let come = (): void => undefined;
  const wait = new Promise<void>((resolve) => (come = resolve));
  async function* items(): AsyncGenerator<string, void> {
    await wait;
    yield* names;
  }
  return { items: items(), come: () => come() };
}

const choice = (items: AsyncIterable<string>, nothing = 'Nothing to choose.') => ({
  ...{ items, nothing },
  show: (label: string) => ({ label }),
});

/** Presses Enter until something is there that can be chosen. */
async function enter<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const answer = asked.then((value) => ({ value }));
  const { value } = await until('an answer', async () => {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    return Promise.race([answer, new Promise<undefined>((go) => setTimeout(go, 50, undefined))]);
  });
  return value;
}

describe('a question of several steps', () => {
  let box: StepBox;

  beforeEach(() => (box = new StepBox('A table and its sheet', 2)));
  afterEach(() => box.close());

  it('goes back, and offers what the step before had', async () => {
    const tables = late('a table');
    tables.come();
    assert.equal(await enter(box.ask(choice(tables.items))), 'a table');
    const sheets = box.ask(choice(late().items), 2);
    await vscode.commands.executeCommand('workbench.action.quickInputBack');
    assert.equal(await sheets, undefined);
    const again = late('a table');
    again.come();
    assert.equal(await enter(box.ask(choice(again.items))), 'a table');
  });

  it('takes no answers of a step that was left before they came', async () => {
    const sheets = late('a sheet');
    const second = box.ask(choice(sheets.items), 2);
    await vscode.commands.executeCommand('workbench.action.quickInputBack');
    assert.equal(await second, undefined);
    const tables = late('a table');
    // Enter is pressed all the time: a sheet that came would be taken.
    const first = enter(box.ask(choice(tables.items)));
    sheets.come();
    await new Promise((resolve) => setTimeout(resolve, 300));
    tables.come();
    assert.equal(await first, 'a table');
  });

  it('says when there is nothing to choose, and is left with Escape', async () => {
    const none = late();
    none.come();
    await assert.rejects(box.ask(choice(none.items, 'There are no sheets.')), /no sheets/);
    const asked = box.ask(choice(late().items));
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await assert.rejects(asked, CancelledError);
  });
});
