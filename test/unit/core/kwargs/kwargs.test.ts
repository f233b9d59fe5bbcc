import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PromptTemplate } from '../../../../src/api/template.ts';
import type { ChosenModel } from '../../../../src/core/kwargs/family.ts';
import { kwargsOf } from '../../../../src/core/kwargs/kwargs.ts';
import { settleParameters } from '../../../../src/core/kwargs/parameters.ts';

const text = (value: string) => [{ type: 'text', text: value }];
const png = 'data:image/png;base64,iVBORw0KGgo=';
const schema = { type: 'object', properties: { city: { type: 'string' } } };

/** A conversation with everything in it: two calls at once, a picture, a thought, a format. */
const template: PromptTemplate = {
  type: 'chat',
  messages: [
    { role: 'system', content: text('Be brief.') },
    {
      role: 'user',
      content: [...text('Look'), { type: 'image_url', image_url: { url: png, detail: 'low' } }],
    },
    {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'Hm', signature: 'sig', id: 'rs_1' }, ...text('Ok')],
      tool_calls: [
        {
          id: 'c1',
          tool_id: 'fc_1',
          type: 'function',
          function: { name: 'f', arguments: '{"a":1}' },
        },
        { id: 'c2', type: 'function', function: { name: 'g', arguments: '' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: text('{"r":1}') },
    { role: 'tool', tool_call_id: 'c2', content: text('done') },
    { role: 'placeholder', name: 'unfilled' },
  ],
  tools: [
    { type: 'function', function: { name: 'f', description: 'F', parameters: schema } },
    { id: 'w', type: 'web_search', name: 'w', description: '', provider: 'x', config: { a: 1 } },
  ],
  tool_choice: 'required',
};

const parameters = {
  maxOutputTokens: 9,
  temperature: 0.5,
  stop: ['END'],
  response_format: { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } },
};

const model = (provider: string, name: string, rest: Partial<ChosenModel> = {}): ChosenModel => ({
  provider,
  name,
  apiType: undefined,
  parameters,
  ...rest,
});

const tool = { type: 'function', function: { name: 'f', description: 'F', parameters: schema } };
const calls = [
  { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
  { id: 'c2', type: 'function', function: { name: 'g', arguments: '' } },
];

describe('core: arguments of a call', () => {
  const chatMessages = [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: png, detail: 'low' } },
      ],
    },
    { role: 'assistant', content: 'Ok', tool_calls: calls },
    { role: 'tool', tool_call_id: 'c1', content: '{"r":1}' },
    { role: 'tool', tool_call_id: 'c2', content: 'done' },
  ];

  it('of OpenAI chat completions', () => {
    for (const apiType of [undefined, 'chat-completions', 'chat.completions']) {
      assert.deepEqual(kwargsOf(template, model('openai', 'gpt-4o', { apiType })), {
        model: 'gpt-4o',
        messages: chatMessages,
        max_tokens: 9,
        temperature: 0.5,
        stop: ['END'],
        response_format: parameters.response_format,
        tools: [tool],
        tool_choice: 'required',
      });
    }
    const azure = kwargsOf(template, model('openai.azure', 'gpt-5-mini'));
    assert.equal(azure['max_completion_tokens'], 9);
    assert.equal(azure['max_tokens'], undefined);
  });

  it('of OpenAI responses', () => {
    assert.deepEqual(
      kwargsOf(
        template,
        model('openai', 'gpt-5', {
          apiType: 'responses',
          parameters: { ...parameters, reasoning_effort: 'low', text: { verbosity: 'low' } },
        }),
      ),
      {
        model: 'gpt-5',
        input: [
          { role: 'system', content: [{ type: 'input_text', text: 'Be brief.' }] },
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'Look' },
              { type: 'input_image', image_url: png, detail: 'low' },
            ],
          },
          {
            type: 'reasoning',
            id: 'rs_1',
            summary: [{ type: 'summary_text', text: 'Hm' }],
            encrypted_content: 'sig',
          },
          { role: 'assistant', content: [{ type: 'output_text', text: 'Ok' }] },
          { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
          { type: 'function_call', call_id: 'c2', name: 'g', arguments: '' },
          { type: 'function_call_output', call_id: 'c1', output: '{"r":1}' },
          { type: 'function_call_output', call_id: 'c2', output: 'done' },
        ],
        max_output_tokens: 9,
        temperature: 0.5,
        reasoning: { effort: 'low' },
        text: {
          verbosity: 'low',
          format: { type: 'json_schema', name: 'n', schema, strict: true },
        },
        tools: [
          { type: 'function', name: 'f', description: 'F', parameters: schema, strict: false },
          { type: 'web_search', a: 1 },
        ],
        tool_choice: 'required',
      },
    );
  });

  const blocks = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        {
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
        },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 'sig' },
        { type: 'text', text: 'Ok' },
        { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } },
        { type: 'tool_use', id: 'c2', name: 'g', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c1',
          content: [{ type: 'text', text: '{"r":1}' }],
        },
        { type: 'tool_result', tool_use_id: 'c2', content: [{ type: 'text', text: 'done' }] },
      ],
    },
  ];

  it('of Anthropic, wherever Claude runs', () => {
    for (const [provider, name] of [
      ['anthropic', 'claude-x'],
      ['anthropic.bedrock', 'anthropic.claude-x'],
      ['vertexai', 'claude-x@1'],
    ] as const) {
      assert.deepEqual(kwargsOf(template, model(provider, name)), {
        model: name,
        max_tokens: 9,
        temperature: 0.5,
        stop_sequences: ['END'],
        output_config: { format: { type: 'json_schema', schema } },
        system: 'Be brief.',
        messages: blocks,
        tools: [
          { name: 'f', description: 'F', input_schema: schema },
          { type: 'web_search_20250305', name: 'web_search', a: 1 },
        ],
        tool_choice: { type: 'any' },
      });
    }
    const plain = kwargsOf(template, model('anthropic', 'claude-x', { parameters: {} }));
    assert.equal(plain['max_tokens'], 4096);
  });

  it('of Gemini, at Google and at Vertex', () => {
    for (const provider of ['google', 'vertexai']) {
      assert.deepEqual(kwargsOf(template, model(provider, 'gemini-x')), {
        model: 'gemini-x',
        history: [
          {
            role: 'user',
            parts: [
              { text: 'Look' },
              { inline_data: { mime_type: 'image/png', data: 'iVBORw0KGgo=' } },
            ],
          },
          {
            role: 'model',
            parts: [
              { text: 'Hm', thought: true, thought_signature: 'sig' },
              { text: 'Ok' },
              { function_call: { name: 'f', args: { a: 1 } } },
              { function_call: { name: 'g', args: {} } },
            ],
          },
          {
            role: 'user',
            parts: [
              { function_response: { name: 'f', response: { r: 1 } } },
              { function_response: { name: 'g', response: { result: 'done' } } },
            ],
          },
        ],
        generation_config: {
          system_instruction: { parts: [{ text: 'Be brief.' }] },
          max_output_tokens: 9,
          temperature: 0.5,
          stop_sequences: ['END'],
          response_mime_type: 'application/json',
          response_json_schema: schema,
          tools: [
            { function_declarations: [{ name: 'f', description: 'F', parameters: schema }] },
            { google_search: { a: 1 } },
          ],
          tool_config: { function_calling_config: { mode: 'ANY' } },
        },
      });
    }
  });

  it('of Amazon Bedrock', () => {
    const given = { ...parameters, top_k: 3 };
    assert.deepEqual(kwargsOf(template, model('amazon.bedrock', 'm', { parameters: given })), {
      modelId: 'm',
      messages: [
        {
          role: 'user',
          content: [
            { text: 'Look' },
            { image: { format: 'png', source: { bytes: 'iVBORw0KGgo=' } } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'Hm', signature: 'sig' } } },
            { text: 'Ok' },
            { toolUse: { toolUseId: 'c1', name: 'f', input: { a: 1 } } },
            { toolUse: { toolUseId: 'c2', name: 'g', input: {} } },
          ],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'c1', content: [{ text: '{"r":1}' }] } },
            { toolResult: { toolUseId: 'c2', content: [{ text: 'done' }] } },
          ],
        },
      ],
      system: [{ text: 'Be brief.' }],
      inferenceConfig: { maxTokens: 9, temperature: 0.5, stopSequences: ['END'] },
      toolConfig: {
        tools: [{ toolSpec: { name: 'f', description: 'F', inputSchema: { json: schema } } }],
        toolChoice: { any: {} },
      },
      outputConfig: {
        textFormat: {
          type: 'json_schema',
          structure: { jsonSchema: { name: 'n', schema: JSON.stringify(schema) } },
        },
      },
      additionalModelRequestFields: { top_k: 3 },
    });
  });

  it('of Mistral and Cohere', () => {
    const mistral = kwargsOf(template, model('mistral', 'm', { parameters: { seed: 1 } }));
    assert.deepEqual(mistral, {
      model: 'm',
      messages: chatMessages,
      random_seed: 1,
      tools: [tool],
      tool_choice: 'any',
    });
    assert.deepEqual(
      kwargsOf(template, model('cohere', 'm', { parameters: { topP: 1, stop: 'E' } })),
      {
        model: 'm',
        messages: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look' },
              { type: 'image_url', image_url: { url: png } },
            ],
          },
          { role: 'assistant', content: 'Ok', tool_calls: calls },
          { role: 'tool', tool_call_id: 'c1', content: '{"r":1}' },
          { role: 'tool', tool_call_id: 'c2', content: 'done' },
        ],
        p: 1,
        stop_sequences: ['E'],
        tools: [tool],
        tool_choice: 'REQUIRED',
      },
    );
  });

  it('of OpenRouter and of any server that speaks as OpenAI does', () => {
    for (const provider of ['openrouter', 'groq', 'xai', 'deepseek', 'my own server']) {
      const made = kwargsOf(template, model(provider, 'm', { parameters: { maxTokens: 2 } }));
      assert.deepEqual(made, {
        model: 'm',
        messages: chatMessages,
        max_tokens: 2,
        tools: [tool],
        tool_choice: 'required',
      });
    }
    const speech = kwargsOf(
      { type: 'completion', content: text('Say it') },
      model('openrouter', 'm', { apiType: 'speech', parameters: { voice: 'v' } }),
    );
    assert.deepEqual(speech, { model: 'm', input: 'Say it', voice: 'v' });
  });

  it('of completions and images', () => {
    const one: PromptTemplate = { type: 'completion', content: [...text('A '), ...text('cat')] };
    const few = { max_tokens: 3 };
    assert.deepEqual(kwargsOf(one, model('openai', 'm', { parameters: few })), {
      model: 'm',
      prompt: 'A cat',
      max_tokens: 3,
    });
    assert.deepEqual(
      kwargsOf(one, model('openai', 'm', { apiType: 'images', parameters: { size: '1x1' } })),
      { model: 'm', prompt: 'A cat', size: '1x1' },
    );
    assert.deepEqual(kwargsOf(one, model('anthropic', 'm', { parameters: few })), {
      model: 'm',
      prompt: 'A cat',
      max_tokens_to_sample: 3,
    });
    assert.deepEqual(kwargsOf(one, model('google', 'm', { parameters: {} })), {
      model: 'm',
      contents: [{ role: 'user', parts: [{ text: 'A cat' }] }],
      generation_config: {},
    });
    for (const provider of ['amazon.bedrock', 'mistral', 'cohere', 'openrouter']) {
      const { messages } = kwargsOf(one, model(provider, 'm', { parameters: {} })) as {
        messages: unknown[];
      };
      assert.equal(messages.length, 1, provider);
    }
  });

  it('keep the older functions of chats for OpenAI, and make tools of them elsewhere', () => {
    const old: PromptTemplate = {
      type: 'chat',
      messages: [{ role: 'user', content: text('Hi') }],
      functions: [{ name: 'f', parameters: schema }],
      function_call: { name: 'f' },
    };
    const openai = kwargsOf(old, model('openai', 'm', { parameters: {} }));
    assert.deepEqual(openai['functions'], [{ name: 'f', parameters: schema }]);
    assert.deepEqual(openai['function_call'], { name: 'f' });
    const claude = kwargsOf(old, model('anthropic', 'm', { parameters: {} }));
    assert.deepEqual(claude['tool_choice'], { type: 'tool', name: 'f' });
  });

  it('are made of anything that a template may hold', () => {
    const providers = ['openai', 'anthropic', 'google', 'amazon.bedrock', 'mistral', 'cohere'];
    fc.assert(
      fc.property(
        fc.constantFrom(...providers),
        fc.constantFrom(undefined, 'responses', 'images'),
        fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 4 }),
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
        (provider, apiType, messages, given) => {
          const odd = { type: 'chat', messages, tools: messages, tool_choice: messages[0] };
          kwargsOf(odd, { provider, name: 'm', apiType, parameters: given });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('settle the spellings of parameters', () => {
    assert.deepEqual(
      settleParameters({
        maxTokens: 1,
        max_tokens: 2,
        topP: 0.1,
        stopSequences: ['x'],
        other: null,
      }),
      { max_tokens: 2, top_p: 0.1, stop: ['x'] },
    );
  });
});
