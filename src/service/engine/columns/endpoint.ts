import * as z from 'zod';
import { withoutHeaders } from '../../../core/mcp/without-headers.ts';
import { CellProblem } from '../problem.ts';
import { defineColumn, word } from './column-kind.ts';
import { jsonAsWritten, jsonToText, toText, type Json } from './json.ts';

const QUOTED = 300;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** What the client sets itself, or what would change where the request goes. */
const RESERVED =
  /^(?:host|content-length|transfer-encoding|connection|upgrade|expect|te|proxy-.*)$/i;

/** Headers of one's own. */
export const requestHeaders = z
  .record(
    z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: 'not a name of a header' }),
    z.string().regex(/^[^\r\n\0]*$/, { error: 'a header has one line' }),
  )
  .refine((headers) => !Object.keys(headers).some((name) => RESERVED.test(name)), {
    error: 'the headers of the connection are set by the service',
  })
  .nullish();

const config = z.looseObject({
  url: z.url({ protocol: /^https?$/, error: 'give an http or https address' }),
  method: word(METHODS, 'upper').nullish(),
  headers: requestHeaders,
});

/** What has no body carries the sources in its address. */
function addressWith(url: string, sources: { readonly [name: string]: Json }): string {
  const address = new URL(url);
  for (const [name, value] of Object.entries(sources)) {
    address.searchParams.append(name, toText(value));
  }
  return address.href;
}

function valueOf(text: string, contentType: string): Json {
  if (!/^application\/(?:.*\+)?json$/.test(contentType)) return text;
  try {
    return text.trim() === '' ? null : jsonAsWritten(text);
  } catch {
    // A server that says JSON and sends something else: what it sent is what there is.
    return text;
  }
}

/** What a server answers: to a POST of the sources as one JSON object, or as the config says. */
export const endpoint = defineColumn('ENDPOINT', config, ({ url, method, headers }) => {
  const own = Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const verb = method ?? 'POST';
  const hasBody = verb !== 'GET' && verb !== 'DELETE';
  return {
    slow: true,
    compute: async (sources, { outside, signal, onBegin }) => {
      if (outside === undefined) {
        throw new CellProblem('not_supported', "This process doesn't send requests.");
      }
      const row = sources.all();
      onBegin?.();
      const answer = await outside.send({
        url: hasBody ? url : addressWith(url, row),
        method: verb,
        headers: {
          accept: 'application/json, text/*;q=0.9, */*;q=0.1',
          ...(hasBody && { 'content-type': 'application/json' }),
          ...own,
        },
        body: hasBody ? jsonToText(row) : undefined,
        signal,
      });
      if (answer.status >= 200 && answer.status < 300) {
        return valueOf(answer.text, answer.contentType);
      }
      const words = withoutHeaders(answer.text, own).replace(/\s+/g, ' ').trim().slice(0, QUOTED);
      throw new CellProblem(
        'request_failed',
        `${new URL(url).host} answered ${String(answer.status)}${words === '' ? '.' : `: ${words}`}`,
      );
    },
  };
});
