// Calls a language-model tool as an assistant would, and shows what came of it.
const vscode = require('vscode');

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('toolCaller.call', async () => {
      const name = await vscode.window.showInputBox({ title: 'Name of the tool' });
      const input = await vscode.window.showInputBox({ title: 'Input as JSON' });
      const call = { input: JSON.parse(input), toolInvocationToken: undefined };
      try {
        const { content } = await vscode.lm.invokeTool(name, call);
        void vscode.window.showInformationMessage(content[0].value);
      } catch (error) {
        void vscode.window.showErrorMessage(`Failed: ${error.message}`);
      }
    }),
  );
};
