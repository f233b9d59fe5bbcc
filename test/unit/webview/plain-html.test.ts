import assert from 'node:assert/strict';
import { withoutStyles } from '../../../src/webview/grid/edit/plain-html.ts';
import { timeLimit } from '../../support/time-limit.ts';

describe('a page of others', () => {
  it('is read without styles, and with every letter of its text', () => {
    for (const [html, plain] of [
      ['<td style="a:b" class=x>1</td>', '<td class=x>1</td>'],
      ['<td\nstyle=\'a>b\'>a style="b" c</td>', '<td>a style="b" c</td>'],
      ['<td STYLE=a:b>1 < 2 > 0</td>', '<td>1 < 2 > 0</td>'],
      ['<style>td {}\n</style><p>x</p>', '<p>x</p>'],
      ['<style><!--td{}--></style >x', 'x'],
      ['<!--StartFragment--><b>x</b><!-- style="a" -->', '<b>x</b>'],
      ['<a title="style=x">y', '<a title="style=x">y'],
      ['<td "open', '<td "open'],
      ['5 < 6', '5 < 6'],
      ['<styled style="">x', '<styled>x'],
    ] as const)
      assert.equal(withoutStyles(html), plain, html);
  });

  it('is read in linear time', () => {
    const began = performance.now();
    for (const piece of ['<a"', '<', '<!--', '<style>', '<a style="', "<a '"])
      withoutStyles(piece.repeat(200_000));
    assert.ok(performance.now() - began < timeLimit(2500));
  });
});
