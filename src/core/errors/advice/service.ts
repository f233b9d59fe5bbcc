import type { Entries } from '../texts.ts';

const oneAddress = 'Set {name} to an address such as {example}.';

/** About the service, the network and the options of a client. */
export const serviceAdvice = {
  'check-key': { text: 'Check the API key.' },
  'ask-permission': { text: "The API key doesn't have permission to do this." },
  wait: { text: 'Wait a little.' },
  'check-base-url': { sdk: 'Check the base URL.' },
  'check-network': { sdk: 'Check the base URL and the network connection.' },
  'check-name-server': { text: 'The name server did not answer; check the network connection.' },
  'start-service': { sdk: 'Nothing listens there; check the base URL or start the service.' },
  'start-local-service': { text: 'The socket does not exist; start the local service.' },
  'open-socket': { text: "This user doesn't have permission to open the socket." },
  'raise-timeout': { sdk: 'The service may be busy; timeoutMs sets the limit.' },
  'start-over': { text: 'Start again from the first page.' },
  'look-for-proxy': {
    sdk: 'Check the base URL, and whether a proxy or sign-in page is in between.',
  },
  'ask-for-less': { sdk: 'Ask for less at once, or raise maxBodyBytes.' },
  'trust-certificate': {
    sdk: 'Check that the base URL is https and its certificate is trusted: add the certificate authority to the system or to NODE_EXTRA_CA_CERTS, or turn http.proxyStrictSSL off if you trust this network.',
  },
  'set-proxy-credentials': {
    text: 'Put them into the proxy address (http://user:password@host:port) of HTTPS_PROXY or http.proxy.',
  },
  'exempt-from-proxy': {
    text: 'Add the host to http.noProxy or NO_PROXY, or ask your proxy administrator.',
  },
  'write-proxy': {
    sdk: 'Use http://host:port or https://host:port in the proxy option, http.proxy, HTTPS_PROXY or HTTP_PROXY.',
  },
  'list-incomplete': { text: 'The list that was read is incomplete.' },
  'pass-key': { sdk: 'Pass apiKey, or set the environment variable PROMPTLAYER_API_KEY.' },
  'copy-key': { text: 'Copy the key again, without spaces, quotes and line breaks.' },
  'set-base-url': { sdk: oneAddress },
  'set-only-base-url': { sdk: `${oneAddress} The key belongs into apiKey.` },
} as const satisfies Entries;
