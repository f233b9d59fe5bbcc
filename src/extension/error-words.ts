import type { PromptTablesError } from '../core/errors.ts';
import type { Translate } from './translate.ts';

type Said = Pick<PromptTablesError, 'message' | 'hint' | 'code' | 'status' | 'path'>;

/** Seconds in "… within 60 seconds" and "… for 600 seconds". */
const secondsIn = (text: string): string | undefined =>
  /\b(?:within|for) ([\d.]+) seconds/.exec(text)?.[1];

/** What follows "GET /path was answered with 400" or "openai was answered with 400". */
function answered({ message, status, path }: Said, t: Translate): string | undefined {
  const [, who = '', words = ''] = /^(.*?) was answered with \d+(?:: )?(.*)$/s.exec(message) ?? [];
  if (status === undefined || who === '') return undefined;
  return path === undefined
    ? t('{0} answered with {1}: {2}', who, status, words)
    : t('The service answered with {0}: {1}', status, words);
}

function unreached({ message, path }: Said, t: Translate): string | undefined {
  const [, who = '', reason] = /^(.*?) got no whole answer: (.*)\.$/s.exec(message) ?? [];
  if (reason === undefined) return undefined;
  return path === undefined
    ? t('{0} gave no whole answer: {1}', who, reason)
    : t('The service gave no whole answer: {0}', reason);
}

function late({ message, path }: Said, t: Translate): string | undefined {
  const seconds = secondsIn(message);
  if (seconds === undefined) return undefined;
  return path === undefined
    ? t('The model provider has said nothing for {0} seconds.', seconds)
    : t('The service gave no whole answer within {0} seconds.', seconds);
}

/** What the core says to programmers, in the words and the language of the editor. */
export function messageOf(error: Said, t: Translate): string {
  const said = answered(error, t);
  if (said !== undefined) return said;
  switch (error.code) {
    case 'network':
      return unreached(error, t) ?? error.message;
    case 'timeout':
      return late(error, t) ?? error.message;
    case 'configuration': {
      const provider = /^There is no key for (.*)\.$/.exec(error.message)?.[1];
      return provider === undefined ? error.message : t('There is no key for {0}.', provider);
    }
    case 'not_logged': {
      const [, reason = ''] = /request was not logged\. (.*)$/s.exec(error.message) ?? [];
      return t('The model has answered, but the request was not logged. {0}', reason).trim();
    }
    default:
      return error.message;
  }
}

/** What the core advises, for people: options of the SDK are settings here. */
export const coreHints = (t: Translate): Readonly<Record<string, string>> => ({
  'Check the API key.': t('Check the API key.'),
  'The API key may not do this.': t('The API key may not do this.'),
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
  'The answer is in the field "result" of this error.': t('The answer is here all the same.'),
  'Run it again; what had come is in the field "partial" of this error.': t(
    'Run it again; what had come is kept.',
  ),
  'Choose a model for it in the registry, or give provider and model.': t(
    'Choose a model for it, and publish that.',
  ),
});

export function hintOf({ hint }: Pick<Said, 'hint'>, t: Translate): string | undefined {
  if (hint === undefined) return undefined;
  const variables = /^Set ([A-Z][A-Z0-9_]*(?:(?:, | or |, or )[A-Z][A-Z0-9_]*)*)\.$/.exec(
    hint,
  )?.[1];
  return variables === undefined ? (coreHints(t)[hint] ?? hint) : t('Set {0}.', variables);
}
