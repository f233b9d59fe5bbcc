/** Links of the documentation lead somewhere; those to other sites are followed by `npm run links` only. */
import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  anchorsOf,
  brokenInside,
  brokenOutside,
  documentsOfLinks,
  linksIn,
  readFromRoot,
} from '../../../scripts/links.mjs';

describe('links of the documentation', () => {
  it('lead to files and anchors that exist', () => {
    const files = documentsOfLinks();
    assert.ok(files.includes('docs/details.md') && files.length > 20);
    assert.deepEqual(
      files.flatMap((file) => brokenInside(file, readFromRoot)),
      [],
    );
  });

  it('are found in text, pictures and angle brackets, but not in code', () => {
    const page =
      'A [b](c.md#d "t") ![p](p.png) <https://a.example> <img src="e.png" /> `[x](y)`\n```\n[x](z)\n```\n';
    assert.deepEqual(linksIn(page), ['c.md#d', 'p.png', 'e.png', 'https://a.example']);
  });

  it('have the anchors that GitHub makes of headings', () => {
    const page =
      '# A `b` & [c](d.md)\n## Same\n## Same\n```\n# no heading\n```\n<a id="own"></a>\n';
    assert.deepEqual([...anchorsOf(page)].sort(), ['a-b--c', 'own', 'same', 'same-1']);
  });

  it('are reported when the file or the anchor is missing', () => {
    const files: Readonly<Record<string, string>> = {
      'docs/a.md': '# A\n[b](b.md#there) [c](b.md#gone) [d](../d.md) [e](#a) [f](#f) [g](vscode:x)',
      'docs/b.md': '# There\n',
    };
    assert.deepEqual(
      brokenInside('docs/a.md', (file) => files[file]),
      [
        'docs/a.md: b.md#gone: the anchor is missing',
        'docs/a.md: ../d.md: the file is missing',
        'docs/a.md: #f: the anchor is missing',
      ],
    );
  });
});

describe('links to other sites', () => {
  const server = http.createServer(({ url = '' }, answer) => {
    if (url === '/moved') answer.writeHead(301, { location: '/page' });
    else if (url !== '/page') answer.writeHead(404);
    answer.end('<h1 id="here">Page</h1>');
  });
  let origin = '';
  before(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('may have an anchor', async () => {
    assert.equal(await brokenOutside(`${origin}/page`), undefined);
    assert.equal(await brokenOutside(`${origin}/page#here`), undefined);
    assert.equal(
      await brokenOutside(`${origin}/page#gone`),
      `${origin}/page#gone: the anchor is missing`,
    );
  });

  it('are reported when the page is missing, has moved, or does not answer', async () => {
    assert.equal(await brokenOutside(`${origin}/gone`), `${origin}/gone: status 404`);
    assert.equal(
      await brokenOutside(`${origin}/moved`),
      `${origin}/moved: moved to ${origin}/page`,
    );
    assert.match(
      (await brokenOutside('http://127.0.0.1:1/')) ?? '',
      /^http:\/\/127\.0\.0\.1:1\/: ./,
    );
  });
});
