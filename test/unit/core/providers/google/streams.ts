/** Streams of Gemini as `streamGenerateContent` sends them, and the answers that they come to. */

interface Recorded {
  readonly events: readonly object[];
  readonly whole: object;
}

const usage = (candidatesTokenCount: number): object => ({
  promptTokenCount: 9,
  candidatesTokenCount,
  totalTokenCount: 9 + candidatesTokenCount,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 9 }],
});
const about = { modelVersion: 'gemini-test-1', responseId: 'resp_1' };
const chunk = (parts: readonly object[], tokens: number, rest: object = {}): object => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...rest }],
  usageMetadata: usage(tokens),
  ...about,
});
const whole = (parts: readonly object[], tokens: number, rest: object = {}): object => ({
  candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP', index: 0, ...rest }],
  usageMetadata: usage(tokens),
  ...about,
});
const end = { finishReason: 'STOP' };

export const text: Recorded = {
  events: [
    chunk([{ text: 'Grüß' }], 1),
    chunk([{ text: ' dich' }], 2),
    chunk([{ text: ' 🌍' }], 3, end),
  ],
  whole: whole([{ text: 'Grüß dich 🌍' }], 3),
};

/** Thoughts, text, two calls at once, and signatures, one of them on a part without text. */
export const thoughtsAndCalls: Recorded = {
  events: [
    chunk([{ text: 'The place ', thought: true }], 1),
    chunk([{ text: 'matters.', thought: true }], 2),
    chunk([{ text: 'I look' }], 3),
    chunk([{ text: ' it up.' }], 4),
    chunk([{ text: '', thoughtSignature: 'CpYBAdHtim8' }], 4),
    chunk(
      [
        {
          functionCall: { name: 'weather', args: { place: 'Köln', my_days: [1, 2] } },
          thoughtSignature: 'CtQCAdHtim9',
        },
        { functionCall: { name: 'now', args: {}, id: 'call_2' } },
      ],
      20,
    ),
    chunk([{ text: '' }], 21, end),
  ],
  whole: whole(
    [
      { text: 'The place matters.', thought: true },
      { text: 'I look it up.', thoughtSignature: 'CpYBAdHtim8' },
      {
        functionCall: { name: 'weather', args: { place: 'Köln', my_days: [1, 2] } },
        thoughtSignature: 'CtQCAdHtim9',
      },
      { functionCall: { name: 'now', args: {}, id: 'call_2' } },
    ],
    21,
  ),
};

const groundingMetadata = {
  webSearchQueries: ['rain'],
  groundingChunks: [
    { web: { uri: 'https://example.com/rain', title: 'Rain' } },
    { maps: { uri: 'https://maps.example.com/1', title: 'Cologne', placeId: 'places/1' } },
    { retrievedContext: { uri: 'gs://notes', title: 'Notes' } },
  ],
  groundingSupports: [
    { segment: { endIndex: 9, text: 'It rains.' }, groundingChunkIndices: [0, 1] },
    { segment: { startIndex: 10, endIndex: 14, text: 'Wet.' }, groundingChunkIndices: [2, 9] },
  ],
};
const urlContextMetadata = {
  urlMetadata: [
    { retrievedUrl: 'https://example.com', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' },
  ],
};
const citation = (startIndex: number): object => ({
  startIndex,
  endIndex: startIndex + 3,
  uri: `https://example.com/${startIndex}`,
});

/** Code that was run, a picture, text with sources in every chunk, and text again. */
export const codeAndSources: Recorded = {
  events: [
    chunk([{ executableCode: { language: 'PYTHON', code: 'print(1)' } }], 1),
    chunk([{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } }], 2),
    chunk([{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }], 3),
    chunk([{ text: 'It ' }], 4, { citationMetadata: { citationSources: [citation(0)] } }),
    chunk([{ text: 'rains.' }], 5, {
      citationMetadata: { citationSources: [citation(0), citation(3)] },
      urlContextMetadata,
    }),
    chunk([{ text: ' Wet.' }], 6, { groundingMetadata, finishReason: 'STOP' }),
  ],
  whole: whole(
    [
      { executableCode: { language: 'PYTHON', code: 'print(1)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } },
      { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
      { text: 'It rains. Wet.' },
    ],
    6,
    {
      citationMetadata: { citationSources: [citation(0), citation(3)] },
      urlContextMetadata,
      groundingMetadata,
    },
  ),
};

/** Two candidates whose chunks take turns. */
export const candidates: Recorded = {
  events: [
    { candidates: [{ content: { parts: [{ text: 'One' }], role: 'model' }, index: 0 }], ...about },
    { candidates: [{ content: { parts: [{ text: 'Two' }], role: 'model' }, index: 1 }], ...about },
    {
      candidates: [
        { content: { parts: [{ text: '!' }], role: 'model' }, finishReason: 'STOP', index: 1 },
        { finishReason: 'SAFETY', index: 0, safetyRatings: [{ category: 'X', blocked: true }] },
      ],
      usageMetadata: usage(2),
      ...about,
    },
  ],
  whole: {
    candidates: [
      {
        content: { parts: [{ text: 'One' }], role: 'model' },
        index: 0,
        finishReason: 'SAFETY',
        safetyRatings: [{ category: 'X', blocked: true }],
      },
      { content: { parts: [{ text: 'Two!' }], role: 'model' }, index: 1, finishReason: 'STOP' },
    ],
    usageMetadata: usage(2),
    ...about,
  },
};

export const blocked: Recorded = {
  events: [{ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: usage(0), ...about }],
  whole: { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: usage(0), ...about },
};

export const recorded: Readonly<Record<string, Recorded>> = {
  text,
  'thoughts and calls': thoughtsAndCalls,
  'code and sources': codeAndSources,
  'two candidates': candidates,
  'a blocked prompt': blocked,
};
