import { textsOf } from './delimited.ts';
import type { TextEncoding } from './encodings.ts';
import { ImportError } from './import-error.ts';
import { fieldJson, jsonItems, jsonLineItems, KeysSeen, type Item } from './json-rows.ts';
import type { ByteFile, Table } from './table.ts';

interface Place {
  readonly item: Item;
  readonly record: number;
  readonly line?: number;
}

async function* placedItems(
  file: ByteFile,
  { encoding, isLines }: JsonForm,
): AsyncGenerator<Place, void, undefined> {
  let record = 0;
  try {
    const texts = textsOf(file, encoding);
    if (isLines) {
      for await (const { item, line } of jsonLineItems(texts)) {
        record += 1;
        yield { item, record, line };
      }
    } else {
      for await (const item of jsonItems(texts)) {
        record += 1;
        yield { item, record };
      }
    }
  } catch (error) {
    if (!(error instanceof ImportError) || error.fault.record !== undefined) throw error;
    throw new ImportError(error.message, {
      ...{ cause: error, fault: { ...error.fault, record: record + 1 } },
    });
  }
}

export interface JsonForm {
  readonly encoding: TextEncoding;
  /** JSON Lines; otherwise one array. */
  readonly isLines: boolean;
}

const BATCH = 1000;

/** Objects as a table: their keys are its fields, found by reading the file once. */
export async function jsonTable(file: ByteFile, form: JsonForm): Promise<Table> {
  const seen = new KeysSeen();
  for await (const { item } of placedItems(file, form)) seen.see(item);
  const fields = seen.keys;
  return {
    fields,
    async *rows() {
      let batch = [];
      for await (const { item, ...place } of placedItems(file, form)) {
        batch.push({ ...place, values: fields.map((field) => fieldJson(item, field)) });
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
      yield batch;
    },
  };
}
