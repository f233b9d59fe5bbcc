import assert from 'node:assert/strict';
import type { Api, Json } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import { SheetRun } from './support/sheet-run.ts';

const slider = { data_type: 'number', ui_element: { type: 'slider', min: 1, max: 5 } };
const text = { data_type: 'string', ui_element: { type: 'text' } };

onEachBackend('Human columns', (backend) => {
  let api: Api;
  before(async () => {
    ({ api } = await backend.share());
  });

  it('wait, stale, whatever is run, until a person fills them in', async () => {
    const sheet = await SheetRun.of(api, 'Word\none\ntwo');
    const human = await sheet.add('HUMAN', slider, 'Score');
    const grade = await sheet.add('MATH_OPERATOR', {
      sources: ['Score'],
      operator: 'ge',
      value: 3,
    });
    const operation = await sheet.run();
    assert.equal(operation.cell_count, 2, 'Only the cells that can be computed.');
    assert.equal((await sheet.cell(human)).status, 'stale');
    assert.match(String(await sheet.value(grade)), /^source_not_computed: .*waits for an answer/);
    // Asking for the column itself, or for one of its cells, does nothing.
    const path = sheet.place.path;
    const all = { column_ids: [human], statuses: [] };
    const nothing = await api.expect(200, 'POST', `${path}/operations`, all);
    assert.deepEqual([nothing.success, nothing.cell_count], [true, 0]);
    const { id } = await sheet.cell(human);
    await api.expect(200, 'POST', `${path}/cells/${id}/recalculations`);

    const answer = await sheet.write(human, 4);
    assert.deepEqual([answer.cell.status, answer.cell.value], ['completed', 4]);
    assert.equal(answer.cell.last_computed_version, answer.version);
    assert.equal(answer.stale_count, 1, 'What failed for want of it can be run now.');
    await sheet.run();
    assert.equal(await sheet.value(grade), true);
    assert.equal((await sheet.cell(human)).status, 'completed');
    // The same answer again changes nothing.
    const again = await sheet.write(human, 4);
    const third = await sheet.write(human, 4);
    assert.deepEqual([again.stale_count, third.version], [0, again.version]);
    const gone = await sheet.write(human, null);
    assert.deepEqual([gone.cell.status, gone.cell.value, gone.stale_count], ['stale', null, 1]);
  });

  it('check what is filled in', async () => {
    const sheet = await SheetRun.of(api, 'Word\none');
    const score = await sheet.add('HUMAN', slider, 'Score');
    const note = await sheet.add('HUMAN', text, 'Note');
    const refuse = async (column: string, value: unknown): Promise<string> => {
      const { id } = await sheet.cell(column);
      const path = `${sheet.place.path}/cells/${id}`;
      return (await api.expect(400, 'PATCH', path, { value }))['message' as keyof Json] as string;
    };
    assert.match(await refuse(score, 0), /below 1/);
    assert.match(await refuse(score, 5.001), /above 5/);
    for (const value of ['many', true, [3], {}]) {
      assert.match(await refuse(score, value), /takes a number/);
    }
    assert.match(await refuse(note, 3), /takes text/);
    assert.equal((await sheet.write(score, '2.5')).cell.value, 2.5);
    assert.equal((await sheet.write(note, '<b>Ü')).cell.value, '<b>Ü');
    const { id } = await sheet.cell(score);
    const shown = { display_value: '3' };
    const answer = await api.expect(200, 'PATCH', `${sheet.place.path}/cells/${id}`, shown);
    assert.deepEqual([answer.cell.value, answer.cell.display_value], [3, '3']);
    await sheet.refuse('HUMAN', { data_type: 'date', ui_element: { type: 'text' } });
    await sheet.refuse('HUMAN', { data_type: 'number' });
    await sheet.refuse('HUMAN', { ...slider, ui_element: { type: 'slider', min: 2, max: 1 } });
  });

  it('lose their answers when the question changes, not when the title does', async () => {
    const sheet = await SheetRun.of(api, 'Word\none');
    const human = await sheet.add('HUMAN', slider, 'Score');
    const text = await sheet.add('PARSE_VALUE', { source: 'Score', type: 'string' });
    await sheet.write(human, 2);
    await sheet.run();
    const path = `${sheet.place.path}/columns/${human}`;
    await api.expect(200, 'PATCH', path, { title: 'Stars' });
    assert.equal((await sheet.cell(human)).status, 'completed');
    await api.expect(200, 'PATCH', path, { config: slider });
    assert.equal(await sheet.value(human), 2, "The same config isn't a change.");
    const ui_element = { type: 'slider', min: 10, max: 20 };
    await api.expect(200, 'PATCH', path, { config: { ...slider, ui_element } });
    const cell = await sheet.cell(human);
    assert.deepEqual([cell.status, cell.value], ['stale', null]);
    assert.equal((await sheet.cell(text)).status, 'stale');
  });
});
