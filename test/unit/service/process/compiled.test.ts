import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keepCompiled } from '../../../../src/service/process/compiled.ts';

describe('Compiled code of the service', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'pt-compiled-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const kept = (given: Record<string, string> = {}, at = folder): string | undefined => {
    const environment: Record<string, string | undefined> = { ...given };
    keepCompiled(at, environment);
    return environment['NODE_COMPILE_CACHE'];
  };

  it('is kept with the data, for its owner alone, and that of other versions goes', () => {
    const old = path.join(folder, 'compiled', '0.0.1');
    mkdirSync(old, { recursive: true, mode: 0o700 });
    chmodSync(path.join(folder, 'compiled'), 0o700);
    writeFileSync(path.join(old, 'code'), '');
    const place = kept() ?? '';
    assert.equal(path.dirname(place), path.join(folder, 'compiled'));
    assert.ok(!existsSync(old));
    if (process.platform !== 'win32')
      assert.equal(statSync(path.dirname(place)).mode & 0o777, 0o700);
    assert.equal(kept(), place);
  });

  it('is not kept where others could put some, nor before there is a folder, nor against a variable', () => {
    assert.equal(kept({}, path.join(folder, 'none')), undefined);
    assert.ok(!existsSync(path.join(folder, 'none')));
    assert.equal(kept({ NODE_COMPILE_CACHE: '/elsewhere' }), '/elsewhere');
    if (process.platform === 'win32') return;
    chmodSync(folder, 0o777);
    assert.equal(kept(), undefined);
    chmodSync(folder, 0o700);
    mkdirSync(path.join(folder, 'compiled'));
    chmodSync(path.join(folder, 'compiled'), 0o770);
    assert.equal(kept(), undefined);
  });
});
