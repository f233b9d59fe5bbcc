import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { columnTypes } from '../../../../src/api/column.ts';
import { jsonFromText } from '../../../../src/service/engine/columns/json.ts';
import { columnKind } from '../../../../src/service/engine/columns/registry.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/columns.md'), 'utf8');

/** The first example of each section, by the type that it is about. */
const examples = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [, type = ''] = /^(\w+)\n/.exec(section) ?? [];
      const [, example = ''] = /```json\n(.*?)```/s.exec(section) ?? [];
      return [type, example] as const;
    }),
);

describe('the page about column types', () => {
  it('has a section for each of them', () => {
    assert.deepEqual([...examples.keys()].sort(), [...columnTypes].sort());
  });

  for (const [type, example] of examples) {
    it(`gives a config of ${type} that the service takes`, () => {
      columnKind(type).compile(jsonFromText(example));
    });
  }
});
