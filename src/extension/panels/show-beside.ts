import * as vscode from 'vscode';

/** Shows a document beside the editor that it was opened from; alone where there is none. */
export async function showBeside(document: vscode.TextDocument): Promise<void> {
  const { tabs } = vscode.window.tabGroups.activeTabGroup;
  const viewColumn = tabs.length === 0 ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
  await vscode.window.showTextDocument(document, { preview: true, viewColumn });
}
