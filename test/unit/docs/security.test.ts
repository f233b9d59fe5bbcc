/** That each promise of SECURITY.md names a test that is there. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
const rows = fs
  .readFileSync(path.join(root, 'SECURITY.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:They|It) can't|^\| -/.test(line));

describe('SECURITY.md', () => {
  it('names a test for every promise, by its file and its title', () => {
    assert.ok(rows.length >= 20, String(rows.length));
    for (const row of rows) {
      const [, file = '', title = ''] = /\| `([^`]+)`: (.*?) *\|$/.exec(row) ?? [];
      const place = path.join(root, 'test', file);
      assert.ok(file !== '' && fs.existsSync(place), row);
      const titles = fs.readFileSync(place, 'utf8').replaceAll("\\'", "'");
      assert.ok(titles.includes(title), row);
    }
  });
});
