const vscode = require('vscode');

exports.activate = async () => {
  // After a reload the window restores its tabs itself.
  const isOpen = vscode.window.tabGroups.all.some((group) => group.tabs.length > 0);
  if (isOpen) return;
  await vscode.commands.executeCommand('workbench.view.extension.promptTables');
  await vscode.commands.executeCommand('promptTables.openSample');
};
