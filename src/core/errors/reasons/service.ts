import type { Entries } from '../texts.ts';

const listStopped = 'Reading the list of {list} was stopped, because';

/** What goes wrong between a client and the service; some of it with providers too. */
export const serviceReasons = {
  answered: {
    sdk: '{what} was answered with {status}: {words}.',
    bare: '{what} was answered with {status}.',
  },
  redirected: {
    sdk: '{what} was redirected ({status}) to {location}; redirects are not followed.',
    bare: '{what} was redirected ({status}); redirects are not followed.',
  },
  /** `success: false` under a status that promised success. */
  refused: { sdk: '{what} was refused: {words}', bare: '{what} was refused: no reason given' },
  'no-whole-answer': { sdk: '{what} got no whole answer: {words}.' },
  'timed-out': { sdk: '{what} timed out: {words}.' },
  'no-answer-within': { sdk: '{what} got no whole answer within {seconds} seconds.' },
  silent: { sdk: '{what}: nothing came for {seconds} seconds.' },
  'over-allowed-time': { sdk: '{what} was not done within the time the caller allowed.' },
  'could-not-be-sent': { sdk: '{what} could not be sent: {words}.' },
  'no-secure-connection': { sdk: '{what} failed: no secure connection: {words}.' },
  'proxy-credentials': {
    sdk: '{what} failed: the proxy asks for a user name and password, or refuses the ones given (407).',
  },
  'proxy-failed': { sdk: '{what} failed: the proxy could not reach the service ({status}).' },
  'proxy-forbids': { sdk: '{what} failed: the proxy does not allow the connection ({status}).' },
  canceled: { program: '{what} was canceled.' },
  'canceled-by-close': { program: '{what} was canceled: the client was closed.' },
  'client-closed': { program: 'The client was closed.' },

  'web-page': { sdk: 'The answer to {what} (status {status}) is a web page.' },
  'cut-json': { sdk: 'The answer to {what} (status {status}) stops in the middle.' },
  'not-json': { sdk: 'The answer to {what} (status {status}) is not JSON.' },
  'unexpected-shape': {
    sdk: "The answer to {what} (status {status}) isn't valid: {place}: {words}.",
    bare: "The answer to {what} (status {status}) isn't valid: the body: {words}.",
  },
  'too-large': { sdk: 'The answer to {what} is larger than the limit of {bytes} bytes.' },
  'cut-encoding': { sdk: 'The answer to {what} ends in the middle of its {encoding} data.' },
  'unknown-encoding': {
    sdk: 'The answer to {what} has the unknown content encoding "{encoding}".',
  },
  'broken-encoding': { sdk: 'The answer to {what} is not valid {encoding} data.' },
  'not-utf8': { sdk: 'The answer to {what} is not UTF-8 text.' },

  'list-without-cursor': {
    sdk: `${listStopped} the service says there is more, but gave no cursor to it.`,
  },
  'list-cursor-repeats': { sdk: `${listStopped} the service sent the same cursor twice.` },
  'list-of-empty-pages': { sdk: `${listStopped} the service sent {count} empty pages in a row.` },
  'list-page-repeats': {
    sdk: `${listStopped} page {page} has nothing new although more pages follow.`,
  },
  'scorecard-cursor-repeats': {
    sdk: 'Reading the scorecard rows was stopped, because the service sent a cursor that does not advance.',
  },
  'no-confirmation-token': { text: 'The service asks for confirmation but gave no token for it.' },
  'no-operation-id': { text: 'The service queued cells but gave no operation_id to watch.' },
  'no-execution-id': {
    text: 'The service queued cells for recalculation but gave no execution_id to watch.',
  },
  'recalculation-refused': {
    text: 'The recalculation was refused: {words}',
    bare: 'The recalculation was refused: no reason given',
  },
  'column-changed-type': {
    text: 'Column "{column}" got a value of another type while the file was written. Export again, or export a saved version.',
  },
} as const satisfies Entries;
