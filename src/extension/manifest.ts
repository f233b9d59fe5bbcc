/**
 * What package.json and package.nls.json hold of the declarations below contributions/. Run by the
 * build only, and needs no VS Code.
 */
import * as z from 'zod';
import { inputSchemaOf } from '../core/assistant/call.ts';
import { tools } from '../core/assistant/tools.ts';
import { codeLanguageIds } from '../core/code-index/languages.ts';
import { toolPresentations } from './contributions/assistants.ts';
import { commands, keybindings } from './contributions/commands.ts';
import { menus } from './contributions/menus.ts';
import { settings } from './contributions/settings.ts';
import type { SettingDeclaration } from './contributions/settings.ts';
import {
  colors,
  containerId,
  promptsView,
  promptWelcomes,
  runsView,
  runWelcomes,
  view,
  walkthrough,
  welcomes,
  workflowsView,
  workflowWelcomes,
} from './contributions/views.ts';
import type { Welcome } from './contributions/views.ts';
import {
  chartsPanelId,
  columnFormId,
  scorecardFormId,
  comparePanelId,
  gridPanelId,
  isConnected,
  logPanelId,
  mcpProviderId,
  runPanelId,
  workflowPanelId,
} from './contributions/when.ts';

const category = 'Prompt Tables';

/** English texts by the key that package.json refers to. */
const texts = new Map<string, string>();

function text(key: string, english: string): string {
  texts.set(key, english);
  return `%${key}%`;
}

const shortId = (id: string): string => id.replace(/^promptTables\./, '');

function commandEntries(): unknown[] {
  return Object.entries(commands).map(([id, { title, icon, enablement }]) => ({
    command: id,
    title: text(`command.${shortId(id)}`, title),
    category: text('category', category),
    ...(icon !== undefined && { icon: `$(${icon})` }),
    ...(enablement !== undefined && { enablement }),
  }));
}

function paletteEntries(): unknown[] {
  return Object.entries(commands).flatMap(([command, { palette }]) =>
    palette === undefined ? [] : [{ command, when: palette }],
  );
}

function settingEntry(name: string, setting: SettingDeclaration, order: number): unknown {
  const { $schema: _, ...schema } = z.toJSONSchema(setting.schema(), { io: 'input' });
  const description = text(`setting.${name}`, setting.markdownDescription);
  return {
    ...schema,
    order,
    scope: setting.scope,
    markdownDescription: description,
    ...(setting.enumDescriptions !== undefined && {
      enumDescriptions: Object.entries(setting.enumDescriptions).map(([value, english]) =>
        text(`setting.${name}.${value}`, english),
      ),
    }),
    ...(setting.deprecation !== undefined && {
      deprecationMessage: text(`setting.${name}.deprecation`, setting.deprecation),
    }),
    ...(setting.ignoreSync === true && { ignoreSync: true }),
  };
}

const welcomeEntries = (viewId: string, list: readonly Welcome[]) =>
  list.map(({ key, when, contents }) => ({ view: viewId, contents: text(key, contents), when }));

const toolEntries = () =>
  tools.map((tool) => ({
    name: tool.name,
    displayName: text(`tool.${tool.name}`, tool.title),
    userDescription: text(
      `tool.${tool.name}.description`,
      toolPresentations[tool.name].description,
    ),
    modelDescription: tool.description,
    icon: `$(${toolPresentations[tool.name].icon})`,
    canBeReferencedInPrompt: true,
    // Before the extension has started nobody knows, and a tool that is called starts it.
    when: isConnected,
    toolReferenceName: toolPresentations[tool.name].reference,
    tags: ['prompt-tables'],
    inputSchema: inputSchemaOf(tool),
  }));

interface ViewDeclaration {
  readonly id: string;
  readonly name: string;
  readonly contextualTitle: string;
  readonly icon: string;
  readonly visibility?: 'collapsed';
}

const viewEntry = (
  key: string,
  { id, name, contextualTitle, icon, visibility }: ViewDeclaration,
) => ({
  id,
  name: text(`view.${key}`, name),
  contextualTitle: text('title', contextualTitle),
  icon,
  ...(visibility !== undefined && { visibility }),
});

/** VS Code shows the one for the kind of its theme. */
const pictureOf = (name: string) => ({
  dark: `media/walkthrough/${name}-dark.png`,
  light: `media/walkthrough/${name}-light.png`,
  hc: `media/walkthrough/${name}-hc.png`,
  hcLight: `media/walkthrough/${name}-hcLight.png`,
});

export const contributes = {
  commands: commandEntries(),
  menus: { commandPalette: paletteEntries(), ...menus },
  keybindings,
  configuration: {
    title: text('title', category),
    properties: Object.fromEntries(
      Object.entries<SettingDeclaration>(settings).map(([name, setting], order) => [
        `promptTables.${name}`,
        settingEntry(name, setting, order + 1),
      ]),
    ),
  },
  viewsContainers: {
    activitybar: [{ id: containerId, title: text('title', category), icon: view.icon }],
  },
  views: {
    [containerId]: [
      viewEntry('tables', view),
      viewEntry('prompts', promptsView),
      viewEntry('workflows', workflowsView),
      viewEntry('runs', runsView),
    ],
  },
  viewsWelcome: [
    ...welcomeEntries(view.id, welcomes),
    ...welcomeEntries(promptsView.id, promptWelcomes),
    ...welcomeEntries(workflowsView.id, workflowWelcomes),
    ...welcomeEntries(runsView.id, runWelcomes),
  ],
  languageModelTools: toolEntries(),
  mcpServerDefinitionProviders: [{ id: mcpProviderId, label: text('title', category) }],
  languages: [
    {
      id: 'prompt-tables-prompt',
      aliases: ['Prompt'],
      extensions: ['.prompt'],
      configuration: './media/prompt-language/configuration.json',
      icon: {
        light: './media/prompt-language/light.svg',
        dark: './media/prompt-language/dark.svg',
      },
    },
  ],
  grammars: [
    {
      language: 'prompt-tables-prompt',
      scopeName: 'text.prompt-tables',
      path: './media/prompt-language/grammar.json',
      embeddedLanguages: { 'meta.embedded.block.yaml': 'yaml', 'meta.embedded.block.json': 'json' },
    },
  ],
  // Every character of a prompt counts.
  configurationDefaults: {
    '[prompt-tables-prompt]': {
      'editor.wordWrap': 'on',
      'files.trimTrailingWhitespace': false,
      'files.trimFinalNewlines': false,
      'files.insertFinalNewline': false,
    },
  },
  colors: colors.map(({ id, description, defaults }) => ({
    id,
    description: text(`color.${shortId(id)}`, description),
    defaults,
  })),
  walkthroughs: [
    {
      id: 'start',
      title: text('walkthrough.title', 'Get started with Prompt Tables'),
      description: text(
        'walkthrough.description',
        'Open a sheet, run its cells, import your own data.',
      ),
      steps: walkthrough.map(({ id, title, description, altText, picture, completionEvents }) => ({
        id,
        title: text(`walkthrough.${id}.title`, title),
        description: text(`walkthrough.${id}.description`, description),
        media: {
          image: pictureOf(picture),
          altText: text(`walkthrough.${id}.alt`, altText),
        },
        completionEvents,
      })),
    },
  ],
} as const;

/** Views and commands activate by themselves; restored panels must be named, and code. */
export const activationEvents: readonly string[] = [
  'onUri',
  ...codeLanguageIds.map((id) => `onLanguage:${id}`),
  `onWebviewPanel:${chartsPanelId}`,
  'onFileSystem:prompt-tables-prompt',
  'onFileSystem:prompt-tables-draft',
  'onFileSystem:prompt-tables-merge',
  `onWebviewPanel:${gridPanelId}`,
  `onWebviewPanel:${logPanelId}`,
  `onWebviewPanel:${columnFormId}`,
  `onWebviewPanel:${scorecardFormId}`,
  `onWebviewPanel:${comparePanelId}`,
  `onWebviewPanel:${runPanelId}`,
  `onWebviewPanel:${workflowPanelId}`,
];

export const capabilities = {
  untrustedWorkspaces: {
    supported: 'limited',
    description: text(
      'untrusted',
      "In Restricted Mode, API keys and addresses from the environment aren't used, and workspace settings can't turn off cost and data safeguards.",
    ),
    restrictedConfigurations: Object.entries<SettingDeclaration>(settings)
      .filter(([, { isRestricted }]) => isRestricted === true)
      .map(([name]) => `promptTables.${name}`),
  },
  virtualWorkspaces: true,
} as const;

/** Content of package.nls.json. Filled by everything above, so it stands last. */
export const nls: Readonly<Record<string, string>> = Object.fromEntries(
  [...texts].sort(([a], [b]) => (a < b ? -1 : 1)),
);
