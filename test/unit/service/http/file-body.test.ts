import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { readFileBody } from '../../../../src/service/http/file-body.ts';

type Body = Readonly<Record<string, unknown>>;

describe('A body that holds a file', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'pt-upload-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const requestOf = (bytes: Uint8Array, cuts: readonly number[]): Request => {
    const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
    const pieces = [0, ...at].map((start, index) => bytes.subarray(start, at[index]));
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    return new Request('http://localhost/', {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit);
  };
  const read = async (
    bytes: Uint8Array,
    cuts: readonly number[] = [],
  ): Promise<{ sent: unknown; file: Buffer | undefined }> => {
    const { sent, file } = await readFileBody(requestOf(bytes, cuts), folder);
    if (file === undefined) return { sent, file };
    const pieces: Uint8Array[] = [];
    for await (const piece of file.pieces()) pieces.push(piece);
    assert.equal(file.byteCount, Buffer.concat(pieces).length);
    await file.close();
    return { sent, file: Buffer.concat(pieces) };
  };

  it('is read as any parser reads it, wherever it is cut, and the file is beside it', async () => {
    const around = fc.dictionary(
      fc.string({ unit: 'grapheme', maxLength: 5 }).filter((name) => name !== '__proto__'),
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(null)),
      { maxKeys: 4 },
    );
    const bytes = fc.uint8Array({ maxLength: 40 });
    const cuts = fc.array(fc.nat(), { maxLength: 8 });
    const form = fc.record({
      isDeep: fc.boolean(),
      isLast: fc.boolean(),
      space: fc.constantFrom('', ' ', '\n\t'),
      escapes: fc.constantFrom('none', 'slashes', 'letters', 'name'),
    });
    await fc.assert(
      fc.asyncProperty(around, bytes, cuts, form, async (rest, content, places, runOptions) => {
        const base64 = Buffer.from(content).toString('base64');
        const field: Body = { file_content_base64: base64 };
        const inner: Body = runOptions.isLast ? { ...rest, ...field } : { ...field, ...rest };
        const whole: Body = runOptions.isDeep ? { ...rest, source: inner } : inner;
        let text = JSON.stringify(whole, null, runOptions.space);
        if (runOptions.escapes === 'slashes') text = text.replaceAll('/', '\\/');
        if (runOptions.escapes === 'letters' && base64 !== '') {
          text = text.replace(base64, base64.replaceAll('A', '\\u0041'));
        }
        if (runOptions.escapes === 'name')
          text = text.replace('file_content', 'file\\u005fcontent');
        const { sent, file } = await read(Buffer.from(text), places);
        const expected = JSON.parse(
          JSON.stringify(whole, (name, value: unknown) =>
            name === 'file_content_base64' ? '' : value,
          ),
        ) as unknown;
        assert.deepEqual(sent, expected);
        assert.deepEqual(file, Buffer.from(content));
      }),
      { numRuns: 300 },
    );
    assert.deepEqual(readdirSync(folder), [], 'Nothing stays on the disk.');
  });

  it('takes the last of two, leaves what only looks like one, and refuses what is no base64', async () => {
    const twice = '{"file_content_base64":"QUJD","x":1,"file_content_base64":"REU="}';
    assert.deepEqual((await read(Buffer.from(twice))).file?.toString(), 'DE');
    const looks = '{"a":"\\"file_content_base64\\":\\"QUJD\\"","file_content_base64":5}';
    assert.deepEqual(await read(Buffer.from(looks)), {
      sent: JSON.parse(looks) as unknown,
      file: undefined,
    });
    for (const wrong of [
      'QUJ',
      'QUJD=',
      'Q=JD',
      'QU D',
      'QUJDé',
      '====',
      'QUJD\\n',
      'QUI=QUJD',
      '_-__',
    ]) {
      const { sent } = await read(Buffer.from(`{"file_content_base64":"${wrong}"}`), [20, 27]);
      assert.deepEqual(sent, { file_content_base64: '!' }, wrong);
    }
    await assert.rejects(read(Buffer.from('{"file_content_base64":"QUJD')), /not valid JSON/);
    assert.deepEqual(await read(Buffer.from('')), { sent: undefined, file: undefined });
    assert.deepEqual(readdirSync(folder), []);
  });
});
