/**
 * How VS Code draws a web view in its own four themes: the variables that our pages use, read from a
 * real window, and the style that every web view begins with. `vscode-themes.test.ts` compares them with
 * a window (WRITE_THEMES=1 writes them anew).
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Theme as WindowTheme } from '../../support/host/workbench.ts';

export const themeNames = ['dark', 'light', 'highContrast', 'highContrastLight'] as const;
export type ThemeName = (typeof themeNames)[number];

interface Theme {
  /** Classes that VS Code gives to the body. */
  readonly kinds: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** What each is called where a window is asked for it. */
export const inWindows = {
  dark: 'dark',
  light: 'light',
  highContrast: 'high-contrast',
  highContrastLight: 'high-contrast-light',
} as const satisfies Readonly<Record<ThemeName, WindowTheme>>;

export const themesFile = path.join(import.meta.dirname, 'page-themes.json');
const read = JSON.parse(fs.readFileSync(themesFile, 'utf8')) as Readonly<
  Record<WindowTheme, Readonly<Record<string, string>>>
>;

export const themes = Object.fromEntries(
  themeNames.map((name): [ThemeName, Theme] => [
    name,
    {
      // The light one of high contrast came later, and is both.
      kinds: [
        ...(name === 'highContrastLight' ? ['vscode-high-contrast'] : []),
        `vscode-${inWindows[name]}`,
      ],
      variables: read[inWindows[name]],
    },
  ]),
) as Readonly<Record<ThemeName, Theme>>;

/** Of VS Code's own `pre/index.html`, as far as it reaches our pages. */
const usualStyle = `
html { background: var(--vscode-editor-background); }
@layer vscode-default {
  html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
  body {
    overscroll-behavior-x: none; background-color: transparent; color: var(--vscode-editor-foreground);
    font-family: var(--vscode-font-family); font-weight: var(--vscode-font-weight);
    font-size: var(--vscode-font-size); margin: 0; padding: 0 20px;
  }
  img, video { max-width: 100%; max-height: 100%; }
  a, a code { color: var(--vscode-textLink-foreground); }
  a:hover { color: var(--vscode-textLink-activeForeground); }
  a:focus, input:focus, select:focus, textarea:focus {
    outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px;
  }
  code {
    font-family: var(--monaco-monospace-font); color: var(--vscode-textPreformat-foreground);
    background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px;
  }
  pre code { padding: 0; }
}`;

/** Every document of the page is drawn as VS Code would, in the theme that its address names. */
export async function drawAsVsCode(page: Page): Promise<void> {
  await page.addInitScript(
    ({ byName, style }) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(style);
      const query = new URLSearchParams(location.search);
      const put = (): void => {
        // The page may have adopted some of its own by now.
        if (!document.adoptedStyleSheets.includes(sheet))
          document.adoptedStyleSheets.unshift(sheet);
        const name = (document.body.dataset['theme'] ?? query.get('theme') ?? 'dark') as ThemeName;
        const { variables, kinds } = byName[name];
        const { style: own } = document.documentElement;
        for (const old of [...own]) if (old.startsWith('--vscode-')) own.removeProperty(old);
        for (const [each, value] of Object.entries(variables)) own.setProperty(each, value);
        document.body.classList.remove(...Object.values(byName).flatMap((one) => one.kinds));
        document.body.classList.add(...kinds);
        document.body.dataset['vscodeThemeKind'] = kinds.at(-1) ?? '';
      };
      Object.assign(globalThis, { putTheme: put });
      if (document.readyState === 'loading')
        document.addEventListener('readystatechange', put, { once: true });
      else put();
    },
    { byName: themes, style: usualStyle },
  );
}

/** Another theme while the page is shown: VS Code changes the variables and tells nobody. */
export async function changeTheme(page: Page, theme: ThemeName): Promise<void> {
  await page.evaluate((name) => {
    document.body.dataset['theme'] = name;
    (globalThis as unknown as { readonly putTheme: () => void }).putTheme();
  }, theme);
}
