import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  Cell,
  CellStatus,
  cellError,
  cellStatuses,
  isCellPending,
  normaliseCellStatus,
  updateCell,
} from '../../../src/api/cell.ts';
import { ExactNumber } from '../../../src/api/exact-number.ts';
import * as sample from './samples.ts';

const parseStatus = (sent: string): string => Cell.parse({ ...sample.cell, status: sent }).status;

describe('cell status', () => {
  const vocabularies: Readonly<Record<string, readonly string[]>> = {
    completed: ['completed', 'COMPLETED', 'success', 'SUCCEEDED'],
    stale: ['stale', 'STALE'],
    running: ['running', 'RUNNING', 'DISPATCHED', 'dispatched', 'in_progress'],
    queued: ['queued', 'QUEUED', 'PENDING', 'not_started'],
    error: ['error', 'ERROR', 'FAILED', 'failed'],
    cancelled: ['cancelled', 'CANCELLED', 'canceled', 'Canceled'],
  };

  for (const [status, spellings] of Object.entries(vocabularies)) {
    it(`reads ${spellings.join(', ')} as ${status}`, () => {
      assert.deepEqual(new Set(spellings.map(parseStatus)), new Set([status]));
    });
  }

  it('keeps a status that nobody has documented', () => {
    assert.equal(parseStatus('SKIPPED'), 'skipped');
    assert.equal(parseStatus('waiting_for_human'), 'waiting_for_human');
  });

  it('is the same after a second reading', () => {
    fc.assert(
      fc.property(fc.string(), (sent) => {
        const once = normaliseCellStatus(sent);
        assert.equal(normaliseCellStatus(once), once);
      }),
    );
  });

  it('does not mistake names of built-in properties for spellings', () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) {
      assert.equal(typeof CellStatus.parse(name), 'string');
      assert.equal(CellStatus.parse(name), name.toLowerCase());
    }
  });

  it('is refused when it is not a text', () => {
    for (const sent of [null, 3, {}, undefined]) {
      assert.equal(CellStatus.safeParse(sent).success, false);
    }
  });

  it('is pending only while work is to come', () => {
    assert.deepEqual(cellStatuses.filter(isCellPending), ['running', 'queued']);
    assert.equal(isCellPending('skipped'), false);
  });
});

describe('cell value', () => {
  it('is any JSON, kept as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.deepEqual(Cell.parse({ ...sample.cell, value }).value, value);
      }),
    );
  });

  it('keeps an exact number as the object it is', () => {
    const value = new ExactNumber('9007199254740993');
    assert.equal(Cell.parse({ ...sample.cell, value }).value, value);
  });

  it('tells null from missing', () => {
    const { value: _, ...without } = sample.cell;
    assert.equal('value' in Cell.parse(without), false);
    assert.equal(Cell.parse({ ...without, value: null }).value, null);
  });

  it('may belong to a cell that has no stored row, whose id is no UUID', () => {
    assert.equal(Cell.parse({ ...sample.cell, id: 'virtual:7:answer' }).id, 'virtual:7:answer');
  });
});

describe('cell metrics', () => {
  it('accept a price with more digits than a double holds', () => {
    const price = new ExactNumber('0.000123456789012345678901');
    const parsed = Cell.parse({ ...sample.cell, request_metrics: { price } });
    assert.equal(parsed.request_metrics?.price, Number(price.text));
  });

  it('keep unknown (null) apart from zero', () => {
    const parsed = Cell.parse({ ...sample.cell, request_metrics: { price: null, latency_ms: 0 } });
    assert.equal(parsed.request_metrics?.price, null);
    assert.equal(parsed.request_metrics.latency_ms, 0);
  });
});

describe('cell error', () => {
  it('prefers the text for users', () => {
    const cell = Cell.parse({ ...sample.cell, error: 'E17', error_message: 'Too long.' });
    assert.equal(cellError(cell), 'Too long.');
    assert.equal(cellError({ ...cell, error_message: null }), 'E17');
    assert.equal(cellError({ ...cell, error_message: null, error: null }), undefined);
  });
});

describe('cell update', () => {
  it('needs a value, a display value or both', () => {
    assert.equal(updateCell.body.safeParse({}).success, false);
    for (const body of [{ value: null }, { value: '' }, { display_value: '' }, { value: [1] }]) {
      assert.equal(updateCell.body.safeParse(body).success, true, JSON.stringify(body));
    }
  });
});
