import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/service/store/database.ts';
import { createWriteLock } from '../../src/service/store/write-lock.ts';
import { until } from '../support/until.ts';
import type { Api } from './support/api.ts';
import { onEachBackend } from './support/backends.ts';
import type { Loose } from './support/loose.ts';
import { newFolder, RunningService } from './support/running-service.ts';
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

/** Calculates a scorecard anew; answers the verdicts of the first row's steps. */
async function scoreOf(api: Api, sheetPath: string): Promise<unknown[]> {
  const scorecard = `${sheetPath}/scorecard`;
  const begun: Loose = await api.expect(202, 'POST', `${scorecard}/recalculate`, {});
  await until('the score is calculated', async () => {
    const found: Loose = await api.get(`${scorecard}/calculations/${begun.calculation_id}`);
    return found.calculation.status === 'completed';
  });
  const { rows }: Loose = await api.get(`${scorecard}/rows`);
  return Object.values(rows[0].step_results).map(({ verdict }: Loose) => verdict);
}

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

  it('of another sheet is followed, shown by its present titles, and not guessed where several have them', async () => {
    const source = await SheetRun.of(api, 'Word,Other\nhello,no');
    const own = await SheetRun.of(api, 'A\nx');
    const { tableId, sheetId } = source.place;
    const tables = '/api/public/v2/tables';
    const sheetOf = ({ place }: SheetRun): string =>
      `${tables}/${place.tableId}/sheets/${place.sheetId}`;
    const entitle = async (sheet: SheetRun, table: string, title: string): Promise<void> => {
      await api.expect(200, 'PATCH', `${tables}/${sheet.place.tableId}`, { title: table });
      await api.expect(200, 'PATCH', sheetOf(sheet), { title });
    };
    const columns = `${own.place.path}/columns`;
    const listed = async (path: string): Promise<readonly Listed[]> =>
      (await api.get(`${path}/columns`)).data as unknown as Listed[];
    const [word] = await listed(source.place.path);
    await entitle(source, `table of ${tableId}`, 'Sheet');
    const titles = `{table of ${tableId}}.{Sheet}.{Word}`;
    const byTitle = await own.add('COMPOSITION', { source: titles }, 'title');
    const bare = await own.add('COMPOSITION', { sources: [`${tableId}.Sheet.Word`] }, 'bare');
    const computed = await own.add('COUNT', { source: 'title', type: 'chars' });
    await own.run();
    const shown = async (id = byTitle): Promise<string> =>
      JSON.stringify((await listed(own.place.path)).find((one) => one.id === id)?.config);
    const values = (): Promise<unknown[]> =>
      Promise.all([byTitle, bare, computed].map((id) => own.value(id)));
    const isRight = async (titlesNow: string): Promise<void> => {
      assert.deepEqual(await values(), ['hello', 'hello', 5]);
      assert.equal(await shown(), JSON.stringify({ source: titlesNow }));
      const config = JSON.parse(await shown()) as object;
      const kept = await api.expect(200, 'PATCH', `${columns}/${byTitle}`, { config });
      assert.equal(kept['requires_recalculation'], false, 'the same config is no change');
      assert.equal(JSON.stringify(kept.column['config']), JSON.stringify({ source: titlesNow }));
    };
    await isRight(titles);
    assert.equal(await shown(bare), `{"sources":["${tableId}.{Sheet}.{Word}"]}`);
    const version = await api.expect(201, 'POST', `${own.place.path}/versions`, { name: 'v' });

    await entitle(source, `renamed ${tableId}`, 'Dots. And more');
    await api.expect(200, 'PATCH', `${sheetOf(source)}/columns/${word?.id ?? ''}`, {
      title: 'Phrase',
    });
    const now = `{renamed ${tableId}}.{Dots. And more}.{Phrase}`;
    await isRight(now);

    // Others take the old titles; then two have the new ones.
    const other = await SheetRun.of(api, 'Word,Phrase\nstranger,stranger');
    await entitle(other, `table of ${tableId}`, 'Sheet');
    await isRight(now);
    await entitle(other, `renamed ${tableId}`, 'Dots. And more');
    await isRight(`{${tableId}}.{${sheetId}}.{${word?.id ?? ''}}`);
    const several = await own.refuse('COMPOSITION', { source: now });
    assert.match(JSON.stringify(several), /several columns .* by their IDs/);
    const nobody = await own.refuse('COMPOSITION', { source: titles });
    assert.match(JSON.stringify(nobody), /no table, sheet, and column of the workspace/);

    // A version from before reads what it has read.
    await entitle(other, 'elsewhere', 'Sheet');
    await api.expect(200, 'PATCH', `${columns}/${byTitle}`, {
      config: { source: `{elsewhere}.{Sheet}.{Word}` },
    });
    assert.equal(await own.value(byTitle), 'stranger');
    await api.expect(201, 'POST', `${own.place.path}/versions`, {
      source_version_id: (version as unknown as { version: { id: string } }).version.id,
    });
    await isRight(now);
    await source.write(word?.id ?? '', 'hello there');
    await until(
      'what reads the other sheet is stale',
      async () => (await own.cell(computed)).status === 'stale',
    );

    // A column of this sheet, named from outside of it, is a source like every other.
    await entitle(own, `own ${tableId}`, 'Own');
    const inside = await own.add('COMPOSITION', { source: `{own ${tableId}}.Own.A` }, 'inside');
    assert.equal(await shown(inside), '{"source":"A"}');
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

  it('is found again in what an older version has saved, without anybody having to save it', async function () {
    this.timeout(120_000);
    const folder = newFolder();
    const databaseUrl = backend.databaseUrl();
    const options = { folder, databaseUrl };
    const before = await RunningService.start(options);
    const source = await SheetRun.of(before.api, 'Word\nhello');
    const sheet = await SheetRun.of(before.api, 'Text\nabc');
    const code = { language: 'JAVASCRIPT', code: 'return data.get("Text") ?? null' };
    const columnId = await sheet.add('CODE_EXECUTION', code);
    const open = await sheet.add(
      'CODE_EXECUTION',
      { ...code, code: 'return Object.keys(data).length' },
      'open',
    );
    const { tableId, sheetId } = source.place;
    const shown = await sheet.add('COMPOSITION', { source: `${tableId}.${sheetId}.Word` });
    const [word] = (await before.api.get(`${source.place.path}/columns`)).data;
    const scored = await SheetRun.of(before.api, 'Given,Wanted,Name\na,cat,Wanted');
    const { data: scoredColumns } = await before.api.get(`${scored.place.path}/columns`);
    const step = (text: string): object => ({
      title: text,
      primitive_type: 'CODE_EXECUTION',
      primitive_config: { language: 'JAVASCRIPT', code: `return data.get(${text}) === "cat"` },
    });
    await before.api.expect(200, 'PATCH', `${scored.place.path}/scorecard`, {
      name: 'score',
      evaluated_column_ids: [scoredColumns[0]?.id],
      aggregation: { method: 'weighted_mean' },
      steps: [step('"Wanted"'), step('data.Name'), step('"Gone"')],
    });
    await scoreOf(before.api, scored.place.path);
    await before.stop();

    const path = join(folder, 'tables.db');
    const database = await openDatabase(
      databaseUrl === undefined
        ? { kind: 'sqlite', path, writeLock: createWriteLock() }
        : { kind: 'postgres', url: databaseUrl },
    );
    await database.run(`update columns set dependencies_json = '[]' where id in (?, ?)`, [
      columnId,
      open,
    ]);
    const card = await database.one<{ id: string; steps_json: string }>(
      'select id, steps_json from scorecards',
    );
    const steps = JSON.parse(card?.steps_json ?? '') as {
      dependencies: { column_id: string }[];
      config_hash: string;
    }[];
    const hashes = steps.map(({ config_hash: hash }) => hash);
    for (const one of steps.slice(0, 2)) {
      one.dependencies = one.dependencies.filter((edge) => edge.column_id === scoredColumns[0]?.id);
      one.config_hash = 'of before';
    }
    await database.run(
      `update scorecards set config_hash = 'of before', steps_json = ? where id = ?`,
      [JSON.stringify(steps), card?.id ?? ''],
    );
    await database.run(`update score_calculations set config_hash = 'of before'`);
    await database.run('update columns set config_json = ? where id = ?', [
      JSON.stringify({ source: `${tableId}.${sheetId}.Word` }),
      shown,
    ]);
    await database.close();

    const service = await RunningService.start(options);
    try {
      const { api: after } = service;
      const columnsOf = async (): Promise<string> =>
        JSON.stringify(await after.get(`${sheet.place.path}/columns`));
      await until(
        'the service has read the columns',
        async () => (await columnsOf()).split('"variable_name":"Text"').length === 3,
      );
      await until('titles are kept by ids', async () =>
        (await columnsOf()).includes(`${tableId}.${sheetId}.{Word}`),
      );
      const now = sheet.of(after);
      await now.run();
      assert.equal(await now.value(columnId), 'abc');
      await after.expect(200, 'PATCH', `${source.place.path}/columns/${word?.id ?? ''}`, {
        title: 'Phrase',
      });
      assert.equal(await now.value(shown), 'hello');
      const scorecard = `${scored.place.path}/scorecard`;
      const state = async (): Promise<Loose> => ((await after.get(scorecard)) as Loose).scorecard;
      await until('the steps are as if they had been saved today', async () => {
        const found = ((await state()).steps as Loose[]).map(({ config_hash: hash }) => hash);
        return found.join() === hashes.join();
      });
      assert.deepEqual((await state()).stale_state.reasons, ['configuration_changed']);
      assert.deepEqual(await scoreOf(after, scored.place.path), ['pass', 'pass', 'fail']);
      assert.equal((await state()).stale_state.is_stale, false);
    } finally {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
