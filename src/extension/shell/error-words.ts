import type { PromptTablesError } from '../../core/errors.ts';
import type { Translate } from './translate.ts';

type Said = Pick<PromptTablesError, 'message' | 'hint' | 'path'>;

/** The words that a message was found by, in their order. */
type Found = readonly [whole: string, ...string[]];
type Saying = readonly [pattern: RegExp, say: (found: Found, isOfService: boolean) => string];

/**
 * What the core says to programmers, by how it is put there: about the service, whose requests have
 * a path, and about providers. The first one that fits is taken.
 */
const sayings = (t: Translate): readonly Saying[] => [
  [
    /request was not logged\. ?(.*)$/s,
    ([, reason = '']) =>
      t(
        'The model has answered, but the request was not logged. {0}',
        messageOf({ message: reason, path: '', hint: undefined }, t),
      ).trim(),
  ],
  [
    /^(.*?) was answered with (\d+)(?:: )?(.*)$/s,
    ([, who = '', status = '', words = ''], isOfService) =>
      isOfService
        ? t('The service answered with {0}: {1}', status, words)
        : t('{0} answered with {1}: {2}', who, status, words),
  ],
  [
    /^No server answers at (\S+): its name is not known\.$/,
    ([, where = '']) => t('No server answers at {0}: its name is not known.', where),
  ],
  [
    /^No server answers at (\S+): the name server does not answer\.$/,
    ([, where = '']) => t('No server answers at {0}: the name server does not answer.', where),
  ],
  [
    /^No server answers at (\S+) in time\.$/,
    ([, where = '']) => t('No server answers at {0} in time.', where),
  ],
  [/^No server answers at (\S+)\.$/, ([, where = '']) => t('No server answers at {0}.', where)],
  [/^.*? was refused: (.*)$/s, ([, words = '']) => t('The service rejected it: {0}', words)],
  [
    /^(.*?) (?:got no whole answer|timed out): (.*)\.$/s,
    ([, who = '', reason = ''], isOfService) =>
      isOfService
        ? t('The service sent an incomplete response: {0}', reason)
        : t('{0} sent an incomplete answer: {1}', who, reason),
  ],
  [
    /(?:got no whole answer within|nothing came for) ([\d.]+) seconds\.$/,
    ([, seconds = ''], isOfService) =>
      isOfService
        ? t('The service sent no complete response within {0} seconds.', seconds)
        : t('The model provider has sent nothing for {0} seconds.', seconds),
  ],
  [/^.*? could not be sent: (.*)\.$/s, ([, why = '']) => t('It could not be sent: {0}', why)],
  [
    /^.*? failed: no secure connection: (.*)\.$/s,
    ([, why = '']) => t('A secure connection could not be made: {0}', why),
  ],
  [
    /the proxy asks for a user name and password/,
    () => t('The proxy requires a user name and password, or rejected those that were sent.'),
  ],
  [
    /the proxy could not reach the service \((\d+)\)/,
    ([, status = '']) => t('The proxy could not reach the service ({0}).', status),
  ],
  [
    /the proxy does not allow the connection \((\d+)\)/,
    ([, status = '']) => t('The proxy does not allow the connection ({0}).', status),
  ],
  [
    / was redirected \((\d+)\)/,
    ([, status = '']) =>
      t('The service redirected the request ({0}); redirects are not followed.', status),
  ],
  [
    /^The answer to .*? isn't valid: (.*)$/s,
    ([, where = '']) => t('The service returned an unexpected response: {0}', where),
  ],
  [/^The answer to .*? is a web page\.$/s, () => t('The service answered with a web page.')],
  [
    /^The answer to .*? is larger than the limit of (\d+) bytes\.$/s,
    ([, bytes = '']) => t('The answer of the service is larger than {0} bytes.', bytes),
  ],
  [/^The answer to /, () => t("The answer of the service can't be read.")],
  [/^The answer of (.*) is not JSON\.$/, ([, who = '']) => t("{0} didn't return JSON.", who)],
  [
    /^(.*?) stopped in the middle of its answer: (.*)$/s,
    ([, who = '', why = '']) => t('{0} stopped in the middle of its answer: {1}', who, why),
  ],
  [
    /^(.*?) closed the connection before its answer was complete\.$/,
    ([, who = '']) => t('{0} closed the connection before its answer was complete.', who),
  ],
  [
    /^Reading the list of .* was stopped/,
    () => t('A list is incomplete: the service stopped sending pages.'),
  ],
  [
    /^.*? was not done within ([\d.]+) seconds\.$/s,
    ([, seconds = '']) => t("The workflow didn't finish within {0} seconds.", seconds),
  ],
  [/^.*? gave no result: (.*)$/s, ([, why = '']) => t('The workflow returned no result: {0}', why)],
  [/^There is no key for (.*)\.$/, ([, who = '']) => t('There is no key for {0}.', who)],
  [/^There is no endpoint for (.*)\.$/, ([, who = '']) => t('There is no endpoint for {0}.', who)],
  [
    /^The provider "(.*)" isn't supported\.$/,
    ([, who = '']) => t("The provider {0} isn't supported.", who),
  ],
  [
    /^There is no Google Cloud project for (.*)\.$/,
    ([, who = '']) => t('There is no Google Cloud project for {0}.', who),
  ],
  [
    /^The Google credentials can't be used\.(.*)$/s,
    ([, words = '']) => `${t("The Google credentials can't be used.")}${words}`,
  ],
  [/^The Google credentials are not JSON\.$/, () => t('The Google credentials are not JSON.')],
  [
    /^The AWS region isn't a valid region name\.$/,
    () => t("The AWS region isn't a valid region name."),
  ],
  [
    /^The input variable "(.*?)" fills a placeholder: /,
    ([, name = '']) =>
      t(
        '{0} fills a placeholder: provide a list of messages, each with a role and a content.',
        name,
      ),
  ],
  [
    /^The input variable "(.*?)" holds tools: /,
    ([, name = '']) =>
      t('{0} holds tools: provide a list of objects with name, description, and parameters.', name),
  ],
  [
    /^The input variable "(.*?)" holds media: /,
    ([, name = '']) => t('{0} holds media: provide a list of addresses or base64 strings.', name),
  ],
  [
    /^This text can't be rendered here just as Jinja2 does \((.*)\)\. Use simpler Jinja in it: (.*)\.$/s,
    ([, why = '', text = '']) =>
      t("This text can't be rendered here: {0}. Use simpler Jinja in it: {1}", why, text),
  ],
  [
    /^This text can't be rendered here just as Python does \((.*)\)\. Use fewer or shorter variables in it: (.*)\.$/s,
    ([, why = '', text = '']) =>
      t(
        "This text can't be rendered here: {0}. Use fewer or shorter variables in it: {1}",
        why,
        text,
      ),
  ],
];

/** A reason is put last as it came, and a hint may follow. */
const ended = (text: string): string => (/[.!?…。！？]["'”’)\]]*$/u.test(text) ? text : `${text}.`);

/** What the core says to programmers, in the words and the language of the editor. */
export function messageOf({ message, path }: Said, t: Translate): string {
  for (const [pattern, say] of sayings(t)) {
    const found = pattern.exec(message);
    if (found !== null) return ended(say([found[0], ...found.slice(1)], path !== undefined));
  }
  return message;
}

/** What the core advises, for people: options of the SDK are settings here. */
export const coreHints = (t: Translate): Readonly<Record<string, string>> => ({
  'Check the API key.': t('Check the API key.'),
  "The API key doesn't have permission to do this.": t(
    "The API key doesn't have permission to do this.",
  ),
  'Wait a little.': t('Wait a little.'),
  'Check the base URL.': t('Check the address of the service.'),
  'Check the base URL and the network connection.': t(
    'Check the address of the service and the network connection.',
  ),
  'The name server did not answer; check the network connection.': t(
    'The name server did not answer; check the network connection.',
  ),
  'Nothing listens there; check the base URL or start the service.': t(
    'Nothing listens there; check the address or start the service.',
  ),
  'Start Ollama (ollama serve), then run this again.': t(
    'Start Ollama (ollama serve), then run this again.',
  ),
  'Start the server of LM Studio (lms server start), then run this again.': t(
    'Start the server of LM Studio (lms server start), then run this again.',
  ),
  'Start vLLM (vllm serve), then run this again.': t(
    'Start vLLM (vllm serve), then run this again.',
  ),
  'Start the server there or correct its address, then run this again.': t(
    'Start the server there or correct its address, then run this again.',
  ),
  'Check the address and the network connection.': t(
    'Check the address and the network connection.',
  ),
  'The service may be busy; timeoutMs sets the limit.': t(
    'The service may be busy; the setting promptTables.requestTimeoutSeconds sets the limit.',
  ),
  'The model may be busy; providerTimeoutMs sets the limit.': t(
    'The model may be busy; the setting promptTables.run.providerTimeoutSeconds sets the limit.',
  ),
  "Check the provider's key.": t("Check the provider's key."),
  'Wait a little, or raise the limit of your account.': t(
    'Wait a little, or raise the limit of your account.',
  ),
  "Check the plan and the balance of the provider's account.": t(
    "Check the plan and the balance of the provider's account.",
  ),
  'Check the base URL of the provider.': t('Check the address of the provider.'),
  'The answer is in the field "result" of this error.': t('The response is shown anyway.'),
  'Run it again; partial output is in the field "partial" of this error.': t(
    'Run it again; partial output is kept.',
  ),
  'What every node has done is in the field "outputs" of this error.': t(
    'Each node shows its result.',
  ),
  'It is still running; timeoutMs sets how long the result is waited for.': t(
    'It is still running there.',
  ),
  'The list that was read is incomplete.': t('The list that was read is incomplete.'),
  'Start again from the first page.': t('Start again from the first page.'),
  'Check the base URL, and whether a proxy or sign-in page is in between.': t(
    'Check the address of the service, and whether a proxy or sign-in page is in between.',
  ),
  'Ask for less at once, or raise maxBodyBytes.': t('Ask for less at once.'),
  'Check that the base URL is https and its certificate is trusted: add the certificate authority to the system or to NODE_EXTRA_CA_CERTS, or turn http.proxyStrictSSL off if you trust this network.':
    t(
      'Check that the address is https and its certificate is trusted: add the certificate authority to the system or to NODE_EXTRA_CA_CERTS, or turn http.proxyStrictSSL off if you trust this network.',
    ),
  'Put them into the proxy address (http://user:password@host:port) of HTTPS_PROXY or http.proxy.':
    t(
      'Put them into the proxy address (http://user:password@host:port) of HTTPS_PROXY or http.proxy.',
    ),
  'Add the host to http.noProxy or NO_PROXY, or ask your proxy administrator.': t(
    'Add the host to http.noProxy or NO_PROXY, or ask your proxy administrator.',
  ),
  'Set AWS_REGION to a name such as us-east-1.': t('Set AWS_REGION to a name such as us-east-1.'),
  'Set GOOGLE_APPLICATION_CREDENTIALS to the path of a key file, or to its content.': t(
    'Set GOOGLE_APPLICATION_CREDENTIALS to the path of a key file, or to its content.',
  ),
  'Set GOOGLE_APPLICATION_CREDENTIALS to the path of a key file, or sign in with gcloud.': t(
    'Set GOOGLE_APPLICATION_CREDENTIALS to the path of a key file, or sign in with gcloud.',
  ),
  'Publish it so that the service adds the tool, or define the tool in the prompt.': t(
    'Publish it so that the service adds the tool, or define the tool in the prompt.',
  ),
  'Select a model for it in the registry, or give provider and model.': t(
    'Select a model for it, and publish that.',
  ),
});

export function hintOf({ hint }: Pick<Said, 'hint'>, t: Translate): string | undefined {
  if (hint === undefined) return undefined;
  const variables = /^Set ([A-Z][A-Z0-9_]*(?:(?:, | or |, or )[A-Z][A-Z0-9_]*)*)\.$/.exec(
    hint,
  )?.[1];
  return variables === undefined ? (coreHints(t)[hint] ?? hint) : t('Set {0}.', variables);
}
