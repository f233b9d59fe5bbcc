// Calls a language-model tool as an assistant would, shows what came of it, and what others may see.
const vscode = require('vscode');

// Also where a page takes the focus late.
const ask = (title) => vscode.window.showInputBox({ title, ignoreFocusOut: true });

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('toolCaller.call', async () => {
      const name = await ask('Name of the tool');
      const input = await ask('Input as JSON');
      const call = { input: JSON.parse(input), toolInvocationToken: undefined };
      try {
        const { content } = await vscode.lm.invokeTool(name, call);
        void vscode.window.showInformationMessage(content[0].value);
      } catch (error) {
        void vscode.window.showErrorMessage(`Failed: ${error.message}`);
      }
    }),
    vscode.commands.registerCommand('toolCaller.listServers', async () => {
      const { exports: api } = vscode.extensions.getExtension('prompt-tables.prompt-tables');
      const labels = (await api.mcpServers()).map(({ label }) => label);
      void vscode.window.showInformationMessage(`Servers: ${JSON.stringify(labels)}`);
    }),
    vscode.commands.registerCommand('toolCaller.readSettings', async () => {
      const names = await ask('Names of settings');
      const settings = vscode.workspace.getConfiguration();
      const values = names.split(' ').map((name) => settings.get(name));
      void vscode.window.showInformationMessage(`Settings: ${JSON.stringify(values)}`);
    }),
  );
};
