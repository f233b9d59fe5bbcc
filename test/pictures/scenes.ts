/** What the pictures show. Each scene starts with no editor open and leaves its own open. */
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import {
  chooseLatest,
  fillAndRun,
  openSample,
  parcel,
  runState,
} from '../support/host/run-steps.ts';
import {
  answer,
  answerFile,
  confirm,
  patiently,
  pick,
  pickBy,
  runCommand,
  showView,
  treeItem,
  webview,
  type Workbench,
} from '../support/host/workbench.ts';
import { demoReply } from '../support/demo-prompts.ts';
import { demoCell, demoWords } from '../support/demo-sheet.ts';
import type { Demo } from './demo.ts';

export type Stage = Demo & { readonly workbench: Workbench };

/** Gives what must be seen before a picture is taken: a change of theme may load the window anew. */
export type Scene = (stage: Stage) => Promise<Locator>;

/** As the demo starts with. */
export const quickly = { pieceMs: 10, size: 12, whole: demoCell };
/** Said so slowly that it is still coming while all the pictures are taken. */
const slowly = { pieceMs: 800, size: 3, whole: demoCell };
const longReply = `${demoReply}

## What you can do in the meantime

1. Check with your neighbors: couriers leave a card.
2. Name a place where the courier can leave it when you are out.
3. Ask for another day, which is free until the courier is on the way.

We're sorry that it takes longer than we said. We'll refund the return shipping with your next order.
You can reach us any day of the week, from 8 a.m. to 8 p.m.`;

const sections = ['Tables', 'Prompts', 'Workflows', 'Runs'] as const;

/** Shows the side bar of the extension with these sections open and no others. */
export async function showSections(
  workbench: Workbench,
  ...open: readonly (typeof sections)[number][]
): Promise<void> {
  await showView(workbench);
  for (const name of sections) {
    const header = workbench.page.locator('.sidebar .pane-header').filter({
      has: workbench.page.getByText(name, { exact: true }),
    });
    const isOpen = (await header.getAttribute('aria-expanded')) === 'true';
    if (isOpen !== open.includes(name)) await header.click({ position: { x: 40, y: 10 } });
  }
}

const openOfSheet = async (workbench: Workbench, command: string): Promise<void> => {
  // With a sheet in front, that one is meant and nothing is asked.
  await runCommand(workbench, 'View: Close All Editors');
  await pickBy(workbench, command, /^Support/);
  await pick(workbench, /^Questions/);
};

export async function openQuestions(workbench: Workbench): Promise<void> {
  await openOfSheet(workbench, 'Prompt Tables: Open Sheet…');
  await webview(workbench)
    .getByRole('gridcell', { name: /parcel/ })
    .first()
    .waitFor(patiently);
}

const code = `import { PromptLayer } from 'promptlayer';

const client = new PromptLayer();

export const answer = client.run({
  promptName: 'support/answer',
  promptReleaseLabel: 'prod',
  inputVariables: { question: 'Where is my order?' },
});

export const short = client.run({ promptName: 'sumarize' });
`;

/** A file that asks for prompts, one of them misspelt; its lenses and problems are there. */
export async function openCode(workbench: Workbench): Promise<void> {
  const { page, host } = workbench;
  fs.writeFileSync(path.join(host.workspace, 'answer.ts'), code);
  await page.keyboard.press('Control+P');
  await page.locator('.quick-input-widget input').fill('answer.ts');
  await page
    .getByRole('option', { name: /^answer\.ts/ })
    .first()
    .click(patiently);
  const editor = page.locator('.editor-instance .monaco-editor').last();
  await editor.locator('.codelens-decoration a', { hasText: /^v2/ }).first().waitFor(patiently);
  await editor.locator('.squiggly-warning').first().waitFor(patiently);
}

/** Semicolons, a title twice, and a record that ends early. */
const questionsFile = `id;question;note;note;score
1;"Where is my parcel; it was due on Monday.";post;;3
2;"Can I send it back?";return;"asked
twice";2,5
3;"Do you ship to Norway?";post
4;"";;empty;1
`;

/** The sample comes last: it is in the local workspace, the others are in that of the demo. */
export const scenes: Readonly<Record<string, Scene>> = {
  async prompt({ workbench }) {
    await chooseLatest(workbench, 'Prompt Tables: Run Prompt…', /^support\/answer/);
    await fillAndRun(workbench, parcel);
    const done = runState(workbench, 'Done');
    await done.waitFor(patiently);
    return done;
  },
  async stream({ workbench, model }) {
    model.say(longReply, slowly);
    await chooseLatest(workbench, 'Prompt Tables: Run Prompt…', /^support\/answer/);
    await fillAndRun(workbench, parcel);
    await webview(workbench).getByText('Expected').first().waitFor(patiently);
    model.say(demoReply, quickly);
    return runState(workbench, 'Running');
  },
  async workflow({ workbench }) {
    await chooseLatest(workbench, 'Prompt Tables: Run Workflow…', /^triage/);
    const kinds = 'order, invoice, return';
    await fillAndRun(workbench, { question: 'Where is my parcel?', kinds, tone: 'kind and short' });
    const done = runState(workbench, 'Done');
    await done.waitFor(patiently);
    return done;
  },
  async runs({ workbench, model }) {
    for (const question of ['Do you ship to Oslo?', 'My cup arrived broken.']) {
      await chooseLatest(workbench, 'Prompt Tables: Run Prompt…', /^support\/answer/);
      await fillAndRun(workbench, { question, tone: 'formal' });
      await runState(workbench, 'Done').waitFor(patiently);
      await runCommand(workbench, 'View: Close All Editors');
    }
    await chooseLatest(workbench, 'Prompt Tables: Run Workflow…', /^triage/);
    const kinds = 'order, invoice, return';
    await fillAndRun(workbench, { question: 'Where is my parcel?', kinds, tone: 'formal' });
    await runState(workbench, 'Done').waitFor(patiently);
    await runCommand(workbench, 'View: Close All Editors');
    model.say(longReply, slowly);
    await chooseLatest(workbench, 'Prompt Tables: Run Prompt…', /^summarize/);
    await fillAndRun(workbench, { text: longReply });
    await webview(workbench).getByRole('button', { name: 'Stop' }).click();
    await runState(workbench, 'Stopped').waitFor(patiently);
    model.say(demoReply, quickly);
    await runCommand(workbench, 'View: Close All Editors');
    await showSections(workbench, 'Runs');
    const run = treeItem(workbench, /^Prompt support\/answer, Done/);
    await run.click();
    await runState(workbench, 'Done').waitFor(patiently);
    return run;
  },
  async charts({ workbench }) {
    await openOfSheet(workbench, 'Prompt Tables: Show Sheet Charts…');
    await webview(workbench).getByText('48 of 48 rows read').waitFor(patiently);
    const columns = webview(workbench).getByRole('region', { name: 'By column' });
    await columns.getByText('Show as table').click();
    return columns.getByRole('table').first();
  },
  async score({ workbench }) {
    await openOfSheet(workbench, 'Prompt Tables: Show Sheet Score…');
    const calculate = webview(workbench).getByRole('button', { name: 'Calculate' });
    await calculate.click(patiently);
    const known = webview(workbench).getByText('48 of 48 rows have a score');
    await known.waitFor(patiently);
    return known;
  },
  async compare({ workbench }) {
    await openQuestions(workbench);
    await pickBy(workbench, 'Prompt Tables: Compare Columns…', /^Expected kind/);
    await pick(workbench, /^Kind/);
    const pair = webview(workbench).getByRole('heading', { name: 'Expected kind ↔ Kind' });
    await pair.waitFor(patiently);
    return pair;
  },
  async matrix({ workbench, model }) {
    model.say(demoReply, { ...quickly, streamed: demoWords });
    await chooseLatest(workbench, 'Prompt Tables: Compare Many…', /^support\/answer/);
    const view = webview(workbench);
    await view.getByRole('button', { name: 'Add Variant…' }).click(patiently);
    await pick(workbench, /^Version or label of support\/answer/);
    await pick(workbench, /^Version 1/);
    await view.getByRole('button', { name: 'Add Cases…' }).click(patiently);
    await pick(workbench, /^Rows of a sheet/);
    await pick(workbench, /^Support/);
    await pick(workbench, /^Questions/);
    await view.getByText('48 cases').waitFor(patiently);
    await view.getByRole('button', { name: 'Add Scorer…' }).click();
    await pick(workbench, /^Matches a regular expression/);
    await answer(workbench, '(?i)\\b(today|tomorrow|days)\\b');
    await view.getByRole('button', { name: 'Run', exact: true }).click();
    await confirm(workbench, 'Send Requests');
    const done = view.getByText('96 of 96 answered').first();
    await done.waitFor(patiently);
    model.say(demoReply, quickly);
    return done;
  },
  async chat({ workbench, model }) {
    model.say(demoReply, { ...quickly, streamed: demoWords });
    await chooseLatest(workbench, 'Prompt Tables: Run Prompt…', /^support\/answer/);
    const view = webview(workbench);
    await view.getByRole('tab', { name: 'Chat' }).click(patiently);
    await view.getByRole('textbox', { name: 'question' }).fill('Where is my parcel?');
    await view.getByRole('textbox', { name: 'tone' }).fill('kind and short');
    const message = view.getByRole('textbox', { name: 'Message' });
    await message.press('Enter');
    const turn = (at: number): Locator => view.getByRole('article', { name: `Turn ${at}` });
    await turn(1).getByText('Done').waitFor(patiently);
    model.say('Yes: select **Another day** in the link. It is free until 20:00.', quickly);
    await message.fill("I'm not at home tomorrow. Can it come on Friday?");
    await message.press('Enter');
    await turn(2).getByText('Done').waitFor(patiently);
    model.say(demoReply, quickly);
    return turn(2);
  },
  async code({ workbench }) {
    await openCode(workbench);
    const { page } = workbench;
    await runCommand(workbench, 'Notifications: Clear All Notifications');
    return page.locator('.codelens-decoration a', { hasText: /^v2/ }).first();
  },
  async find({ workbench }) {
    await openQuestions(workbench);
    await runCommand(workbench, 'Prompt Tables: Filter and Sort Rows…');
    const bar = webview(workbench).getByRole('group', { name: 'Filter and sort rows' });
    await bar.getByRole('combobox', { name: 'Column' }).selectOption({ label: 'Tone' });
    await bar.getByRole('textbox', { name: 'Value' }).fill('kind');
    await bar.getByRole('button', { name: 'Apply', exact: true }).click();
    await runCommand(workbench, 'Prompt Tables: Find in Sheet…');
    await webview(workbench).getByRole('textbox', { name: 'Find' }).fill('return');
    const found = webview(workbench).getByText(/^[\d,]+ of [\d,]+ in /);
    await found.first().waitFor(patiently);
    return found.first();
  },
  async versions({ workbench }) {
    await openOfSheet(workbench, 'Prompt Tables: Compare Sheet Versions…');
    await pick(workbench, /Before the friendlier tone/);
    await pick(workbench, /The sheet as it is now/);
    const report = workbench.page.locator('.monaco-editor').filter({ hasText: 'Changed cells' });
    await report.waitFor(patiently);
    return report;
  },
  async evaluation({ workbench }) {
    await openOfSheet(workbench, 'Prompt Tables: Evaluate Sheet…');
    const failed = treeItem(workbench, /broken.*\(Failed\)/);
    await failed.waitFor(patiently);
    await runCommand(workbench, 'Test Results: Focus on Test Results View');
    const evidence = workbench.page.locator('.test-output-peek-tree').getByText('is false').first();
    await evidence.click();
    await workbench.page.locator('.monaco-diff-editor').first().waitFor();
    return failed;
  },
  async requests({ workbench }) {
    await runCommand(workbench, 'Prompt Tables: Open Request Log');
    const cell = webview(workbench).getByRole('gridcell').getByText('gpt-4o-mini').first();
    await cell.waitFor(patiently);
    return webview(workbench)
      .locator('.status-line')
      .getByText(/requests/)
      .first();
  },
  async column({ workbench }) {
    await openQuestions(workbench);
    await runCommand(workbench, 'Prompt Tables: Add Column…');
    const view = webview(workbench);
    await view.getByRole('textbox', { name: 'Title' }).fill('Reply');
    await view.getByRole('combobox', { name: 'Type' }).selectOption({ label: 'Prompt' });
    const prompt = view.getByRole('combobox', { name: 'Prompt' });
    await prompt.click();
    await view.getByRole('option', { name: /^support\/answer/ }).click(patiently);
    const variables = view.getByText('Input variables of support/answer, version 2.');
    await variables.waitFor(patiently);
    return variables;
  },
  async import({ workbench }) {
    const file = path.join(workbench.host.workspace, 'questions.csv');
    fs.writeFileSync(file, questionsFile);
    await pickBy(workbench, 'Prompt Tables: Import File…', /^Support/);
    await answerFile(workbench, file);
    const counted = webview(workbench).getByText('Rows: 4');
    await counted.waitFor(patiently);
    return counted;
  },
  async scorecard({ workbench }) {
    await openOfSheet(workbench, 'Prompt Tables: Edit Sheet Scorecard…');
    const step = webview(workbench).getByRole('region', { name: 'Step 1' });
    await step.waitFor(patiently);
    return step;
  },
  async sheet({ workbench }) {
    const first = await openSample(workbench);
    await first.click();
    await runCommand(workbench, 'Prompt Tables: Toggle Cell Details');
    return webview(workbench).getByText('Row index').first();
  },
};
