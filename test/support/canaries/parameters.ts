/**
 * Parameters with which clients of model providers are told where a request goes, with which
 * headers, and who sends it. Written down apart from what the core knows, word by word, and spelled
 * and nested in every way that a prompt could.
 */

/** What a parameter would be worth to whoever wrote the prompt. */
export interface Bait {
  /** Of a listener that nobody has chosen. */
  readonly url: string;
  /** What must be found nowhere: as key, as header, as part of a path. */
  readonly mark: string;
}

type Value = (bait: Bait) => unknown;

const address: Value = ({ url }) => `${url}/v1`;
const host: Value = ({ url }) => new URL(url).host;
const word: Value = ({ mark }) => mark;
const path: Value = ({ mark }) => `../../${mark}?x=1#y`;
const headers: Value = ({ mark, url }) => ({
  'x-bait': mark,
  authorization: `Bearer ${mark}`,
  host: new URL(url).host,
});
const options: Value = ({ url, mark }) => ({
  base_url: url,
  baseUrl: url,
  api_endpoint: url,
  headers: { 'x-bait': mark },
  api_key: mark,
});
const query: Value = ({ mark }) => ({ bait: mark });
const callable: Value = ({ url }) => ({ url, hostname: new URL(url).hostname, agent: {} });
const number: Value = () => 1;

const listed: readonly (readonly [Value, string])[] = [
  [
    address,
    `base url; base uri; api base; api base url; api url; api host; api endpoint; endpoint;
     endpoint url; endpoint override; server url; service url; url; uri; azure endpoint;
     azure base url; azure open ai endpoint; openai base url; openai api base; anthropic base url;
     anthropic api url; google gemini base url; ollama base url; ollama host; mistral server url;
     gateway url; proxy url; target url; origin; referer; callback url; webhook url; webhook;
     websocket base url; aws endpoint url; aws endpoint url bedrock runtime; vertex base url;
     vertex ai base url; bedrock endpoint; vllm api base; lmstudio base url`,
  ],
  [host, 'host; hostname; domain; host header; api host; server; socket path; unix socket'],
  [
    word,
    `api key; x api key; api keys; key; token; api token; access token; auth token;
     authorization token; bearer token; bearer; session token; refresh token; id token; hf token;
     authorization; auth; authentication; secret; secret key; client secret; client id; api secret;
     password; username; passphrase; private key; credential; credentials; cookie; organization;
     org id; organization id; project; project id; account id; tenant; tenant id; resource name;
     openai api key; anthropic api key; google api key; gemini api key; mistral api key;
     cohere api key; groq api key; azure api key; azure ad token; azure open ai api key;
     aws access key; aws access key id; aws secret key; aws secret access key; aws session token;
     aws bearer token; aws bearer token bedrock; aws profile; aws profile name; aws role arn;
     aws session name; aws web identity token; vertex credentials; vertex project;
     vertex ai project; service account; service account json; service account key;
     google application credentials; google cloud project; quota project; quota project id`,
  ],
  [
    word,
    `region; region name; aws region; aws region name; location; vertex location;
     vertex ai location; google cloud location; protocol; scheme; port; method`,
  ],
  [
    path,
    `api version; azure api version; deployment; deployment id; deployment name; azure deployment;
     azure deployment name; path; pathname; base path`,
  ],
  [
    headers,
    `headers; extra headers; default headers; custom headers; request headers; additional headers;
     http headers; header`,
  ],
  [
    options,
    `http options; client options; client args; client config; request options; fetch options;
     transport options; google auth options; proxy settings; tls options; connection string`,
  ],
  [query, 'extra query; default query; query params; query parameters; url params'],
  [
    callable,
    `http agent; https agent; agent; http client; client; fetch; custom fetch; dispatcher;
     transport; transporter; http handler; azure ad token provider; token provider; signer; signal;
     abort signal`,
  ],
  [address, 'proxy; proxies; http proxy; https proxy; no proxy; all proxy; user proxy'],
  [
    number,
    'timeout; timeout ms; max retries; retry config; retry options; verify; verify ssl; strict ssl; reject unauthorized; cert; ca',
  ],
];

export const steeringWords: readonly {
  readonly words: readonly string[];
  readonly value: Value;
}[] = listed.flatMap(([value, names]) =>
  names
    .split(';')
    .map((name) => name.trim().split(/\s+/))
    .filter((words) => words[0] !== '')
    .map((words) => ({ words, value })),
);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const wide = (text: string): string =>
  text.replaceAll(/[a-z]/g, (letter) =>
    String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
  );

export const spellings: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join('_'),
  (words) => words.map((text, at) => (at === 0 ? text : capital(text))).join(''),
  (words) => words.map((text, at) => (at === 0 ? text : text.toUpperCase())).join(''),
  (words) => words.map(capital).join(''),
  (words) => words.join('-'),
  (words) => words.map(capital).join('-'),
  (words) => words.join('_').toUpperCase(),
  (words) => words.join(''),
  (words) => words.join('.'),
  (words) => words.join('__'),
  (words) => ` ${words.join('_')} `,
  (words) => words.map(wide).join('_'),
];

type Nest = (parameters: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

const under =
  (...names: readonly string[]): Nest =>
  (parameters) =>
    names.reduceRight<Readonly<Record<string, unknown>>>(
      (inner, name) => ({ [name]: inner }),
      parameters,
    );

/** Where they may stand. What is named here holds nothing else, so it may be left empty. */
export const nestings: Readonly<Record<string, Nest>> = {
  top: under(),
  extra_body: under('extra_body'),
  'extra_body twice': under('extra_body', 'extraBody'),
  config: under('config'),
  generation_config: under('generation_config'),
  generationConfig: under('generationConfig'),
  options: under('options'),
  model_kwargs: under('model_kwargs', 'params'),
  inferenceConfig: under('inferenceConfig'),
  additionalModelRequestFields: under('additionalModelRequestFields'),
};

/** Names that stay what they are inside of something unknown: a `region` there may be anything. */
export const unmistakable = (words: readonly string[]): boolean =>
  /^(?:base ur[il]|api (?:base|key|url|endpoint)|.* (?:base url|api key|endpoint)|endpoint|server url|authorization|azure .*|aws .*|vertex .+|http (?:options|agent|client)|(?:extra |default |custom )?headers|.*proxy|(?:access|auth|bearer|session) token|client options|request options|dispatcher|fetch|transport|credentials|password|client secret)$/.test(
    words.join(' '),
  );

/** Every parameter in one spelling, in one mapping. */
export function everyParameter(bait: Bait, spelling: number): Record<string, unknown> {
  const spell = spellings[spelling % spellings.length];
  return Object.fromEntries(
    steeringWords.map(({ words, value }) => [spell?.(words) ?? words.join('_'), value(bait)]),
  );
}
