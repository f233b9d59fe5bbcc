/** Providers whose keys must reach them and nobody else. One row for each way to call one. */
import { cloudRows } from './canary-rows-cloud.ts';
import { doorOf } from './doors.ts';
import type { ProviderAnswerScript } from './fake-provider.ts';
import { wireOf } from './playback.ts';
import { recordings } from './recordings/all.ts';
import { images, speech, video } from './recordings/openrouter-media.ts';
import type { Recording } from './recordings/recording.ts';
import { templateOf } from './stage.ts';

export interface CanaryRow {
  readonly title: string;
  /** A template of the service; `rest` replaces fields of it. */
  readonly template: (rest: object) => object;
  /** The arguments inside that template. */
  readonly kwargs: object;
  /** Of a template, or of the custom provider that speaks its language. */
  readonly provider: string;
  /** Variables that are no secrets: where the fake of the provider is. */
  readonly at: (url: string) => Readonly<Record<string, string>>;
  /** Variables whose values are keys. Each is given a canary of its own. */
  readonly secrets: readonly string[];
  /** What the error says when none of them is set; undefined where no key is needed. */
  readonly missing: RegExp | undefined;
  /** Whether a key that the service keeps, or the template's arguments hold, opens it too. */
  readonly takesKeyOfTemplate: boolean;
  /** The answer, with `said` somewhere in it. */
  readonly answer: (isStream: boolean, said: string) => ProviderAnswerScript;
  /** A stream that fails in its midst and says `said` about it; undefined where there is none. */
  readonly failure: ((said: string) => ProviderAnswerScript) | undefined;
}

const needsNoKey = new Set(['ollama', 'lmstudio', 'vllm']);

function rowOf(recording: Recording): CanaryRow {
  const { provider, title, kwargs, events, done, named } = recording;
  const door = doorOf(provider);
  const sse = (list: readonly object[], isDone = done): ProviderAnswerScript => ({
    pieces: [wireOf({ ...recording, events: list, done: isDone === true, named: named === true })],
  });
  return {
    title,
    template: (rest) => templateOf(recording, rest),
    kwargs,
    provider,
    at: door.at,
    secrets: [door.keyVariable],
    missing: needsNoKey.has(provider) ? undefined : new RegExp(`\\b${door.keyVariable}\\b`),
    takesKeyOfTemplate: true,
    answer: (isStream, said) =>
      isStream
        ? sse(events.map((event) => ({ ...event, said })))
        : { body: { ...recording.whole, said } },
    failure: (said) =>
      sse(
        [...events.slice(0, 1), { type: 'error', error: { message: said, code: 'boom' } }],
        false,
      ),
  };
}

/** The first recording of each API. */
const firsts = new Map(
  recordings
    .toReversed()
    .map((recording) => [`${recording.provider} ${recording.path}`, recording] as const),
);

/** Answers of OpenRouter that are not streamed. */
const mediaRows: readonly CanaryRow[] = [images, video, speech].map((recording) => ({
  ...rowOf(recording),
  title: `OpenRouter: ${recording.title}`,
  failure: undefined,
  answer: (_, said) =>
    recording === speech
      ? { body: Uint8Array.of(1, 2, 3), headers: { 'content-type': 'audio/mpeg' } }
      : { body: { ...recording.whole, said } },
}));

export const canaryRows: readonly CanaryRow[] = [
  ...[...firsts.values()].map(rowOf),
  ...mediaRows,
  ...cloudRows,
];
