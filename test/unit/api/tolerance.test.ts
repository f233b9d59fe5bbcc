import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { z } from 'zod';
import { Cell, RequestMetrics } from '../../../src/api/cell.ts';
import { Column } from '../../../src/api/column.ts';
import { ErrorResponse, ValidationErrorResponse } from '../../../src/api/error-body.ts';
import { ImportOperation } from '../../../src/api/import.ts';
import { CancelAnswer, Operation } from '../../../src/api/operation.ts';
import { MetricAggregate, MetricAggregates, Row } from '../../../src/api/row.ts';
import { Scorecard, ScorecardRow, Score } from '../../../src/api/score.ts';
import { Sheet, Table, TableDetail } from '../../../src/api/table.ts';
import { SheetVersion } from '../../../src/api/version.ts';
import * as sample from './samples.ts';

interface Kind {
  readonly schema: z.ZodType;
  readonly full: Readonly<Record<string, unknown>>;
  /** The fields without which an object of this kind makes no sense. */
  readonly needed: readonly string[];
}

const kinds: Readonly<Record<string, Kind>> = {
  Cell: { schema: Cell, full: sample.cell, needed: ['id', 'column_id', 'row_index', 'status'] },
  RequestMetrics: { schema: RequestMetrics, full: sample.cell.request_metrics, needed: [] },
  Column: { schema: Column, full: sample.column, needed: ['id', 'title', 'type'] },
  Table: { schema: Table, full: sample.table, needed: ['id', 'title'] },
  TableDetail: { schema: TableDetail, full: sample.tableDetail, needed: ['id', 'title'] },
  Sheet: { schema: Sheet, full: sample.sheet, needed: ['id', 'table_id', 'title'] },
  Row: { schema: Row, full: sample.row, needed: ['row_index', 'cells'] },
  MetricAggregate: {
    schema: MetricAggregate,
    full: sample.aggregate,
    needed: ['metric_key', 'count', 'sum'],
  },
  MetricAggregates: {
    schema: MetricAggregates,
    full: {
      by_column_id: { [sample.id]: sample.aggregate },
      sheet: { by_metric: { price: sample.aggregate } },
    },
    needed: ['by_column_id', 'sheet'],
  },
  Operation: { schema: Operation, full: sample.operation, needed: ['operation_id', 'status'] },
  ImportOperation: {
    schema: ImportOperation,
    full: sample.importOperation,
    needed: ['operation_id', 'status'],
  },
  SheetVersion: { schema: SheetVersion, full: sample.version, needed: ['id', 'version_number'] },
  CancelAnswer: {
    schema: CancelAnswer,
    full: {
      success: true,
      message: 'Cancelled.',
      operation_id: 'op-1',
      execution_ids: [sample.id],
      cancelled_cell_count: 5,
      not_started_reset_count: 3,
      running_invalidated_count: 2,
    },
    needed: ['success'],
  },
  ErrorResponse: {
    schema: ErrorResponse,
    full: { success: false, message: 'no', error: 'nope' },
    needed: [],
  },
  ValidationErrorResponse: {
    schema: ValidationErrorResponse,
    full: { detail: [{ loc: ['query', 'limit'], msg: 'too large', type: 'less_than_equal' }] },
    needed: ['detail'],
  },
  Score: { schema: Score, full: { success: true, score_type: 'scorecard' }, needed: [] },
  Scorecard: { schema: Scorecard, full: { id: sample.id, name: 'Tone' }, needed: ['id'] },
  ScorecardRow: {
    schema: ScorecardRow,
    full: { row_index: 1, aggregate_verdict: 'pass' },
    needed: ['row_index'],
  },
};

for (const [name, { schema, full, needed }] of Object.entries(kinds)) {
  const keys = Object.keys(full);
  const minimal = Object.fromEntries(needed.map((key) => [key, full[key]]));

  describe(`${name} as the service sends it`, () => {
    it('is kept whole, whatever it holds beside the documented fields', () => {
      fc.assert(
        fc.property(
          fc.dictionary(
            fc.string({ minLength: 1 }).filter((key) => !keys.includes(key) && key !== '__proto__'),
            fc.jsonValue(),
          ),
          (extra) => {
            const parsed = schema.parse({ ...full, ...extra });
            assert.deepEqual(pick(parsed, Object.keys(extra)), { ...extra });
            for (const key of keys) assert.ok(Object.hasOwn(parsed as object, key), key);
          },
        ),
        { numRuns: 60 },
      );
    });

    it('is accepted with any of its optional fields missing', () => {
      schema.parse(minimal);
      fc.assert(
        fc.property(fc.subarray(keys.filter((key) => !needed.includes(key))), (kept) => {
          schema.parse({ ...minimal, ...pick(full, kept) });
        }),
        { numRuns: 60 },
      );
    });

    it('never throws anything but a report of where it does not fit', () => {
      fc.assert(
        fc.property(
          fc.oneof(
            fc.jsonValue(),
            fc.tuple(fc.constantFrom(...keys), fc.jsonValue()).map(([key, value]) => ({
              ...full,
              [key]: value,
            })),
          ),
          (sent) => {
            const result = schema.safeParse(sent);
            if (!result.success) assert.ok(result.error.issues.length > 0);
          },
        ),
        { numRuns: 200 },
      );
    });

    for (const key of needed) {
      it(`is refused without ${key}, and the report names it`, () => {
        const { [key]: _, ...rest } = full;
        const result = schema.safeParse(rest);
        assert.equal(result.success, false);
        assert.deepEqual(result.error.issues[0]?.path, [key]);
      });
    }
  });
}

function pick(value: unknown, keys: readonly string[]): Record<string, unknown> {
  const object = value as Record<string, unknown>;
  return Object.fromEntries(keys.map((key) => [key, object[key]]));
}
