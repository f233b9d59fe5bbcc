import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CappedScroll, spacerCap } from '../../../src/webview/grid/rows/scroll.ts';

const made = (total: number, view: number): CappedScroll => {
  const scroll = new CappedScroll();
  scroll.resize(total, view);
  return scroll;
};

describe('Scrolling past the tallest element', () => {
  it('is one to one while the sheet fits the cap', () => {
    const scroll = made(2_600_000, 700);
    scroll.scrolled(1234);
    assert.equal(scroll.top, 1234);
    assert.equal(scroll.ratio, 1);
  });

  it('keeps the spacer under the cap', () => {
    assert.equal(made(28_000_000, 700).spacer, spacerCap);
  });

  it('scales a drag of the thumb and takes a turn of the wheel as it is', () => {
    const scroll = made(28_000_000, 700);
    scroll.scrolled(4_000_000);
    assert.ok(Math.abs(scroll.top - 14_000_000) < 2000, `${scroll.top}`);
    const before = scroll.top;
    scroll.scrolled(4_000_100);
    assert.equal(scroll.top, before + 100);
  });

  it('moves the thumb on when it would end before the sheet does', () => {
    const scroll = made(28_000_000, 700);
    const last = spacerCap - 700;
    scroll.scrolled(last - 500);
    const thumb = scroll.scrolled(last);
    assert.ok(thumb !== undefined && thumb < last);
    assert.ok(scroll.top < scroll.lastTop);
  });

  it('reaches both ends from anywhere, at any size, by jumping and by dragging', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60_000_000 }),
        fc.integer({ min: 100, max: 3000 }),
        (total, view) => {
          const scroll = made(total, view);
          scroll.scrolled(scroll.jump(total));
          assert.equal(scroll.top, Math.max(0, total - view));
          scroll.jump(0);
          assert.equal(scroll.top, 0);
          const lastThumb = Math.max(0, scroll.spacer - view);
          scroll.scrolled(lastThumb);
          if (lastThumb > view * 2) assert.ok(Math.abs(scroll.top - scroll.lastTop) < 1);
        },
      ),
    );
  });

  it('never leaves the sheet and settles where it is, whatever the movements', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }),
        (stops) => {
          const scroll = made(26_000_000, 800);
          for (const stop of stops) {
            scroll.scrolled(Math.round(stop * (spacerCap - 800)));
            assert.ok(scroll.top >= 0 && scroll.top <= scroll.lastTop);
          }
          const top = scroll.top;
          const thumb = scroll.settle();
          if (thumb !== undefined) scroll.scrolled(thumb);
          assert.equal(scroll.top, top);
        },
      ),
    );
  });
});
