import type { ReasonOf, SdkReason } from '../../../core/errors/reason.ts';
import type { Translate } from '../translate.ts';

/** What is known besides the reason. */
export interface About {
  /** The service was asked, not a provider. */
  readonly isOfService: boolean;
  /** What another error says that is the cause of this one, in the same language. */
  readonly cause: string | undefined;
}

type Say<Kind extends SdkReason> = (t: Translate, reason: ReasonOf<Kind>, about: About) => string;

const incomplete: Say<'no-whole-answer' | 'timed-out'> = (t, { what, words }, { isOfService }) =>
  isOfService
    ? t('The service sent an incomplete response: {0}', words)
    : t('{0} sent an incomplete answer: {1}', what, words);

const unreadable = (t: Translate, { what }: { what: string }, { isOfService }: About): string =>
  isOfService
    ? t("The answer of the service can't be read.")
    : t("{0} sent an answer that can't be read.", what);

const stopped = (t: Translate): string =>
  t('A list is incomplete: the service stopped sending pages.');

/**
 * The editor's own words, where the core speaks to programmers: of methods, paths and options. What
 * a reason of the core has no words for here does not compile.
 */
export const reasonWords: { readonly [Kind in SdkReason]: Say<Kind> } = {
  answered: (t, { status, words }) =>
    words === ''
      ? t('The service answered with {0}.', status)
      : t('The service answered with {0}: {1}', status, words),
  redirected: (t, { status }) =>
    t('The service redirected the request ({0}); redirects are not followed.', status),
  refused: (t, { words }) =>
    words === ''
      ? t('The service rejected it without giving a reason.')
      : t('The service rejected it: {0}', words),
  'no-whole-answer': incomplete,
  'timed-out': incomplete,
  'no-answer-within': (t, { seconds }) =>
    t('The service sent no complete response within {0} seconds.', seconds),
  silent: (t, { seconds }, { isOfService }) =>
    isOfService
      ? t('The service sent no complete response within {0} seconds.', seconds)
      : t('The model provider has sent nothing for {0} seconds.', seconds),
  'over-allowed-time': (t) => t("It wasn't done in the time that was allowed for it."),
  'could-not-be-sent': (t, { words }) => t('It could not be sent: {0}', words),
  'no-secure-connection': (t, { words }) => t('A secure connection could not be made: {0}', words),
  'proxy-credentials': (t) =>
    t('The proxy requires a user name and password, or rejected those that were sent.'),
  'proxy-failed': (t, { status }) => t('The proxy could not reach the service ({0}).', status),
  'proxy-forbids': (t, { status }) => t('The proxy does not allow the connection ({0}).', status),

  'web-page': (t) => t('The service answered with a web page.'),
  'cut-json': (t) => t("The service's response ends in the middle."),
  'not-json': (t) => t("The service's response isn't JSON."),
  'unexpected-shape': (t, { place, words }) =>
    t(
      'The service returned an unexpected response: {0}',
      place === '' ? words : `${place}: ${words}`,
    ),
  'too-large': (t, { what, bytes }, { isOfService }) =>
    isOfService
      ? t('The answer of the service is larger than {0} bytes.', bytes)
      : t('The answer of {0} is larger than {1} bytes.', what, bytes),
  'cut-encoding': unreadable,
  'unknown-encoding': unreadable,
  'broken-encoding': unreadable,
  'not-utf8': unreadable,
  'list-without-cursor': stopped,
  'list-cursor-repeats': stopped,
  'list-of-empty-pages': stopped,
  'list-page-repeats': stopped,
  'scorecard-cursor-repeats': stopped,

  'base-url-unreadable': (t) => t("The address of the service isn't a URL."),
  'base-url-not-http': (t) =>
    t("The address of the service doesn't start with https:// or http://."),
  'base-url-too-long': (t) => t('The address of the service has more than a host and a path.'),

  'provider-answered': (t, { what, status, words }) =>
    words === ''
      ? t('{0} answered with {1}.', what, status)
      : t('{0} answered with {1}: {2}', what, status, words),
  'provider-not-json': (t, { provider }) => t("{0} didn't return JSON.", provider),
  'not-logged': (t, { words }, { cause = words }) =>
    t('The model has answered, but the request was not logged. {0}', cause),

  'placeholder-variable': (t, { name }) =>
    t('{0} fills a placeholder: provide a list of messages, each with a role and a content.', name),
  'tools-variable': (t, { name }) =>
    t('{0} holds tools: provide a list of objects with name, description, and parameters.', name),
  'media-variable': (t, { name }) =>
    t('{0} holds media: provide a list of addresses or base64 strings.', name),
  'not-as-jinja': (t, { construct, text }) =>
    t('This text can\'t be rendered here: {0}. Use simpler Jinja in it: "{1}"', construct, text),
  'not-as-python': (t, { construct, text }) =>
    t(
      'This text can\'t be rendered here: {0}. Use fewer or shorter variables in it: "{1}"',
      construct,
      text,
    ),
  'unusable-name': (t, { name }) => t('"{0}" can\'t be the name of anything at a provider.', name),

  'workflow-late': (t, { seconds }) => t("The workflow didn't finish within {0} seconds.", seconds),
  'workflow-nodes-failed': (t, { words }) => t('The workflow returned no result: {0}', words),
  'workflow-without-output': (t) =>
    t('The workflow returned no result, because it has no output node.'),
  'workflow-without-success': (t) =>
    t('The workflow returned no result, because no output node has succeeded.'),
  'workflow-ended': (t, { result }) => t('The workflow ended with {0}.', result),
};
