/**
 * Everything that the extension gives VS Code to show goes through here, through `questions.ts` and
 * through `progress.ts`; the linter refuses other ways. So no name, address or error of a stranger
 * becomes a link, a command or an icon, wherever it is put in. Icons of our own are given as such.
 */
import * as vscode from 'vscode';
import { markdownCode, markdownText, plainLine, plainLines, plainSentence } from './plain-text.ts';

/** An object of VS Code whose texts become plain as they are set. */
export function plainly<Target extends object>(
  target: Target,
  rules: { readonly [Key in keyof Target]?: (value: Target[Key]) => Target[Key] },
): Target {
  return new Proxy(target, {
    get(_, key) {
      // VS Code's methods know their own object only.
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set(_, key, value: Target[keyof Target]) {
      return Reflect.set(target, key, rules[key as keyof Target]?.(value) ?? value, target);
    },
  });
}

const line = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : plainLine(text);

type Show = (
  message: string,
  options: vscode.MessageOptions,
  ...items: string[]
) => Thenable<string | undefined>;

interface PlainMessage {
  (message: string, ...items: readonly string[]): Promise<string | undefined>;
  (
    message: string,
    options: vscode.MessageOptions,
    ...items: readonly string[]
  ): Promise<string | undefined>;
}

const plainMessage = (show: Show): PlainMessage =>
  async function (
    message: string,
    first?: vscode.MessageOptions | string,
    ...rest: readonly string[]
  ): Promise<string | undefined> {
    const { detail, ...options } = typeof first === 'object' ? first : {};
    const items = typeof first === 'string' ? [first, ...rest] : rest;
    const shown = items.map((item) => plainLine(item));
    const answer = await show(
      plainSentence(message, options.modal === true ? 400 : 900),
      { ...options, ...(detail !== undefined && { detail: plainLines(detail) }) },
      ...shown,
    );
    return answer === undefined ? undefined : items[shown.indexOf(answer)];
  };

export const showInformationMessage = plainMessage((...given) =>
  vscode.window.showInformationMessage(...given),
);
export const showWarningMessage = plainMessage((...given) =>
  vscode.window.showWarningMessage(...given),
);
export const showErrorMessage = plainMessage((...given) =>
  vscode.window.showErrorMessage(...given),
);

export const setStatusBarMessage = (text: string, hideAfterMs: number): vscode.Disposable =>
  vscode.window.setStatusBarMessage(plainSentence(text, 200), hideAfterMs);

interface StatusPresentation {
  readonly icon: string;
  readonly text: string;
  readonly tooltip: string;
  /** What a screen reader says. */
  readonly spoken: string;
}

interface StatusItem extends vscode.Disposable {
  show(presentation: StatusPresentation): void;
  hide(): void;
}

export function createStatusBarItem(
  id: string,
  priority: number,
  given: { readonly name: string; readonly command?: string | vscode.Command },
): StatusItem {
  const item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, priority);
  Object.assign(item, given);
  return {
    show({ icon, text, tooltip, spoken }) {
      item.text = `$(${icon}) ${plainLine(text, 40)}`.trimEnd();
      item.tooltip = plainSentence(tooltip);
      item.accessibilityInformation = { label: plainSentence(spoken) };
      item.show();
    },
    hide: () => item.hide(),
    dispose: () => item.dispose(),
  };
}

export const createTreeView = <Node>(
  id: string,
  options: vscode.TreeViewOptions<Node>,
): vscode.TreeView<Node> =>
  plainly(vscode.window.createTreeView(id, options), {
    title: line,
    description: line,
    message: (text) => (text === undefined ? undefined : plainSentence(text)),
    badge: (badge) => badge && { ...badge, tooltip: plainLine(badge.tooltip) },
  });

interface ItemTexts {
  readonly label: string;
  readonly description?: string | undefined;
  readonly spoken: string;
}

export function createTreeItem(
  { label, description, spoken }: ItemTexts,
  state: vscode.TreeItemCollapsibleState,
): vscode.TreeItem {
  const item = new vscode.TreeItem(plainLine(label), state);
  if (description !== undefined) item.description = plainLine(description);
  item.accessibilityInformation = { label: plainSentence(spoken) };
  return item;
}

/** A longer one would leave the other tabs no room. */
const tabTitle = (title: string): string => plainLine(title, 80);

const plainPanel = (panel: vscode.WebviewPanel): vscode.WebviewPanel => {
  // One from before a reload was given its title by who knows which version.
  panel.title = tabTitle(panel.title);
  return plainly(panel, { title: tabTitle });
};

export const createWebviewPanel = (
  viewId: string,
  title: string,
  column: vscode.ViewColumn,
  options?: vscode.WebviewOptions & vscode.WebviewPanelOptions,
): vscode.WebviewPanel =>
  plainPanel(vscode.window.createWebviewPanel(viewId, tabTitle(title), column, options));

export const registerWebviewPanelSerializer = (
  viewId: string,
  serializer: vscode.WebviewPanelSerializer,
): vscode.Disposable =>
  vscode.window.registerWebviewPanelSerializer(viewId, {
    deserializeWebviewPanel: (panel, state: unknown) =>
      serializer.deserializeWebviewPanel(plainPanel(panel), state),
  });

/** Markdown of a tooltip or hover: the signs are ours, every text is given as text. */
export class PlainMarkdown {
  readonly #markdown = new vscode.MarkdownString();

  strong(text: string): this {
    this.#markdown.value += `**${markdownText(plainLine(text))}**`;
    return this;
  }

  text(text: string): this {
    this.#markdown.value += markdownText(plainLines(text).trimEnd());
    return this;
  }

  paragraph(): this {
    this.#markdown.value += '\n\n';
    return this;
  }

  code(text: string): this {
    this.#markdown.value += markdownCode(plainLines(text), 'text');
    return this;
  }

  get value(): vscode.MarkdownString {
    return this.#markdown;
  }
}

export const createTestItem = (
  controller: vscode.TestController,
  id: string,
  label: string,
): vscode.TestItem => controller.createTestItem(id, plainLine(label));

export function labelTestItem(item: vscode.TestItem, label: string): void {
  item.label = plainLine(label);
}

export function failTestItem(item: vscode.TestItem, error: string): void {
  item.error = plainSentence(error);
}

/** A message beside a test; with both sides of a comparison, which open as a diff. */
export const testMessage = (
  text: string,
  compared?: { readonly expected: string; readonly actual: string },
): vscode.TestMessage =>
  compared === undefined
    ? new vscode.TestMessage(plainLines(text))
    : vscode.TestMessage.diff(plainLines(text), compared.expected, compared.actual);

/** Lines for the terminal of a test run. */
export const outputLines = (...lines: readonly string[]): string =>
  lines.map((text) => `${plainLines(text, 20_000).replaceAll('\n', '\r\n')}\r\n`).join('');

/** The title may begin with an icon, which our own texts do. */
export function createCodeLens(
  range: vscode.Range,
  { title, ...command }: vscode.Command,
): vscode.CodeLens {
  const [icon = ''] = /^\$\([a-z-]+\) /.exec(title) ?? [];
  const shown = `${icon}${plainLine(title.slice(icon.length))}`;
  return new vscode.CodeLens(range, { title: shown, ...command });
}

export const createCodeAction = (title: string, kind: vscode.CodeActionKind): vscode.CodeAction =>
  new vscode.CodeAction(plainLine(title), kind);

export const openDiff = async (
  left: vscode.Uri,
  right: vscode.Uri,
  title: string,
): Promise<void> => {
  await vscode.commands.executeCommand('vscode.diff', left, right, plainLine(title));
};

export const showOpenDialog = (
  options: vscode.OpenDialogOptions,
): Thenable<vscode.Uri[] | undefined> =>
  vscode.window.showOpenDialog({
    ...options,
    ...(options.title !== undefined && { title: plainLine(options.title) }),
  });

export const showSaveDialog = (
  options: vscode.SaveDialogOptions,
): Thenable<vscode.Uri | undefined> =>
  vscode.window.showSaveDialog({
    ...options,
    ...(options.title !== undefined && { title: plainLine(options.title) }),
  });
