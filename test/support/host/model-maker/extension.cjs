// Contributes language models to VS Code, as Copilot does: one that answers with what it was asked,
// one that calls a tool, one that is slow, and one that has no requests left.
const vscode = require('vscode');

const capabilities = { toolCalling: true, imageInput: true };
const model = (id, name) => ({
  ...{ id, name, family: id, version: '1', maxInputTokens: 8000, maxOutputTokens: 2000 },
  capabilities,
});
const models = [
  model('echo', 'Echo'),
  model('caller', 'Caller'),
  model('slow/one', 'Slow'),
  model('spent', 'Spent'),
];

/** What has been asked and has ended, for a test to read. */
const log = [];
const textOf = ({ content }) =>
  content.map((part) => part.value ?? `[${part.constructor.name}]`).join('');
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const answers = {
  async echo(messages, options, progress) {
    const heard = messages.map((message) => `${message.role}: ${textOf(message)}`).join(' | ');
    const words = `Heard ${heard} with ${JSON.stringify(options.modelOptions ?? {})}.`;
    for (const word of words.split(/(?<= )/)) {
      progress.report(new vscode.LanguageModelTextPart(word));
      await pause(2);
    }
  },
  async caller(_messages, { tools = [] }, progress) {
    const [tool] = tools;
    if (tool === undefined) throw new Error('There is no tool to call.');
    progress.report(new vscode.LanguageModelToolCallPart('call-1', tool.name, { city: 'Oslo' }));
  },
  async 'slow/one'(_messages, _options, progress, token) {
    progress.report(new vscode.LanguageModelTextPart('Begun, and '));
    while (!token.isCancellationRequested) await pause(20);
    log.push('canceled');
  },
  spent() {
    throw vscode.LanguageModelError.Blocked('The monthly quota is used up.');
  },
};

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('model-maker', {
      provideLanguageModelChatInformation: () => models,
      provideLanguageModelChatResponse: ({ id }, messages, options, progress, token) =>
        answers[id](messages, options, progress, token),
      provideTokenCount: (_model, text) =>
        Promise.resolve((typeof text === 'string' ? text : textOf(text)).split(' ').length),
    }),
  );
  return { log };
};
