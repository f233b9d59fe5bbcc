/** Names that want to be more than text, a service in between that fails or waits, and what a page must not hold. */
import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from 'playwright-core';
import { patiently, type Workbench } from '../../support/host/workbench.ts';

/** What a click on it would run, with an effect that is seen at once: the box of commands opens. */
const command = 'command:workbench.action.showCommands';

/** What is read of a name, wherever it is shown. */
export const asShown = `[Fix](${command}) $(squirrel) <u>u</u>`;

/** A name with all that VS Code may take for more: link, icon, HTML, address, turned letters, controls. */
export const hostile = (name: string): string =>
  `${name} ${asShown} https:||evil.example \u202egpj.\u202c\u0007`.replace('||', '//');

/** For names that can not hold a slash. */
export const hostilePart = (name: string): string => `${name} [Fix](${command}) $(squirrel) \u202e`;

/** Runs in the page: links, icons and signs that a name has brought into it. */
function brought(): readonly string[] {
  const found: string[] = [];
  const tell = (what: string, element: Element): void => {
    found.push(`${what}: ${element.outerHTML.slice(0, 200)}`);
  };
  for (const element of document.querySelectorAll('a, [href], [data-href]')) {
    const target = `${element.getAttribute('href')} ${element.getAttribute('data-href')}`;
    const isFix = element.tagName === 'A' && element.textContent.trim() === 'Fix';
    if (isFix || /showCommands|evil\.example/.test(target)) tell('link', element);
  }
  for (const icon of document.querySelectorAll('.codicon-squirrel')) tell('icon', icon);
  for (const element of document.querySelectorAll('u')) tell('markup', element);
  // eslint-disable-next-line no-control-regex
  const sign = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/;
  for (const element of document.querySelectorAll('body *')) {
    // Of a document's own text VS Code marks such letters itself.
    if (element.closest('.view-lines, script, style') !== null) continue;
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const texts = [...own.map((node) => node.textContent ?? ''), ...attributes(element)];
    if (texts.some((text) => sign.test(text))) tell('sign', element);
  }
  function attributes(element: Element): readonly string[] {
    return ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? '');
  }
  return found;
}

const plain = (text: string | null): string =>
  (text ?? '').replaceAll('\u2060', '').replaceAll('\u00a0', ' ');

/** The name is there to be read, all of it, and nothing in the window is more than text. */
export async function isText(
  { page }: Workbench,
  shown: Locator,
  text: string = asShown,
): Promise<void> {
  await shown.first().waitFor(patiently);
  assert.ok(
    plain(await shown.first().textContent()).includes(text),
    `"${plain(await shown.first().textContent())}" does not hold "${text}"`,
  );
  await isClean(page);
}

export async function isClean(page: Workbench['page']): Promise<void> {
  assert.deepEqual(await page.evaluate(brought), []);
}

export interface TroubledService {
  readonly url: string;
  /** What fits from now on is answered so, or as the service does when `status` is left out. */
  trouble(request: RegExp, status?: number, body?: object): void;
  /** What fits waits until the function is called. */
  hold(request: RegExp): () => void;
  close(): Promise<void>;
}

/** Stands before a service, and says what a bad one would. */
export async function startTroubledService(target: string): Promise<TroubledService> {
  let trouble: { request: RegExp; status: number; body: object } | undefined;
  let held: { request: RegExp; until: Promise<void> } | undefined;
  const server = http.createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    const forward = (): void => {
      const sent = http.request(
        new URL(request.url ?? '/', target),
        {
          method: request.method,
          headers: { ...request.headers, host: new URL(target).host },
        },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        },
      );
      sent.on('error', () => response.destroy());
      request.pipe(sent);
    };
    if (trouble?.request.test(line) === true) {
      request.resume();
      response.writeHead(trouble.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(trouble.body));
    } else if (held?.request.test(line) === true) void held.until.then(forward);
    else forward();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    trouble(request, status, body = {}) {
      trouble = status === undefined ? undefined : { request, status, body };
    },
    hold(request) {
      let release = (): void => undefined;
      const until = new Promise<void>((resolve) => (release = resolve));
      held = { request, until };
      return () => {
        held = undefined;
        release();
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
