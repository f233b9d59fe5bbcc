import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the VS Code that runs the host suites', () => {
  it('is at least the one that engines.vscode asks for', () => {
    const [major, minor] = vscode.version.split('.').map(Number);
    assert.equal(major, 1);
    assert.ok(minor !== undefined && minor >= 110, `found ${vscode.version}`);
  });
});
