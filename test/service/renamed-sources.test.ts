import assert from 'node:assert/strict';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import { SheetRun } from './support/sheet-run.ts';

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly config: object;
}

const compared = { operator: '=', right_config: { value: 5 } };
const configs: Readonly<Record<string, object>> = {
  COUNT: { source: 'Answer', type: 'chars' },
  COALESCE: { sources: ['Answer', 'Other'] },
  COMBINE_COLUMNS: { sources: ['Answer', { title: 'Other' }] },
  CONDITION: {
    conditionals: [
      { ...compared, left_config: { source: 'Answer', json_path: '$.n' } },
      { ...compared, left_config: { source: { title: 'Answer' }, json_path: '$.n' } },
    ],
  },
  COMPOSITION: { source: 'Answer' },
  ENDPOINT: { url: 'https://example.test/', input_mappings: { a: 'Answer', b: 'Other' } },
  CODE_EXECUTION: { language: 'JAVASCRIPT', code: 'return data["Answer"].length' },
  JSON_PATH: { source: '', json_path: '$.n' },
};

onEachBackend('A source that is renamed', (backend) => {
  let api: Api;
  before(async () => {
    api = (await backend.share()).api;
  });

  it('is named by its new title in the configs that read it, and no config changes its source by being saved', async () => {
    const sheet = await SheetRun.of(api, 'Answer,Other\n"{""n"": 5}",7');
    const columns = `${sheet.place.path}/columns`;
    const listed = async (): Promise<readonly Listed[]> =>
      (await api.get(columns)).data as unknown as Listed[];
    const answer = (await listed()).find(({ title }) => title === 'Answer')?.id ?? '';
    const ids: Record<string, string> = {};
    for (const [type, config] of Object.entries(configs))
      ids[type] = await sheet.add(
        type,
        type === 'JSON_PATH' ? { ...config, source: answer } : config,
      );
    const computed = Object.entries(ids).filter(
      ([type]) => type !== 'ENDPOINT' && type !== 'COMPOSITION',
    );
    const shown = async (type: string): Promise<string> =>
      JSON.stringify((await listed()).find(({ id }) => id === ids[type])?.config);
    const read = async (): Promise<unknown[]> => {
      await sheet.run({ column_ids: computed.map(([, id]) => id), statuses: [] });
      return Promise.all(computed.map(([, id]) => sheet.value(id)));
    };
    const rename = (title: string): Promise<unknown> =>
      api.expect(200, 'PATCH', `${columns}/${answer}`, { title });
    const before = await read();
    assert.deepEqual(before, [8, '{"n": 5}', before[2], true, 8, 5]);

    await rename('Reply');
    for (const type of Object.keys(configs)) {
      const text = await shown(type);
      if (type === 'CODE_EXECUTION') assert.match(text, /Answer/);
      else if (type === 'JSON_PATH') assert.match(text, new RegExp(answer));
      else {
        assert.doesNotMatch(text, /"Answer"/, type);
        assert.match(text, /"Reply"/, type);
      }
    }
    const stale = await api.get(`${sheet.place.path}/rows`);
    assert.doesNotMatch(JSON.stringify(stale), /"COUNT","status":"stale"/);

    // Another column takes the old name; what was read is sent back, with and without a change.
    await api.expect(201, 'POST', columns, { title: 'Answer', type: 'TEXT' });
    for (const [type, id] of Object.entries(ids)) {
      const config = JSON.parse(await shown(type)) as object;
      await api.expect(200, 'PATCH', `${columns}/${id}`, { config });
      await api.expect(200, 'PATCH', `${columns}/${id}`, { config: { ...config, more: 1 } });
    }
    const combined = before[2] as Record<string, unknown>;
    const after = [...before];
    after[2] = { Reply: combined['Answer'], Other: combined['Other'] };
    assert.deepEqual(await read(), after);

    // Two columns of one name: the configs name theirs by id.
    await rename('Other');
    assert.match(await shown('COUNT'), new RegExp(`"${answer}"`));
    assert.equal((await read())[0], 8);
  });

  it('of another sheet is not guessed where several have its titles', async () => {
    const source = await SheetRun.of(api, 'Word\nhello');
    const own = await SheetRun.of(api, 'A\nx');
    const { tableId, sheetId } = source.place;
    const tables = '/api/public/v2/tables';
    const title = `table of ${tableId}`;
    const sheetPath = `${tables}/${tableId}/sheets/${sheetId}`;
    await api.expect(200, 'PATCH', `${tables}/${tableId}`, { title });
    await api.expect(200, 'PATCH', sheetPath, { title: 'Sheet' });
    const byTitle = await own.add('COMPOSITION', { source: `{${title}}.{Sheet}.{Word}` }, 'title');
    const byId = await own.add('COMPOSITION', { source: `${tableId}.${sheetId}.Word` }, 'id');
    assert.deepEqual([await own.value(byTitle), await own.value(byId)], ['hello', 'hello']);
    const other = await SheetRun.of(api, 'Word\nstranger');
    await api.expect(200, 'PATCH', `${tables}/${other.place.tableId}`, { title });
    const otherSheet = `${tables}/${other.place.tableId}/sheets/${other.place.sheetId}`;
    await api.expect(200, 'PATCH', otherSheet, { title: 'Sheet' });
    assert.match(
      String(await own.value(byTitle)),
      /those of several columns\. Name .* by their IDs/,
    );
    assert.equal(await own.value(byId), 'hello');
  });

  it('is known by its new title, and a title of nobody is refused', async () => {
    const sheet = await SheetRun.of(api, 'Answer\nabc');
    const columns = `${sheet.place.path}/columns`;
    const id = await sheet.add('COUNT', { source: 'Answer', type: 'chars' });
    const [answer] = (await api.get(columns)).data as unknown as Listed[];
    await api.expect(200, 'PATCH', `${columns}/${answer?.id ?? ''}`, { title: 'Reply' });
    await api.expect(400, 'PATCH', `${columns}/${id}`, {
      config: { source: 'Nobody', type: 'words' },
    });
    await api.expect(200, 'PATCH', `${columns}/${id}`, {
      config: { source: 'Reply', type: 'words' },
    });
    await sheet.run();
    assert.equal(await sheet.value(id), 1);
  });
});
