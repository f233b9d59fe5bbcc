import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Output } from '../../../../src/extension/run-panel/output.ts';
import type { OutputChange, OutputPart } from '../../../../src/protocol/run.ts';

const blueprint = (content: readonly object[], calls: readonly object[] = []) => ({
  prompt_template: {
    type: 'chat',
    messages: [{ role: 'user' }, { role: 'assistant', content, tool_calls: calls }],
  },
});
const text = (said: string): object => ({ type: 'text', text: said });
const call = (name: string, given: string): object => ({
  id: 'x',
  type: 'function',
  function: { name, arguments: given },
});

/** What a view has after these changes. */
function seen(
  before: readonly OutputPart[],
  changes: readonly OutputChange[],
): readonly OutputPart[] {
  const parts = new Map(before.map((part) => [part.id, part]));
  for (const { replace, ...change } of changes) {
    const known = replace ? '' : (parts.get(change.id)?.text ?? '');
    parts.set(change.id, { ...change, text: known + change.text });
  }
  return [...parts.values()];
}

describe('run panel: output', () => {
  it('sends of a text that grows only what was added', () => {
    const output = new Output();
    output.take(blueprint([text('Hel')]));
    assert.deepEqual(output.changes(), [{ id: 'c0', kind: 'text', text: 'Hel', replace: false }]);
    output.take(blueprint([text('Hello')]));
    assert.deepEqual(output.changes(), [{ id: 'c0', kind: 'text', text: 'lo', replace: false }]);
    assert.deepEqual(output.changes(), []);
  });

  it('gives a view the same, whatever comes and whenever it is told', () => {
    const part = fc.oneof(
      fc.record({ type: fc.constant('text'), text: fc.string() }),
      fc.record({ type: fc.constant('thinking'), thinking: fc.string() }),
      fc.record({ type: fc.constant('code'), code: fc.string() }),
    );
    const stage = fc.record({
      content: fc.array(part, { maxLength: 4 }),
      calls: fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 3 }),
      isReported: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(stage, { minLength: 1, maxLength: 8 }), (stages) => {
        const output = new Output();
        let view: readonly OutputPart[] = [];
        for (const { content, calls, isReported } of stages) {
          output.take(
            blueprint(
              content,
              calls.map(([name, given]) => call(name, given)),
            ),
          );
          if (isReported) view = seen(view, output.changes());
        }
        view = seen(view, output.changes());
        const now = new Map(view.map((each) => [each.id, each]));
        for (const each of output.parts()) assert.deepEqual(now.get(each.id)?.text, each.text);
      }),
    );
  });

  it('gives a page that begins the whole, and then what is new', () => {
    const output = new Output();
    output.take(blueprint([text('one')]));
    output.changes();
    output.take(blueprint([text('one two')]));
    assert.deepEqual(output.whole(), [{ id: 'c0', kind: 'text', text: 'one two' }]);
    output.take(blueprint([text('one two three')]));
    assert.equal(output.changes()[0]?.text, ' three');
  });

  it('shows tool calls, thoughts and what it does not know, each as what it is', () => {
    const output = new Output();
    const thought = { type: 'thinking', thinking: 'Hm.' };
    output.take(blueprint([thought, { type: 'code', code: '1' }], [call('search', '{"q":1}')]));
    assert.deepEqual(
      output.parts().map(({ kind, title }) => [kind, title]),
      [
        ['thinking', undefined],
        ['json', 'code'],
        ['tool', 'search'],
      ],
    );
    assert.equal(output.text.includes('Hm.'), false);
  });

  it('takes pictures as data or from https, and nothing that could do harm', () => {
    const media = (url: string, type = 'image/png'): object => ({
      type: 'output_media',
      media_type: 'image',
      mime_type: type,
      url,
    });
    const kinds = (part: object): readonly string[] => {
      const output = new Output();
      output.take(blueprint([part]));
      return output.parts().map(({ kind, text: shown }) => `${kind} ${shown.slice(0, 22)}`);
    };
    assert.deepEqual(kinds(media('iVBORw0KGgo=')), ['image data:image/png;base64,']);
    assert.deepEqual(kinds(media('data:image/png;base64,iVBOR')), ['image data:image/png;base64,']);
    assert.deepEqual(kinds(media('https://host/a.png')), ['image https://host/a.png']);
    for (const bad of [
      media('data:image/svg+xml;base64,PHN2Zz4='),
      media('PHN2Zz4=', 'image/svg+xml'),
      media('http://host/a.png'),
      media('javascript:alert(1)'),
    ]) {
      assert.match(kinds(bad)[0] ?? '', /^json /);
    }
  });
});
