import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { columnTypes } from '../../../src/api/column.ts';

const folder = path.resolve(import.meta.dirname, '../../../media/sample');
const read = (name: string): Buffer => readFileSync(path.join(folder, name));

interface SampleColumn {
  readonly title: string;
  readonly type: string;
  readonly after?: string;
  readonly config: {
    readonly source?: string;
    readonly value_source?: string;
    readonly sources?: readonly string[];
    readonly prompt_template_variable_mappings?: Readonly<Record<string, string>>;
  };
}

describe('sample data', () => {
  const recordsOf = (name: string): string[][] => parse(read(name));
  const file = read('word-definitions.csv');
  const records = recordsOf('word-definitions.csv');
  const [titles = [], ...rows] = records;
  const { sheets } = JSON.parse(read('sample.json').toString()) as {
    readonly sheets: readonly {
      readonly file: string;
      readonly columns: readonly SampleColumn[];
    }[];
  };

  it('is a small CSV file of 3,600 different senses', () => {
    assert.deepEqual(titles, [
      'word',
      'definition',
      'example',
      'part_of_speech',
      'topic',
      'frequency',
    ]);
    assert.equal(rows.length, 3600);
    assert.ok(file.length < 600 * 1024, String(file.length));
    assert.equal(file.toString('ascii'), file.toString('utf8'), 'plain ASCII');
    const keys = rows.map(([word, definition, , speech]) => [word, speech, definition].join('\n'));
    assert.equal(new Set(keys).size, rows.length);
  });

  it('has a value in every field but some examples', () => {
    for (const [word = '', definition = '', , speech = '', topic = '', frequency] of rows) {
      assert.match(word, /^[a-z]+( [a-z]+)?$/);
      assert.ok(['noun', 'verb', 'adjective'].includes(speech), word);
      assert.ok(topic !== '' && definition.length >= 12 && Number(frequency) > 0, word);
    }
    const without = rows.filter(([, , example]) => example === '').length;
    assert.ok(without > 0 && without < rows.length / 10, String(without));
  });

  it('comes with the licence that it is under', () => {
    const licence = read('LICENSE-WordNet.txt').toString();
    assert.match(licence, /WordNet 3\.1 Copyright 2011 by Princeton University/);
    assert.match(licence, /without fee or\s+royalty is hereby granted/);
  });

  it('is computed by columns that read columns which are there before them', () => {
    for (const { file: name, columns } of sheets) check(name, columns);
    const types = sheets.flatMap(({ columns }) => columns.map(({ type }) => type));
    assert.ok(new Set(types).size >= 8);
  });

  it('asks models in few rows only, and of none in particular', () => {
    for (const { file: name, columns } of sheets) {
      const asking = columns.filter(({ type }) => /PROMPT|LLM|AI_/.test(type));
      if (asking.length === 0) continue;
      assert.ok(recordsOf(name).length <= 20, name);
      assert.doesNotMatch(JSON.stringify(asking), /"provider"|"engine"/);
    }
  });

  function check(name: string, columns: readonly SampleColumn[]): void {
    const [first = []] = recordsOf(name);
    const known = new Set(first);
    for (const { title, type, after, config } of columns) {
      assert.ok((columnTypes as readonly string[]).includes(type), type);
      const { source, value_source, sources = [], prompt_template_variable_mappings } = config;
      const mapped = Object.values(prompt_template_variable_mappings ?? {});
      for (const name of [source, value_source, ...sources, ...mapped]) {
        assert.ok(name === undefined || known.has(name), `${title} reads ${name}`);
      }
      assert.ok(after === undefined || known.has(after), `${title} stands after ${after}`);
      known.add(title);
    }
  }
});
