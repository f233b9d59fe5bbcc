import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readMcpServers } from '../../../../src/service/egress/mcp-servers.ts';

describe('The file of MCP servers', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pt-mcp-file-'));
  after(() => rmSync(folder, { recursive: true }));

  const read = (servers: object) => {
    const file = path.join(folder, 'servers.json');
    writeFileSync(file, JSON.stringify({ mcpServers: servers }));
    return readMcpServers(file, { TOKEN: 'a-token', HOME_OF_PAPERS: '/data' });
  };

  it('names addresses and programs, with variables of the environment filled in', () => {
    const found = read({
      search: { url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } },
      files: { command: 'npx', args: ['server', '${HOME_OF_PAPERS}'], env: { KEY: '${TOKEN}' } },
    });
    assert.deepEqual(found, {
      search: {
        kind: 'http',
        url: 'https://mcp.example.com/mcp',
        headers: { Authorization: 'Bearer a-token' },
      },
      files: {
        kind: 'program',
        id: 'files',
        command: 'npx',
        args: ['server', '/data'],
        env: { KEY: 'a-token' },
        cwd: undefined,
      },
    });
  });

  it('says what does not fit, and which variable is missing', () => {
    assert.throws(() => read({ x: {} }), /give either the url of a server, or the command/);
    const both = { url: 'https://a.example', command: 'npx' };
    assert.throws(() => read({ x: both }), /give either the url of a server, or the command/);
    assert.throws(() => read({ x: { url: 'file:///x' } }), /http or https/);
    assert.throws(() => read({ x: { command: 'a', env: { K: '${NONE}' } } }), /NONE.*not set/);
  });
});
