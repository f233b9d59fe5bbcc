// npm start: shows the product. In VS Code itself when `code` is on the PATH, otherwise in the
// VS Code server from npm, which a browser opens. Ctrl-C ends everything that it started.
//   npm start -- --port 8123     another port for the server
//   npm start -- --server        the server even if `code` is there
//   npm run dev                  the same with --watch: what you change is built again at once
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildProduct } from './build.mjs';
import { onSignal, run } from './child.mjs';
import { ensure } from './ensure.mjs';
import { stopLocalServices } from './local-services.mjs';
import { cacheDir, inRoot } from './paths.mjs';
import { runScript, say, Trouble } from './say.mjs';
import { installHost } from './vscode-host.mjs';
import { bootServer, linkExtension, workbenchUrl } from './vscode-server.mjs';

const dataDir = path.join(cacheDir, 'start');
const workspace = path.join(dataDir, 'workspace');
const demo = inRoot('scripts', 'hosts', 'demo');

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8123' },
      server: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new Trouble(`--port ${values.port} is not a port.`, 'give a number from 1 to 65535.');
  }
  await ensure();
  await buildProduct({ types: false });
  fs.mkdirSync(workspace, { recursive: true });
  // Ends with this process.
  if (values.watch) void run(process.execPath, ['esbuild.mjs', '--watch']).then(sayEnd);
  if (!values.server && (await hasCode())) return showInCode();
  return showInServer(port);
});

/** @param {{code: number}} result */
function sayEnd({ code }) {
  if (code !== 0) say('Nothing is built again any more: the reason is above.');
}

async function hasCode() {
  return run('code', ['--version'], { quiet: true, timeoutMs: 15_000 }).then(
    ({ code }) => code === 0,
    () => false,
  );
}

async function showInCode() {
  const user = path.join(dataDir, 'code');
  say(
    'Opening VS Code with Prompt Tables and the sample workspace. Close its window or press Ctrl-C to end.',
  );
  onSignal(() => {
    process.exitCode = 0;
    return stopLocalServices(user);
  });
  const { code } = await run('code', [
    ...['--new-window', '--wait', '--disable-workspace-trust', '--skip-welcome'],
    ...['--user-data-dir', user, '--extensions-dir', path.join(dataDir, 'code-extensions')],
    ...[`--extensionDevelopmentPath=${inRoot()}`, `--extensionDevelopmentPath=${demo}`],
    workspace,
  ]);
  await stopLocalServices(user);
  return code;
}

/** @param {number} port */
async function showInServer(port) {
  await mustBeFree(port);
  const host = await installHost('latest');
  linkExtension(dataDir, inRoot());
  linkExtension(dataDir, demo);
  const server = await bootServer(host, { dataDir, port });
  onSignal(() => {
    process.exitCode = 0;
    say('\nStopping ...');
    return server.stop();
  });
  say(
    `\nPrompt Tables in VS Code ${host.version}, with the sample workspace:\n\n  ${workbenchUrl(server, workspace)}\n`,
  );
  say('Press Ctrl-C to end.');
  const code = await server.ended;
  await server.stop();
  return code;
}

/** @param {number} port */
function mustBeFree(port) {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', (error) => {
      const reason = /** @type {NodeJS.ErrnoException} */ (error).code;
      reject(
        reason === 'EADDRINUSE'
          ? new Trouble(
              `Port ${port} is in use by another program.`,
              `choose another: npm start -- --port ${port + 1}`,
            )
          : new Trouble(
              `Port ${port} cannot be opened (${reason}).`,
              'choose another with --port.',
            ),
      );
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(undefined)));
  });
}
