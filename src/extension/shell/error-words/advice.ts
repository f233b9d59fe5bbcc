import type { AdviceOf, SdkAdvice } from '../../../core/errors/reason.ts';
import type { Translate } from '../translate.ts';

type Say<Kind extends SdkAdvice> = (t: Translate, advice: AdviceOf<Kind>) => string;

const address: Say<'set-base-url' | 'set-only-base-url'> = (t, { example }) =>
  t('Enter an address such as {0}.', example);

/** What the core advises programmers, for people: options of the SDK are settings here. */
export const adviceWords: { readonly [Kind in SdkAdvice]: Say<Kind> } = {
  'check-base-url': (t) => t('Check the address of the service.'),
  'check-network': (t) => t('Check the address of the service and the network connection.'),
  'start-service': (t) => t('Nothing listens there; check the address or start the service.'),
  'raise-timeout': (t) =>
    t('The service may be busy; the setting promptTables.requestTimeoutSeconds sets the limit.'),
  'look-for-proxy': (t) =>
    t('Check the address of the service, and whether a proxy or sign-in page is in between.'),
  'ask-for-less': (t) => t('Ask for less at once.'),
  'trust-certificate': (t) =>
    t(
      'Check that the address is https and its certificate is trusted: add the certificate authority to the system or to NODE_EXTRA_CA_CERTS, or turn http.proxyStrictSSL off if you trust this network.',
    ),
  'write-proxy': (t) =>
    t('Use http://host:port or https://host:port in http.proxy, HTTPS_PROXY or HTTP_PROXY.'),
  'pass-key': (t) => t('Set the key of this workspace.'),
  'set-base-url': address,
  'set-only-base-url': address,
  'check-provider-url': (t) => t('Check the address of the provider.'),
  'raise-provider-timeout': (t) =>
    t('The model may be busy; the setting promptTables.run.providerTimeoutSeconds sets the limit.'),
  'use-partial': (t) => t('Run it again; partial output is kept.'),
  'use-result': (t) => t('The response is shown anyway.'),
  'use-outputs': (t) => t('Each node shows its result.'),
  'wait-longer': (t) => t('It is still running there.'),
  'select-model': (t) => t('Select a model for it, and publish that.'),
};
