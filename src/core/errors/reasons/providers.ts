import type { Entries } from '../texts.ts';

/** What goes wrong with the provider of a model, or keeps it from being asked. */
export const providerReasons = {
  'provider-answered': {
    sdk: '{what} was answered with {status}: {words}.',
    bare: '{what} was answered with {status}.',
  },
  'provider-stopped': {
    text: '{provider} stopped in the middle of its answer: {words}.',
    bare: '{provider} stopped in the middle of its answer: it did not say why.',
  },
  'provider-broke-off': {
    text: '{provider} closed the connection before its answer was complete.',
  },
  'provider-not-json': { sdk: 'The answer of {provider} is not JSON.' },
  'provider-protocol': { text: '{provider} sent something that is not its own protocol.' },
  'no-server': { text: 'No server answers at {origin}.' },
  'no-server-known': { text: 'No server answers at {origin}: its name is not known.' },
  'no-name-server': { text: 'No server answers at {origin}: the name server does not answer.' },
  'no-server-in-time': { text: 'No server answers at {origin} in time.' },
  'address-not-allowed': { text: 'Nothing was sent to {origin}: this address was not allowed.' },
  'not-logged': { sdk: 'The model has answered, but the request was not logged. {words}' },

  'unsupported-provider': { text: 'The provider "{provider}" isn\'t supported.' },
  'unknown-provider': { text: 'Unknown provider "{provider}".' },
  'no-provider-key': { text: 'There is no key for {provider}.' },
  'no-endpoint': { text: 'There is no endpoint for {provider}.' },
  'provider-address': { text: 'The base URL of {provider} is not an http address.' },
  'no-such-api': { text: '{provider} has no API that is called "{api}" here.' },
  'unusable-name': { sdk: '{what} can\'t be called "{name}".' },
  'aws-region': { text: "The AWS region isn't a valid region name." },
  'no-google-project': { text: 'There is no Google Cloud project for vertexai.' },
  'no-google-project-or-key': {
    text: 'There is neither a Google Cloud project nor a key for vertexai.',
  },
  'google-location': { text: 'The location for vertexai is not the name of a location.' },
  'google-library': { text: "Google's library for signing in can't run here." },
  'google-credentials-not-json': { text: 'The Google credentials are not JSON.' },
  'google-credentials': {
    text: "The Google credentials can't be used. {words}",
    bare: "The Google credentials can't be used.",
  },
  'vertex-only-chat': { text: '{model} on vertexai takes chat templates only.' },
  'vertex-model': { text: 'The model "{model}" isn\'t supported on vertexai.' },
  'no-video-id': { text: 'OpenRouter accepted the video job but returned no ID.' },
  'video-late': { text: 'OpenRouter has not finished the video in {seconds} seconds.' },
} as const satisfies Entries;
