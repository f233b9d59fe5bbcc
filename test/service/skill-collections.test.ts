import assert from 'node:assert/strict';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { onEachBackend } from './support/backends.ts';
import type { Loose } from './support/loose.ts';
import { firstKey, type RunningService } from './support/running-service.ts';

const path = '/api/public/v2/skill-collections';

onEachBackend('Skill collections', (backend) => {
  let service: RunningService;
  let count = 0;
  const newName = (): string => `skills ${String((count += 1))}`;
  const address = (identifier: string, below = ''): string =>
    `${path}/${encodeURIComponent(identifier)}${below}`;
  before(async function () {
    this.timeout(60_000);
    service = await backend.start();
  });

  const make = async (files: Readonly<Record<string, string>>, rest: object = {}) => {
    const sent = Object.entries(files).map(([name, content]) => ({ path: name, content }));
    const made: Loose = await service.api.expect(201, 'POST', path, {
      name: newName(),
      files: sent,
      ...rest,
    });
    return made.skill_collection;
  };
  const save = async (identifier: string, body: object): Promise<Loose> => {
    const saved: Loose = await service.api.expect(
      201,
      'POST',
      address(identifier, '/versions'),
      body,
    );
    return saved.version;
  };
  const get = (identifier: string, query = ''): Promise<Loose> =>
    service.api.get(`${address(identifier)}${query}`);

  /** As a browser or the fetch of a client sends a form. */
  async function post(url: string, parts: Readonly<Record<string, string | Uint8Array>>) {
    const form = new FormData();
    for (const [name, part] of Object.entries(parts)) {
      if (typeof part === 'string') form.append(name, part);
      else form.append(name, new Blob([new Uint8Array(part)]), 'skills.zip');
    }
    const headers = { 'x-api-key': firstKey };
    const response = await fetch(`${service.ready.url!}${url}`, {
      method: 'POST',
      headers,
      body: form,
    });
    return { status: response.status, body: await response.json() };
  }

  async function archiveOf(identifier: string, query = ''): Promise<Record<string, string>> {
    const url = `${service.ready.url!}${address(identifier)}?format=zip${query}`;
    const response = await fetch(url, { headers: { 'x-api-key': firstKey } });
    assert.equal(response.headers.get('content-type'), 'application/zip');
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    return Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, new TextDecoder().decode(content)]),
    );
  }

  it('keep every version as it was, and move, delete and update files in this order', async () => {
    const { id } = await make({ 'a.md': 'A', 'b/c.md': 'C', 'd.md': 'D' });
    const second = await save(id, {
      moves: [{ old_path: 'a.md', new_path: 'b/a.md' }],
      deletes: ['d.md'],
      file_updates: [{ path: 'd.md', content: 'new' }, { path: 'empty' }],
      commit_message: 'tidy up',
    });
    assert.deepEqual(second.file_paths, ['b/a.md', 'b/c.md', 'd.md', 'empty'].sort());
    assert.equal(second.commit_message, 'tidy up');
    assert.deepEqual((await get(id)).files, {
      'b/a.md': 'A',
      'b/c.md': 'C',
      'd.md': 'new',
      empty: '',
    });
    assert.deepEqual((await get(id, '?version=1')).files, {
      'a.md': 'A',
      'b/c.md': 'C',
      'd.md': 'D',
    });
  });

  it('are found by id, name and root path, and have no version before one is saved', async () => {
    const made = await make({}, { name: 'Refunds & Co/2' });
    assert.equal(made.root_path, '/refunds-co-2');
    for (const identifier of [made.id, made.id.toUpperCase(), made.name, made.root_path]) {
      const got = await get(identifier);
      assert.equal(got.skill_collection.id, made.id);
      assert.equal(got.version, null);
    }
    const other = await make({}, { name: 'refunds co 2' });
    assert.equal(other.root_path, '/refunds-co-2-2');
    await service.api.expect(400, 'PATCH', address(other.id), { name: made.name });
    const renamed: Loose = await service.api.expect(200, 'PATCH', address(other.id), {
      name: 'Ä ß',
    });
    assert.equal(renamed.skill_collection.root_path, '/ä-ß');
    await service.api.expect(404, 'GET', address('refunds co 2'));
  });

  it('have labels that stand on one version each', async () => {
    const { id } = await make({ a: '1' });
    await save(id, { file_updates: [{ path: 'a', content: '2' }], release_label: 'prod' });
    assert.equal((await get(id, '?label=prod')).version.number, 2);
    await save(id, { file_updates: [{ path: 'a', content: '3' }], release_label: 'prod' });
    const labelled = await get(id, '?label=prod');
    assert.deepEqual([labelled.version.number, labelled.files], [3, { a: '3' }]);
    assert.equal((await get(id, '?version=2')).version.release_label, null);
    await service.api.expect(404, 'GET', `${address(id)}?label=nobody`);
  });

  it('come and go as ZIP files', async () => {
    const files = { 'SKILL.md': '# Ünï', 'deep/er/x.txt': 'x'.repeat(100_000) };
    const name = newName();
    const archive = zipSync({
      'SKILL.md': strToU8(files['SKILL.md']),
      deep: { er: { 'x.txt': strToU8(files['deep/er/x.txt']) } },
      'nothing/': new Uint8Array(),
    });
    const metadata = JSON.stringify({ name, files: [{ path: 'from.json', content: 'J' }] });
    const made = await post(path, { metadata, archive });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual((await get(name)).files, { ...files, 'from.json': 'J' });
    assert.deepEqual(await archiveOf(name), { ...files, 'from.json': 'J' });
    const json = JSON.stringify({ deletes: ['from.json'], release_label: 'zip' });
    const zip = zipSync({ 'SKILL.md': strToU8('second') });
    const saved = await post(address(name, '/versions'), { json, zip });
    assert.equal(saved.status, 201, JSON.stringify(saved.body));
    assert.deepEqual(await archiveOf(name, '&label=zip'), { ...files, 'SKILL.md': 'second' });
    assert.deepEqual(await archiveOf((await make({})).id), {});
  });

  it('refuse paths that lead out, files that are folders, what is too much and what is no archive', async () => {
    const name = newName();
    const refuse = (files: readonly object[]) =>
      service.api.expect(400, 'POST', path, { name, files });
    for (const bad of [
      '../x',
      '/x',
      'a//b',
      './a',
      'a/..',
      '',
      'C:/x',
      'a\\b',
      'a\nb',
      'x'.repeat(513),
    ]) {
      await refuse([{ path: bad, content: 'x' }]);
      if (bad === '') continue;
      const archive = zipSync({ [bad]: strToU8('x') });
      const { status } = await post(path, { metadata: JSON.stringify({ name }), archive });
      assert.equal(status, 400, bad);
    }
    await refuse([{ path: 'a' }, { path: 'a/b' }]);
    await refuse([{ path: 'a', content: 'x'.repeat(1_000_001) }]);
    await refuse(Array.from({ length: 1001 }, (_, index) => ({ path: `f${String(index)}` })));
    const metadata = JSON.stringify({ name });
    for (const archive of [
      strToU8('no archive'),
      zipSync({ 'binary.png': Uint8Array.from([0x89, 0xff, 0xfe]) }),
      zipSync({ bomb: new Uint8Array(30 * 2 ** 20) }),
      zipSync({ a: strToU8('x'.repeat(1000)) }).subarray(0, 60),
    ]) {
      const { status, body } = await post(path, { metadata, archive });
      assert.equal(status, 400, JSON.stringify(body));
    }
    assert.equal((await post(path, { metadata: '{' })).status, 422);
    assert.equal((await post(path, { other: 'x' })).status, 422);
    await service.api.expect(404, 'GET', address(name));
    const raw = { raw: 'x', headers: { 'content-type': 'text/markdown' } };
    assert.equal((await service.api.call('POST', path, undefined, raw)).status, 415);
  });

  it('count every version once when many save at the same time', async () => {
    const { id } = await make({ a: 'a' });
    const saves = Array.from({ length: 12 }, (_, index) =>
      save(id, { file_updates: [{ path: `f${String(index)}`, content: 'x' }], release_label: 'l' }),
    );
    const numbers = (await Promise.all(saves)).map(({ number }) => Number(number));
    assert.deepEqual(
      numbers.sort((left, right) => left - right),
      Array.from(saves, (_, at) => at + 2),
    );
    assert.equal(Object.keys((await get(id)).files).length, 13);
  });

  it('outlive their folder', async () => {
    const folder: Loose = await service.api.expect(201, 'POST', '/api/public/v2/folders', {
      name: newName(),
    });
    const made = await make({}, { folder_id: folder.folder.id });
    assert.equal(made.folder_id, folder.folder.id);
    await service.api.expect(200, 'DELETE', '/api/public/v2/folders/entities', {
      entities: [{ id: folder.folder.id, type: 'FOLDER' }],
      cascade: true,
    });
    assert.equal((await get(made.id)).skill_collection.folder_id, null);
  });
});
