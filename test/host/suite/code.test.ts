import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { typescriptOf } from '../../../src/core/prompt-types/typescript.ts';
import { product, run, setting } from '../support/product.ts';
import type { PromptService } from '../support/prompt-service.ts';
import { startPromptService } from '../support/prompt-service.ts';
import { timeLimit } from '../../support/time-limit.ts';
import { until } from '../../support/until.ts';

const hostile = '[x](command:workbench.action.quit) $(bug) <img src=x>';

describe('prompts in code', function () {
  this.timeout(240_000);
  let service: PromptService;
  let id: string;
  const files = new Map<string, vscode.Uri>();

  before(async () => {
    service = await startPromptService(
      [
        {
          ...{ id: 7, name: 'support/answer', version: 3, variables: ['question', 'tone'] },
          text: 'Answer {question} in a tone that is {tone}.',
        },
        { id: 8, name: 'summarize', version: 1, text: 'Summarize {text}.', variables: ['text'] },
        { id: 9, name: hostile, version: 1, text: hostile, variables: [] },
      ],
      [{ id: 3, name: 'triage/night%41', version: 2, variables: { ticket: 'string' } }],
    );
    const api = await product();
    id = await api.addConnection({ name: 'Code', baseURL: service.url }, 'pl_code_1234567890');
    await api.useConnection(id);
  });

  after(async () => {
    await run('workbench.action.closeAllEditors');
    for (const uri of files.values()) await vscode.workspace.fs.delete(uri);
    const api = await product();
    await api.removeConnection(id);
    await service.close();
    await run('promptTables.useLocal');
  });

  const write = async (name: string, text: string): Promise<vscode.TextDocument> => {
    const folder = vscode.workspace.workspaceFolders?.[0] ?? assert.fail('no folder');
    const uri = vscode.Uri.joinPath(folder.uri, name);
    files.set(name, uri);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return vscode.workspace.openTextDocument(uri);
  };

  const show = async (name: string, text: string): Promise<vscode.TextDocument> => {
    const document = await write(name, text);
    await vscode.window.showTextDocument(document);
    return document;
  };

  /** The position behind some words of a text. */
  const behind = (document: vscode.TextDocument, words: string): vscode.Position =>
    document.positionAt(document.getText().indexOf(words) + words.length);

  const lenses = async ({ uri }: vscode.TextDocument): Promise<vscode.Command[]> => {
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
    );
    return found.flatMap(({ command }) =>
      command?.command.startsWith('promptTables.') === true ? [command] : [],
    );
  };

  const hover = async (document: vscode.TextDocument, words: string): Promise<string> => {
    const found = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      behind(document, words),
    );
    const parts = found.flatMap(({ contents }) => contents) as vscode.MarkdownString[];
    assert.ok(
      parts.every(({ isTrusted, supportHtml }) => isTrusted !== true && supportHtml !== true),
    );
    return parts.map(({ value }) => value).join('\n');
  };

  const offered = async (document: vscode.TextDocument, words: string): Promise<string[]> => {
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      behind(document, words),
    );
    const ours = items.filter(
      ({ kind }) =>
        kind === vscode.CompletionItemKind.Reference ||
        kind === vscode.CompletionItemKind.EnumMember ||
        kind === vscode.CompletionItemKind.Property,
    );
    return ours.map(({ label }) => (typeof label === 'string' ? label : label.label));
  };

  const problems = ({ uri }: vscode.TextDocument): readonly vscode.Diagnostic[] =>
    vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Prompt Tables');

  const typescript = [
    "client.run({ promptName: 'support/answer', inputVariables: { question: 'Why?', tone } });",
    "client.run({ promptName: 'suport/answer' });",
    "client.run({ promptName: 'summarize', inputVariables: { txt: 'a' } });",
    "client.run({ promptName: 'support/answer', promptReleaseLabel: 'prod', promptVersion: version });",
    '',
  ].join('\n');

  it('have lenses that tell of versions, labels and model, in TypeScript and Python', async () => {
    const document = await show('lenses.ts', typescript);
    const found = await until('lenses', async () => {
      const all = await lenses(document);
      return all.some(({ title }) => title.startsWith('v3')) ? all : undefined;
    });
    const [summary, first, open] = found;
    assert.equal(summary?.title, 'v3 · prod v2 · gpt-test');
    assert.deepEqual([first?.title, open?.title], ['$(play) Run', 'Open']);
    assert.deepEqual(summary.arguments, [
      { connectionId: id, promptName: 'support/answer', choice: { kind: 'latest' } },
    ]);
    const python = await show('lenses.py', 'client.run(prompt_name="summarize")\n');
    const [other] = await until('lenses of Python', async () => {
      const all = await lenses(python);
      return all.length >= 3 ? all : undefined;
    });
    assert.equal(other?.title, 'v1 · gpt-test');
  });

  it('have problems only where something is certainly wrong, with the nearest name as a fix', async () => {
    const document = await show('problems.ts', typescript);
    const found = await until('problems', () => {
      const all = problems(document);
      return all.length === 3 ? all : undefined;
    });
    assert.deepEqual(found.map(({ message, range }) => `${range.start.line}: ${message}`).sort(), [
      '1: There is no prompt "suport/answer" in Code.',
      '2: "summarize" has no variable "txt".',
      '2: The variable "text" of "summarize" has no value.',
    ]);
    const wrong = found.find(({ message }) => message.includes('suport')) ?? assert.fail();
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      wrong.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    const fix = actions.find(({ title }) => title === 'Change to "support/answer"');
    await vscode.workspace.applyEdit(fix?.edit ?? assert.fail('no fix'));
    assert.match(document.lineAt(1).text, /promptName: 'support\/answer' \}/);
    // Now its variables are missing instead.
    await until('the problem to be another one', () =>
      problems(document).some(({ message }) => message.includes('"question", "tone"')),
    );
    await run('workbench.action.files.revert');
  });

  it('have no problems while the service is away', async () => {
    const api = await product();
    const away = await api.addConnection(
      { name: 'Away', baseURL: 'http://127.0.0.1:9' },
      'pl_away_1234567890',
    );
    const document = await show('away.ts', typescript);
    await until('problems', () => problems(document).length === 3);
    try {
      await api.useConnection(away);
      await until('the problems to go', () => problems(document).length === 0, {
        limitMs: timeLimit(60_000),
      });
    } finally {
      await api.useConnection(id);
      await api.removeConnection(away);
    }
    await until('problems', () => problems(document).length === 3, { limitMs: timeLimit(60_000) });
  });

  it('say in a hover what they are, and what strangers wrote stays text', async () => {
    const document = await show(
      'hover.ts',
      `${typescript}client.run({ promptName: '${hostile}' });\n`,
    );
    const text = await until('a hover', async () => {
      const shown = await hover(document, "'support/an");
      return shown === '' ? undefined : shown;
    });
    assert.match(text, /\*\*support\\\/answer\*\*[^]*version 3[^]*gpt\\-test[^]*Code/);
    const figures = await until('figures in a later hover', async () => {
      const shown = await hover(document, "'support/an");
      return shown.includes('last score') ? shown : undefined;
    });
    assert.match(
      figures.replaceAll('\\', ''),
      /Logged requests of this version: 12 · cost in all: .*0\.24.* · last score: quality 87/,
    );
    assert.match(text, /prod v2[^]*question[^]*tone[^]*Answer \{question\} in a tone/);
    await until('a hover of the variable', async () =>
      /\*\*question\*\*.*text/.test(await hover(document, '{ quest')),
    );
    const odd = await until('a hover of the odd name', async () => {
      const shown = await hover(document, "'[x](");
      return shown.includes('gpt') && shown;
    });
    // Outside of the fence around a message every sign stands for itself.
    assert.doesNotMatch(odd.replace(/```[^]*?```/g, ''), /(?<!\\)[[<$]/);
  });

  it('lead to the prompt, or to its file in the folder', async () => {
    const document = await show('definition.ts', typescript);
    const definition = async (): Promise<string[]> => {
      const found = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>(
        'vscode.executeDefinitionProvider',
        document.uri,
        behind(document, "'support/an"),
      );
      return found.map((each) => ('uri' in each ? each.uri : each.targetUri).toString());
    };
    const [first = ''] = await until('a definition', async () => {
      const found = await definition();
      return found.length === 1 ? found : undefined;
    });
    assert.match(first, /^prompt-tables-prompt:/);
    const file = await write(
      'answer.prompt',
      '---\nprompt: support/answer\n---\n\n=== user\n\nA.\n',
    );
    await until(
      'the file is found',
      async () => (await definition()).join() === file.uri.toString(),
    );
  });

  it('are completed: names, labels, and variables that are not given yet', async () => {
    const document = await show(
      'completion.ts',
      [
        "client.run({ promptName: 's' });",
        "client.run({ promptName: 'support/answer', promptReleaseLabel: '' });",
        "client.run({ promptName: 'support/answer', inputVariables: { tone: 'kind',  } });",
        '',
      ].join('\n'),
    );
    const names = await until('completions', async () => {
      const found = await offered(document, "promptName: 's");
      return found.length > 0 ? found : undefined;
    });
    assert.ok(names.includes('support/answer') && names.includes('summarize'), names.join());
    await until(
      'labels are offered',
      async () => (await offered(document, "promptReleaseLabel: '")).join() === 'prod',
    );
    await until(
      'variables are offered',
      async () => (await offered(document, "'kind', ")).join() === 'question',
    );
  });

  it('are found from code, from a prompt document, and after files have changed', async () => {
    const document = await show('references.ts', "client.run({ promptName: 'summarize' });\n");
    await write('other.py', 'NAME = "summarize"\n\nclient.run(prompt_name=NAME)\n');
    const uses = async (
      { uri }: vscode.TextDocument,
      position: vscode.Position,
    ): Promise<string[]> => {
      const found = await vscode.commands.executeCommand<vscode.Location[]>(
        'vscode.executeReferenceProvider',
        uri,
        position,
      );
      return found
        .map((each) => `${each.uri.path.split('/').at(-1)}:${each.range.start.line + 1}`)
        .filter((each) => /^(?:references\.ts|other\.py|cells\.ipynb)/.test(each))
        .sort();
    };
    const both = ['other.py:3', 'references.ts:1'];
    await until('references from code', async () => {
      const found = await uses(document, behind(document, "'summ"));
      return found.join() === both.join();
    });
    await run('promptTables.openPrompt', { connectionId: id, promptName: 'summarize' });
    const prompt = vscode.window.activeTextEditor?.document ?? assert.fail('no editor');
    await until(
      'references from a prompt document',
      async () => (await uses(prompt, new vscode.Position(0, 0))).join() === both.join(),
    );
    await run('workbench.action.closeAllEditors');
    await write('other.py', '\nclient.run(prompt_name="summarize")\n');
    await vscode.window.showTextDocument(document);
    await until(
      'the changed file',
      async () =>
        (await uses(document, behind(document, "'summ"))).join() === 'other.py:2,references.ts:1',
    );
    const cell = { cell_type: 'code', metadata: {}, outputs: [], execution_count: null };
    const cells = { ...cell, source: ['a = 1\n', 'client.run(prompt_name="summarize")'] };
    const notebook = { nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cells] };
    const text = JSON.stringify(notebook, undefined, 1);
    await write('cells.ipynb', text);
    const line = text.slice(0, text.indexOf('summarize')).split('\n').length;
    await until('the cell of a notebook', async () =>
      (await uses(document, behind(document, "'summ"))).includes(`cells.ipynb:${line}`),
    );
  });

  it('say how often code asks for the same, in files and editors, as soon as that is known', async () => {
    const line = "client.run({ promptName: 'counted' });\n";
    await write('counted.py', 'client.run(prompt_name="counted")\n');
    const document = await show('counted.ts', line);
    const count = async (): Promise<string | undefined> =>
      (await lenses(document)).find(({ title }) => title.endsWith(' uses'))?.title;
    await until('both are counted', async () => (await count()) === '2 uses');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(1, 0), line);
    await vscode.workspace.applyEdit(edit);
    await until('what is typed counts', async () => (await count()) === '3 uses');
    const uses = (await lenses(document)).find(({ title }) => title === '3 uses');
    await run(uses?.command ?? '', ...((uses?.arguments ?? []) as readonly unknown[]));
    await run('closeReferenceSearch');
    await run('workbench.action.files.revert');
    await until('it is taken back', async () => (await count()) === '2 uses');
  });

  it('have hints of the versions that labels stand on, and no others', async () => {
    const document = await show(
      'hints.ts',
      [
        "client.run({ promptName: 'support/answer', promptReleaseLabel: 'prod' });",
        "client.run({ promptName: 'support/answer' });",
        "client.run({ promptName: 'support/answer', promptVersion: 2 });",
        "client.run({ promptName: 'support/answer', promptReleaseLabel: 'prod', ...others });",
        "client.run({ promptName: 'suport/answer' });",
        '',
      ].join('\n'),
    );
    const found = await until('hints', async () => {
      const all = await vscode.commands.executeCommand<vscode.InlayHint[]>(
        'vscode.executeInlayHintProvider',
        document.uri,
        new vscode.Range(0, 0, document.lineCount, 0),
      );
      return all.filter(({ label }) => typeof label === 'string' && label.startsWith('→')).length >=
        2
        ? all
        : undefined;
    });
    assert.deepEqual(
      found.map(({ label, position: { line, character } }) => [
        ...[label, line],
        document.lineAt(line).text.slice(character),
      ]),
      [
        ['→ v2', 0, ' });'],
        ['→ v3', 1, ' });'],
      ],
    );
  });

  it('lead to workflows that are there, and stand among the symbols of the folder', async () => {
    const document = await show(
      'links.ts',
      "client.runWorkflow({ workflowName: 'triage/night%41' });\nclient.runWorkflow({ workflowName: 'gone' });\n",
    );
    const found = await until('links', async () => {
      const all = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
        'vscode.executeLinkProvider',
        document.uri,
        10,
      );
      return all.filter(({ target }) => target?.scheme === 'command').length > 0 ? all : undefined;
    });
    assert.deepEqual(
      found.map(({ range, target }) => [document.getText(range), target?.path]),
      [['triage/night%41', 'promptTables.openWorkflow']],
    );
    // As VS Code reads it.
    assert.match(
      decodeURIComponent(found[0]?.target?.query ?? ''),
      /"workflowName":"triage\/night%41"/,
    );
    const wrong = await until('a problem', () => problems(document)[0]);
    assert.equal(wrong.message, 'The variable "ticket" of "triage/night%41" has no value.');
    assert.equal(problems(document)[1]?.message, 'There is no workflow "gone" in Code.');
    const said = (await hover(document, "'triage")).replaceAll('\\', '');
    assert.match(said, /triage\/night.*version 2[^]*prod v1[^]*ticket \(string\)/);
    const symbols = await vscode.commands.executeCommand<vscode.SymbolInformation[]>(
      'vscode.executeWorkspaceSymbolProvider',
      'trianight',
    );
    const ours = symbols.filter(({ location }) => location.uri.path.endsWith('/links.ts'));
    assert.deepEqual(
      ours.map(({ name, location }) => [name, document.getText(location.range)]),
      [['triage/night%41', "'triage/night%41'"]],
    );
  });

  it('follow a name that the workspace has, in all files, and refuse one that it lacks', async () => {
    await write('rename.py', 'NAME = "support/answer"\n\nclient.run(prompt_name=NAME)\n');
    const document = await show(
      'rename.ts',
      "client.run({ promptName: 'support/answer', inputVariables: { question: 1 } });\n",
    );
    const rename = (words: string, name: string): Thenable<vscode.WorkspaceEdit | undefined> =>
      vscode.commands.executeCommand(
        'vscode.executeDocumentRenameProvider',
        ...[document.uri, behind(document, words), name],
      );
    await until('the prompts are known', async () => (await lenses(document)).length >= 3);
    await assert.rejects(
      async () => rename("'supp", 'support/reply'),
      /There is no prompt "support\/reply" in Code\. Code is changed after the workspace/,
    );
    await assert.rejects(async () => rename('{ quest', 'topic'), /has no variable "topic"/);
    const edit = (await rename("'supp", 'summarize')) ?? assert.fail('no edits');
    const edits = edit
      .entries()
      .map(([{ path }, changes]) => [
        path.split('/').at(-1),
        ...changes.map((change) => ('newText' in change ? change.newText : '')),
      ])
      .filter(([file]) => /^rename\./.test(file ?? ''))
      .sort();
    assert.deepEqual(edits, [
      ['rename.py', '"summarize"'],
      ['rename.ts', 'summarize'],
    ]);
  });

  it('are found by the label that they ask for, and what only logs is not among them', async () => {
    const call = (method: string, label: string): string =>
      `client.${method}({ promptName: 'labelled', promptReleaseLabel: '${label}' });`;
    const code = ['', call('run', 'prod'), call('run', 'dev'), call('logRequest', 'prod'), ''];
    await write('labelled.ts', code.join('\n'));
    await write('labelled.py', 'c.run(prompt_name="labelled", prompt_release_label="prod")\n');
    const api = await product();
    const lines = async (): Promise<string> =>
      [...(await api.linesOfLabel('labelled', 'prod'))].join();
    await until('both files', async () => (await lines()) === 'labelled.py:1,labelled.ts:2');
    assert.deepEqual(await api.linesOfLabel('other', 'prod'), []);
  });

  it('take names from files beside, and follow those when they change', async () => {
    await write('names.ts', "export const NAME = 'summarize';\n");
    const document = await show(
      'names-user.ts',
      "import { NAME } from './names.js';\n\nclient.run({ promptName: NAME });\n",
    );
    const titles = async (): Promise<string> =>
      (await lenses(document)).map(({ title }) => title).join();
    await until('the lens of the name', async () => /v1.*gpt-test/.test(await titles()));
    await write('names.ts', "export const NAME = 'support/answer';\n");
    await until('the lens of the other', async () => /v3.*prod v2/.test(await titles()));
    await write('names.ts', 'export const NAME = choose();\n');
    await until('no lens', async () => (await titles()) === '');
  });

  it('tell of generated types that are older than the prompt, which a fix and a setting renew', async () => {
    const stale = typescriptOf([
      { name: 'summarize', variables: [], labels: [], output: undefined },
    ]);
    const types = await write('stale.gen.ts', stale.text);
    const text = async ({ uri } = types): Promise<string> =>
      new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    const document = await show(
      'stale.ts',
      "client.run({ promptName: 'summarize', inputVariables: { text: 'a' } });\n",
    );
    const api = await product();
    const restore = await setting('promptTables.code.renewTypes', true);
    try {
      const found = await until('a problem', () => problems(document)[0]);
      assert.equal(
        found.message,
        '"summarize" has changed in Code since the types in stale.gen.ts were generated.',
      );
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        ...[document.uri, found.range, vscode.CodeActionKind.QuickFix.value],
      );
      const fix = actions.find(({ title }) => title === 'Generate Prompt Types')?.command;
      await run(fix?.command ?? '', ...((fix?.arguments ?? []) as readonly unknown[]));
      assert.match(await text(), /"summarize": \{\n {4}variables: \{ "text": /);
      await until('no problem', () => problems(document).length === 0);
      // From now on it follows that workspace, and no other one. One of which no workspace is known
      // is told of, and left as it is.
      const made = await text();
      const foreign = await write('foreign.gen.ts', stale.text);
      await write('stale.gen.ts', stale.text);
      await until('the problem is back', () => problems(document).length === 1);
      api.promptsChanged('another');
      api.promptsChanged(id);
      await until('the types are renewed', async () => (await text()) === made);
      assert.equal(await text(foreign), stale.text);
    } finally {
      await restore();
      for (const name of ['stale.gen.ts', 'foreign.gen.ts']) {
        const uri = files.get(name);
        if (uri !== undefined) await vscode.workspace.fs.delete(uri);
        files.delete(name);
      }
    }
  });

  it('follow a variable of a prompt file to the code that runs its latest version', async () => {
    await write(
      'followed.py',
      [
        'client.run(prompt_name="followed", input_variables={"question": 1})',
        'client.run(prompt_name="followed", prompt_release_label="prod", input_variables={"question": 1})',
        '',
      ].join('\n'),
    );
    const prompt = await write(
      'followed.prompt',
      [
        ...['---', 'prompt: followed', 'input_variables:', '  - question', '---', ''],
        ...['=== user', '', 'Answer {question}.', ''],
      ].join('\n'),
    );
    await vscode.window.showTextDocument(prompt);
    const rename = (name: string): Thenable<vscode.WorkspaceEdit | undefined> =>
      vscode.commands.executeCommand(
        'vscode.executeDocumentRenameProvider',
        ...[prompt.uri, behind(prompt, '{quest'), name],
      );
    const edits = await until('edits', async () => {
      const edit = await rename('topic');
      const all = edit
        ?.entries()
        .map(([{ path }, changes]) => [
          path.split('/').at(-1),
          ...changes.map((change) =>
            'newText' in change ? [change.range.start.line, change.newText] : [],
          ),
        ]);
      return all?.length === 2 ? all : undefined;
    });
    assert.deepEqual(edits.sort(), [
      ['followed.prompt', [8, 'topic'], [3, 'topic']],
      ['followed.py', [0, 'topic']],
    ]);
    await assert.rejects(async () => rename('two words'), /isn't a name for a variable/);
  });

  it('run with what stands in the code filled in', async () => {
    const document = await show('run.ts', typescript);
    const [, runLens] = await until('lenses', async () => {
      const all = await lenses(document);
      return all.length > 2 ? all : undefined;
    });
    await run('workbench.action.closeAllEditors');
    await run(runLens?.command ?? '', ...((runLens?.arguments ?? []) as readonly unknown[]));
    await until('a run panel', () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .some(({ label }) => label.includes('support/answer')),
    );
    await until('the code with what is filled in', async () => {
      let isOver = false;
      void run('promptTables.run.copyAsCode').then(() => (isOver = true));
      await until('a language is chosen', async () => {
        await run('workbench.action.acceptSelectedQuickOpenItem');
        return isOver;
      });
      return (await vscode.env.clipboard.readText()).includes("question: 'Why?'");
    });
    const copied = await vscode.env.clipboard.readText();
    assert.match(
      copied,
      /promptName: 'support\/answer',\n {2}inputVariables: \{\n {4}question: 'Why\?'/,
    );
  });
});
