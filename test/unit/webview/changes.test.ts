import assert from 'node:assert/strict';
import { Changes } from '../../../src/webview/grid/model/changes.ts';

/** Changes whose frames come when the test says so. */
function scripted(): { changes: Changes; frame: () => void; asked: () => number } {
  const frames: (() => void)[] = [];
  let asked = 0;
  const changes = new Changes((draw) => {
    asked += 1;
    frames.push(draw);
  });
  return { changes, frame: () => frames.splice(0).forEach((draw) => draw()), asked: () => asked };
}

describe('What changes in the grid page', () => {
  it('is drawn once a frame by each part it concerns, in the order of the parts', () => {
    const { changes, frame, asked } = scripted();
    const drawn: string[] = [];
    changes.eachFrame(['layout', 'values'], (what) => drawn.push(`rows: ${[...what].join(' ')}`));
    changes.eachFrame(['selection'], () => drawn.push('status'));
    changes.eachFrame(['details'], () => drawn.push('details'));
    changes.mark('selection');
    changes.mark('values', 'layout');
    changes.mark('values');
    assert.deepEqual([drawn, asked()], [[], 1]);
    frame();
    assert.deepEqual(drawn, ['rows: values layout', 'status']);
    frame();
    assert.deepEqual([drawn.length, asked()], [2, 1]);
  });

  it('by a part that is drawn is drawn by those after it in the same frame, and by those before it too', () => {
    const { changes, frame } = scripted();
    const drawn: string[] = [];
    changes.eachFrame(['subject'], () => drawn.push('first'));
    changes.eachFrame(['layout'], () => {
      drawn.push('rows');
      changes.mark('window', 'subject');
    });
    changes.eachFrame(['window'], () => drawn.push('bands'));
    changes.mark('layout');
    frame();
    assert.deepEqual(drawn, ['rows', 'bands', 'first']);
  });

  it('in a circle does not hold up the page: it goes on in the next frame', () => {
    const { changes, frame, asked } = scripted();
    let drawn = 0;
    changes.eachFrame(['rows'], () => {
      drawn += 1;
      changes.mark('rows');
    });
    changes.mark('rows');
    frame();
    assert.ok(drawn > 0 && drawn < 10);
    assert.ok(asked() > 1);
  });

  it('is told at once where it must not wait, once for several slices', () => {
    const { changes } = scripted();
    const told: string[] = [];
    changes.atOnce(['details', 'operations'], () => told.push('now'));
    changes.mark('details', 'operations');
    assert.deepEqual(told, ['now']);
  });

  it('is drawn by the other parts when one of them fails, and the fault is reported', () => {
    const { changes, frame } = scripted();
    const reported: unknown[] = [];
    const before = globalThis.reportError;
    globalThis.reportError = (fault: unknown) => void reported.push(fault);
    try {
      const fault = new Error('no');
      let drawn = false;
      changes.eachFrame(['saving'], () => {
        throw fault;
      });
      changes.eachFrame(['saving'], () => (drawn = true));
      changes.mark('saving');
      frame();
      assert.ok(drawn);
      assert.deepEqual(reported, [fault]);
    } finally {
      globalThis.reportError = before;
    }
  });
});
