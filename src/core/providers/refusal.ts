import type { ProviderEvent } from './provider.ts';
import { anything, object, readerOf, text } from './reader.ts';

const read = readerOf(object({ error: anything, object: anything }));

/** What an answer under status 200 says went wrong; undefined when it is an answer. */
export function refusalIn(body: unknown): unknown {
  if (Array.isArray(body)) return refusalIn(body[0]);
  const { error, object: kind } = read(body) ?? {};
  // Some answers have an empty field for it.
  const isError = Array.isArray(error) ? error.length > 0 : Boolean(error);
  return isError || kind === 'error' ? body : undefined;
}

const event = readerOf(
  object({
    ...{
      choices: anything,
      candidates: anything,
      code: anything,
      status: anything,
      success: anything,
    },
    ...{ message: text, msg: text, detail: text, error_msg: text },
  }),
);

const isBad = (code: unknown): boolean =>
  typeof code === 'number'
    ? code >= 400
    : typeof code === 'string' && !/^(?:|ok|success|0|2\d\d)$/i.test(code);

/**
 * Whether an event of a stream that holds nothing of an answer says that something went wrong: gateways send
 * `{"code": 429, "message": "..."}` between the pieces of an answer, and end the stream as if it were whole.
 */
function troubleIn(data: unknown): unknown {
  const { choices, candidates, code, status, success, message, msg, detail, error_msg } =
    event(data) ?? {};
  if (choices !== undefined || candidates !== undefined) return undefined;
  const says = [message, msg, detail, error_msg].some((words) => (words ?? '').trim() !== '');
  const isStatus =
    typeof status === 'number' ? isBad(status) : /^(?:error|failed)$/i.test(String(status));
  const isTrouble =
    isBad(code) || isStatus || success === false || (detail ?? error_msg ?? '').trim() !== '';
  return says && isTrouble ? data : undefined;
}

/** What an event of a stream says went wrong: by its name, by what stands in it. */
export const failureIn = ({ name, data }: ProviderEvent): unknown =>
  name === 'error' ? data : (refusalIn(data) ?? troubleIn(data));
