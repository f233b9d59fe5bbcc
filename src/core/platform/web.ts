/** `#platform` in browsers, web workers and edge runtimes. */
import { BodyError } from '../http/body.ts';
import { parseJson } from '../http/json.ts';
import type { Platform } from './connections.ts';
import { makeWebConnections } from './web/connections.ts';

export const runtime: Platform['runtime'] = 'web';

export const makeConnections: Platform['makeConnections'] = makeWebConnections;

export const decodeText: Platform['decodeText'] = (bytes) => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new BodyError({ kind: 'not-utf8' }, cause);
  }
};

export const parseBytes: Platform['parseBytes'] = (bytes) => parseJson(decodeText(bytes));

/** More arguments than this do not fit on every stack. */
const mostArguments = 8_192;

export const toBase64: Platform['toBase64'] = (bytes) => {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += mostArguments) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + mostArguments)));
  }
  return btoa(parts.join(''));
};

export const allowManyListeners: Platform['allowManyListeners'] = () => undefined;

export const writeLog: Platform['writeLog'] = (level, line) => {
  const { console } = globalThis;
  if (level === 'error') console.error(line);
  else if (level === 'warning') console.warn(line);
  else console.info(line);
};
