import assert from 'node:assert/strict';
import { FileSender } from '../../../../src/service/http/file-stream.ts';
import { Problem } from '../../../../src/service/http/problem.ts';
import { silent } from '../../../support/engine/sheet.ts';

describe('Files that are sent', () => {
  it('are so many at a time; one that ends or whose reader leaves makes room', async () => {
    let returned = 0;
    const file = () => ({
      fileName: 'f.csv',
      mediaType: 'text/csv',
      pieces: (async function* () {
        try {
          yield new Uint8Array([1]);
        } finally {
          returned += 1;
        }
      })(),
    });
    const sender = new FileSender(silent);
    const streams = [];
    for (let count = 0; count < 64; count += 1) streams.push(await sender.open(file()));
    const refused = async () => {
      await assert.rejects(
        sender.open(file()),
        (error: unknown) =>
          error instanceof Problem && error.status === 429 && error.code === 'too_many_files',
      );
    };
    await refused();
    await streams[0]?.cancel();
    await sender.open(file());
    await refused();
    const read = [];
    for await (const piece of streams[1] ?? []) read.push(piece);
    assert.equal(read.length, 1);
    assert.equal(returned, 1);
    await sender.open(file());
    await refused();
  });
});
