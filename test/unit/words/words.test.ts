/** Texts are written by the rules of the list in banned.ts. */
import assert from 'node:assert/strict';
import { faultsIn, labels, phrases } from './banned.ts';
import {
  documents,
  editorTexts,
  paragraphsOf,
  sentences,
  sentencesOf,
  type Shown,
} from './texts.ts';

const faultsOf = (shown: readonly Shown[], bans = phrases): readonly string[] =>
  shown.flatMap(({ place, text }) => faultsIn(text, bans).map((fault) => `${place}: ${fault}`));

function none(shown: readonly Shown[], least: number, bans = phrases): void {
  assert.ok(shown.length >= least, `only ${String(shown.length)} texts were found`);
  const faults = faultsOf(shown, bans);
  assert.ok(faults.length === 0, `${String(faults.length)} faults:\n${faults.join('\n')}`);
}

describe('words', () => {
  it('of labels, settings and messages in the editor', () => {
    none(editorTexts(), 1500, [...phrases, ...labels]);
  });

  it('of errors, hints, tools and command lines', () => {
    none(sentences(), 2000);
  });

  it('of the documentation', () => {
    none(documents(), 1000);
  });

  it('are found in code, but not in its names, comments and statements', () => {
    const code = [
      '// Nobody can not judge this.',
      "import { judged } from 'nobody cares/afresh';",
      'const judge = (nobody: string) => query`select * from judged where nobody = ${nobody}`;',
      "fail('There is no such column.');",
      'fail(`The value ${judge(`a`)} does not fit.`, { hint: "Press Run." });',
    ].join('\n');
    const found = faultsOf(sentencesOf(code, 'x.ts')).map((fault) => fault.replace(/ \(.*/, ''));
    assert.deepEqual(found, ['x.ts:4: "no such"', 'x.ts:5: "does not fit"', 'x.ts:5: "Press"']);
  });

  it('are found in documents, but not in their code and addresses', () => {
    const page =
      '# Colours\n\n`cannot` and [this](docs/click.md)\n\n```sh\nchoose\n```\n\n| a | by hand |\n';
    const found = faultsOf(paragraphsOf(page, 'x.md')).map((fault) => fault.replace(/ \(.*/, ''));
    assert.deepEqual(found, ['x.md: "Colours"', 'x.md: "by hand"']);
  });
});
