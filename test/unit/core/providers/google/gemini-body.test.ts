import assert from 'node:assert/strict';
import { GoogleGenAI } from '@google/genai';
import { geminiBody } from '../../../../../src/core/providers/google/gemini-body.ts';
import { startFakeProvider } from '../../../../support/providers/fake-provider.ts';

describe('providers: arguments for Gemini', () => {
  it('spells names as Google does, and leaves names of the user alone', () => {
    assert.deepEqual(
      geminiBody({
        model: 'gemini-test-1',
        contents: [
          {
            role: 'model',
            parts: [{ function_call: { name: 'f', args: { my_arg: { in_here: 1 } } } }],
          },
          {
            role: 'user',
            parts: [
              { function_response: { name: 'f', response: { my_result: 2 } } },
              { inline_data: { mime_type: 'image/png', data: 'AA==' } },
            ],
          },
        ],
        generation_config: {
          top_p: 0.5,
          response_mime_type: 'application/json',
          response_schema: {
            type: 'object',
            properties: { first_name: { type: 'string' } },
            min_properties: 1,
          },
          thinking_config: { include_thoughts: true, thinking_budget: 1 },
          tools: [
            { function_declarations: [{ name: 'do_it', parameters: { any_of: [] } }] },
            { google_search: {} },
          ],
          tool_config: { function_calling_config: { allowed_function_names: ['do_it'] } },
          safety_settings: [{ category: 'HARM', threshold: 'OFF' }],
          labels: { cost_center: 'a' },
          http_options: { headers: { authorization: 'x' } },
        },
        stop_sequences: ['.'],
      }),
      {
        contents: [
          {
            role: 'model',
            parts: [{ functionCall: { name: 'f', args: { my_arg: { in_here: 1 } } } }],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { name: 'f', response: { my_result: 2 } } },
              { inlineData: { mimeType: 'image/png', data: 'AA==' } },
            ],
          },
        ],
        tools: [
          { functionDeclarations: [{ name: 'do_it', parameters: { any_of: [] } }] },
          { googleSearch: {} },
        ],
        toolConfig: { functionCallingConfig: { allowedFunctionNames: ['do_it'] } },
        safetySettings: [{ category: 'HARM', threshold: 'OFF' }],
        labels: { cost_center: 'a' },
        generationConfig: {
          topP: 0.5,
          responseMimeType: 'application/json',
          responseSchema: {
            type: 'object',
            properties: { first_name: { type: 'string' } },
            minProperties: 1,
          },
          thinkingConfig: { includeThoughts: true, thinkingBudget: 1 },
          stopSequences: ['.'],
        },
      },
    );
  });

  it('takes text, parts and contents, alone and in lists', () => {
    const hi = { role: 'user', parts: [{ text: 'Hi' }] };
    for (const contents of ['Hi', ['Hi'], { text: 'Hi' }, [{ text: 'Hi' }], hi, [hi]]) {
      assert.deepEqual(geminiBody({ contents }), { contents: [hi] });
    }
    assert.deepEqual(geminiBody({ prompt: 'Hi' }), { contents: [hi] });
    assert.deepEqual(geminiBody({ contents: ['a', { text: 'b' }, hi, 'c'] }), {
      contents: [
        { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
        hi,
        { role: 'user', parts: [{ text: 'c' }] },
      ],
    });
    for (const system_instruction of ['Be kind.', ['Be kind.'], [{ text: 'Be kind.' }]]) {
      assert.deepEqual(geminiBody({ contents: 'Hi', system_instruction }), {
        contents: [hi],
        systemInstruction: { parts: [{ text: 'Be kind.' }] },
      });
    }
  });

  it("sends what Google's own client sends", async () => {
    const provider = await startFakeProvider(() => ({ body: {} }));
    try {
      const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: provider.url } });
      const history = [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ text: 'Hello' }] },
      ];
      const config = {
        maxOutputTokens: 9,
        temperature: 0,
        systemInstruction: { role: 'user', parts: [{ text: 'Be kind.' }] },
        stopSequences: ['.'],
        tools: [{ googleSearch: {} }, { functionDeclarations: [{ name: 'f', description: 'd' }] }],
        thinkingConfig: { thinkingBudget: 5 },
        safetySettings: [],
        cachedContent: 'cachedContents/1',
      };
      const chat = client.chats.create({ model: 'gemini-test-1', history, config });
      await chat.sendMessage({ message: [{ text: 'Well?' }] });
      assert.deepEqual(
        geminiBody({
          history: [...history, { role: 'user', parts: [{ text: 'Well?' }] }],
          generation_config: config,
        }),
        provider.requests[0]?.json,
      );
    } finally {
      await provider.close();
    }
  });
});
