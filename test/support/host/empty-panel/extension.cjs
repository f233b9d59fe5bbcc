// A panel with nothing but a row that stands in its HTML: what a panel takes in VS Code itself.
const vscode = require('vscode');

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('emptyPanel.open', () => {
      const column = vscode.ViewColumn.Active;
      const panel = vscode.window.createWebviewPanel('emptyPanel', 'Empty', column, {});
      panel.webview.html =
        '<!DOCTYPE html><html><body><div class="rows"><div class="row">Row</div></div></body></html>';
    }),
  );
};
