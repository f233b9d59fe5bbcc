import assert from 'node:assert/strict';
import { GoogleGenAI } from '@google/genai';
import type { GenerateContentResponse } from '@google/genai';
import fc from 'fast-check';
import { gemini } from '../../../../../src/core/providers/google/gemini.ts';
import { ProviderError } from '../../../../../src/core/providers/provider-error.ts';
import { cut, sse, startFakeProvider } from '../../../../support/providers/fake-provider.ts';
import { chatTemplate } from '../../../../support/providers/fake-service.ts';
import { assertCutsDoNotMatter, modelCall, replay } from '../../../../support/providers/replay.ts';
import { runOnce } from '../../../../support/providers/run-once.ts';
import { codeAndSources, recorded, text, thoughtsAndCalls } from './streams.ts';

const call = modelCall({ provider: 'google', model: 'gemini-test-1' });
const api = gemini(call);
/** Google ends its lines as the web does. */
const wireOf = (events: readonly object[]): string => sse(events).replaceAll('\n', '\r\n');
const bytesOf = (events: readonly object[]): Uint8Array => Buffer.from(wireOf(events));

/** What Google's client gives, without the HTTP answer and with the one field that it renames. */
function bare(response: GenerateContentResponse): unknown {
  const json = JSON.stringify(response).replaceAll('"citations"', '"citationSources"');
  const { sdkHttpResponse: _http, ...rest } = JSON.parse(json) as Record<string, unknown>;
  return rest;
}

const chunkOf = (...parts: readonly object[]): object => ({
  candidates: [{ content: { parts, role: 'model' } }],
});
const partsOf = (response: unknown): unknown =>
  (response as { candidates: { content: { parts: unknown } }[] }).candidates[0]?.content.parts;

describe('providers: Gemini', () => {
  for (const [name, { events, whole }] of Object.entries(recorded)) {
    it(`puts a stream with ${name} together as the whole answer`, () => {
      const { response, isWhole, replies } = replay(api, call, bytesOf(events));
      assert.deepEqual(response, whole);
      assert.equal(isWhole, true);
      assert.deepEqual(replies.at(-1), api.replyOf(whole, call));
    });

    it(`does not care where a stream with ${name} is cut`, () => {
      assertCutsDoNotMatter(api, call, bytesOf(events));
    });

    it(`gives the events and the answer that Google's own client gives for ${name}`, async () => {
      const provider = await startFakeProvider(({ path }) =>
        path.endsWith(':streamGenerateContent')
          ? { pieces: cut(wireOf(events), 90) }
          : { body: whole },
      );
      try {
        const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: provider.url } });
        const request = { model: 'gemini-test-1', contents: 'Hi' };
        const seen: unknown[] = [];
        for await (const event of await client.models.generateContentStream(request)) {
          seen.push(bare(event));
        }
        const ours = replay(api, call, bytesOf(events));
        assert.deepEqual(
          ours.events.map(({ data }) => data),
          seen,
        );
        assert.deepEqual(ours.response, bare(await client.models.generateContent(request)));
      } finally {
        await provider.close();
      }
    });
  }

  it('shows thoughts, text and calls as parts', () => {
    const { replies } = replay(api, call, bytesOf(thoughtsAndCalls.events));
    assert.deepEqual(replies.at(-1), {
      content: [
        { type: 'thinking', thinking: 'The place matters.' },
        { type: 'text', text: 'I look it up.', thought_signature: 'CpYBAdHtim8' },
      ],
      tool_calls: [
        {
          id: '',
          type: 'function',
          function: { name: 'weather', arguments: '{"place":"Köln","my_days":[1,2]}' },
          provider_metadata: { thought_signature: 'CtQCAdHtim9' },
        },
        { id: 'call_2', type: 'function', function: { name: 'now', arguments: '{}' } },
      ],
    });
  });

  it('shows code, its output, a picture and the sources of the text', () => {
    const { replies } = replay(api, call, bytesOf(codeAndSources.events));
    const place = { start_index: 0, end_index: 9, cited_text: 'It rains.' };
    assert.deepEqual(replies.at(-1)?.content, [
      { type: 'code', language: 'PYTHON', code: 'print(1)' },
      { type: 'code_execution_result', outcome: 'OUTCOME_OK', output: '1\n' },
      {
        type: 'output_media',
        url: 'iVBORw0KGgo=',
        mime_type: 'image/png',
        media_type: 'image',
      },
      {
        type: 'text',
        text: 'It rains. Wet.',
        annotations: [
          { type: 'url_citation', url: 'https://example.com/rain', title: 'Rain', ...place },
          {
            type: 'map_citation',
            url: 'https://maps.example.com/1',
            title: 'Cologne',
            place_id: 'places/1',
            ...place,
          },
          {
            type: 'file_citation',
            file_id: 'gs://notes',
            filename: 'Notes',
            start_index: 10,
            end_index: 14,
            cited_text: 'Wet.',
          },
          {
            type: 'url_citation',
            url: 'https://example.com/0',
            title: undefined,
            start_index: 0,
            end_index: 3,
          },
          {
            type: 'url_citation',
            url: 'https://example.com/3',
            title: undefined,
            start_index: 3,
            end_index: 6,
          },
        ],
      },
    ]);
  });

  it('keeps a thought, a text and a thought apart, and a text that follows a signature', () => {
    const { response } = replay(
      api,
      call,
      bytesOf([
        chunkOf({ text: 'a', thought: true }, { text: 'b' }),
        chunkOf({ text: 'c' }, { text: 'd', thought: true }),
        chunkOf({ text: 'e', thought: true, thoughtSignature: 's' }, { text: 'f', thought: true }),
      ]),
    );
    assert.deepEqual(partsOf(response), [
      { text: 'a', thought: true },
      { text: 'bc' },
      { text: 'de', thought: true, thoughtSignature: 's' },
      { text: 'f', thought: true },
    ]);
  });

  it('joins the pieces of a sound', () => {
    const sound = (data: string): object => ({
      inlineData: { mimeType: 'audio/L16;rate=24000', data },
    });
    const { response, replies } = replay(
      api,
      call,
      bytesOf([chunkOf(sound('AAEC')), chunkOf(sound('AwQF')), chunkOf(sound('Bg=='))]),
    );
    assert.deepEqual(partsOf(response), [sound('AAECAwQFBg==')]);
    assert.equal(replies.at(-1)?.content[0]?.['url'], 'AAECAwQFBg==');
  });

  it('joins the arguments of a call that come in pieces', () => {
    const more = (functionCall: object): object => chunkOf({ functionCall });
    const { response, replies } = replay(
      api,
      call,
      bytesOf([
        more({ name: 'book', id: 'c1', willContinue: true }),
        more({
          partialArgs: [{ jsonPath: '$.place.name', stringValue: 'New ', willContinue: true }],
          willContinue: true,
        }),
        more({
          partialArgs: [{ jsonPath: '$.place.name', stringValue: 'York', willContinue: true }],
          willContinue: true,
        }),
        more({
          partialArgs: [
            { jsonPath: '$.place.name', stringValue: '' },
            { jsonPath: '$.days[0].n', numberValue: 3 },
            { jsonPath: '$.days[1]', boolValue: true },
            { jsonPath: '$.none', nullValue: 'NULL_VALUE' },
            { jsonPath: '$.__proto__.polluted', stringValue: 'x' },
          ],
          willContinue: true,
        }),
        more({}),
        more({ name: 'now', args: {} }),
      ]),
    );
    const args = { place: { name: 'New York' }, days: [{ n: 3 }, true], none: null };
    assert.deepEqual(partsOf(response), [
      { functionCall: { name: 'book', id: 'c1', args } },
      { functionCall: { name: 'now', args: {} } },
    ]);
    assert.equal(replies.at(-1)?.tool_calls[0]?.function.arguments, JSON.stringify(args));
    assert.equal(replies[0]?.tool_calls[0]?.function.name, 'book');
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  it('joins any pieces of thoughts and texts in their order', () => {
    const piece = fc.record({
      text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }),
      isThought: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(piece, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 10 }),
        (chunks) => {
          const { response } = replay(
            api,
            call,
            bytesOf(
              chunks.map((parts) =>
                chunkOf(
                  ...parts.map(({ text: said, isThought }) => ({
                    text: said,
                    ...(isThought && { thought: true }),
                  })),
                ),
              ),
            ),
          );
          const parts = partsOf(response) as { text: string; thought?: boolean }[];
          const flat = chunks.flat();
          assert.equal(
            parts.map(({ text: said }) => said).join(''),
            flat.map(({ text: said }) => said).join(''),
          );
          for (const [at, part] of parts.entries()) {
            assert.notEqual(part.thought, parts[at + 1]?.thought ?? !(part.thought ?? false));
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('asks the Gemini API with the key in a header', async () => {
    const { asked, result, tracked } = await runOnce({
      template: chatTemplate({
        provider: 'google',
        model: 'gemini-test-1',
        kwargs: {
          model: 'gemini-test-1',
          history: [
            { role: 'user', parts: [{ text: 'Hi' }] },
            { role: 'model', parts: [{ text: 'Hello' }] },
            { role: 'user', parts: [{ text: 'How are you?' }] },
          ],
          generation_config: { max_output_tokens: 9, system_instruction: 'Be kind.' },
        },
      }),
      script: () => ({ body: text.whole }),
      environment: (url) => ({ GEMINI_API_KEY: 'AIza-canary', GOOGLE_GEMINI_BASE_URL: url }),
    });
    const [request] = asked;
    assert.equal(request?.path, '/v1beta/models/gemini-test-1:generateContent');
    assert.equal(String(request.query), '');
    assert.equal(request.headers['x-goog-api-key'], 'AIza-canary');
    assert.deepEqual(request.json, {
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ text: 'Hello' }] },
        { role: 'user', parts: [{ text: 'How are you?' }] },
      ],
      systemInstruction: { parts: [{ text: 'Be kind.' }] },
      generationConfig: { maxOutputTokens: 9 },
    });
    assert.deepEqual(result?.raw_response, text.whole);
    assert.equal(tracked[0]?.['function_name'], 'google.convo.send_message');
  });

  it('streams a run, and logs the answer put together', async () => {
    const { asked, chunks, tracked } = await runOnce({
      template: chatTemplate({
        provider: 'google',
        kwargs: { model: 'tunedModels/mine-1', contents: 'Hi' },
      }),
      script: () => ({ pieces: cut(wireOf(codeAndSources.events), 70) }),
      environment: (url) => ({
        GOOGLE_API_KEY: 'AIza-canary',
        GOOGLE_GEMINI_BASE_URL: `${url}/v1alpha/`,
      }),
      stream: true,
    });
    assert.equal(asked[0]?.path, '/v1alpha/tunedModels/mine-1:streamGenerateContent');
    assert.equal(String(asked[0].query), 'alt=sse');
    assert.equal(chunks.length, codeAndSources.events.length + 1);
    assert.deepEqual(tracked[0]?.['request_response'], codeAndSources.whole);
  });

  it('reports an error in the stream with what had come before', async () => {
    const { error } = await runOnce({
      template: chatTemplate({ provider: 'google', kwargs: { model: 'g', contents: 'Hi' } }),
      script: () => ({
        pieces: [
          wireOf(text.events.slice(0, 1)),
          wireOf([{ error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } }]),
        ],
      }),
      environment: (url) => ({ GOOGLE_API_KEY: 'AIza-canary', GOOGLE_GEMINI_BASE_URL: url }),
      stream: true,
    });
    assert.ok(error instanceof ProviderError);
    assert.match(error.message, /google stopped in the middle of its answer: Overloaded\./);
    assert.equal(error.providerCode, 'UNAVAILABLE');
    assert.match(JSON.stringify(error.partial?.raw_response), /Grüß/);
  });
});
