import * as vscode from 'vscode';
import * as z from 'zod';
import { gridPanelId } from '../contributions.ts';
import type { Memory } from './columns/layouts.ts';
import { lazy } from '../shell/lazy.ts';

const Titles = lazy(() => z.array(z.tuple([z.string(), z.string()])));
const memoryKey = 'promptTables.grid.tabs';
const mostTitles = 200;
/** How long a tab takes to come back at most. */
const patienceMs = 5000;
const lookMs = 50;

const focusGroup = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'];

interface Place {
  readonly group: number;
  readonly index: number;
}

/**
 * Tabs that a reload has left in the background: VS Code makes their pages when they are looked at,
 * and till then tells nothing of them but their title. Opening such a sheet brings its tab to the
 * front, where a second one would be the alternative.
 */
export class RestoredTabs {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  async remember(key: string, title: string): Promise<void> {
    const known = this.#titles();
    if (known.find(([one]) => one === key)?.[1] === title) return;
    const others = known.filter(([one]) => one !== key);
    const newest: [string, string] = [key, title];
    await this.#memory.update(memoryKey, [newest, ...others].slice(0, mostTitles));
  }

  /** `isOpen`: its page is there by now. `others`: titles of the sheets whose pages are there. */
  async bring(key: string, isOpen: () => boolean, others: readonly string[]): Promise<boolean> {
    const title = this.#titles().find(([one]) => one === key)?.[1];
    if (title === undefined) return false;
    const places = placesOf(title);
    // Tabs of other sheets with the same title, which are in the background as well.
    if (places.length <= others.filter((other) => other === title).length) return false;
    for (const { group, index } of places) {
      const focus = focusGroup[group];
      if (focus === undefined) continue;
      await vscode.commands.executeCommand(`workbench.action.focus${focus}EditorGroup`);
      await vscode.commands.executeCommand('workbench.action.openEditorAtIndex', index);
      const until = performance.now() + patienceMs;
      // With one tab of that name there is nothing else to try.
      while (!isOpen() && performance.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, lookMs));
      }
      if (isOpen()) return true;
    }
    return false;
  }

  #titles(): readonly (readonly [string, string])[] {
    const read = Titles().safeParse(this.#memory.get(memoryKey));
    return read.success ? read.data : [];
  }
}

/** Tabs of sheets with that title; those in front have their pages already. */
function placesOf(title: string): readonly Place[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs, viewColumn }) =>
    tabs.flatMap(({ input, label, isActive }, index) => {
      const isGrid =
        input instanceof vscode.TabInputWebview && input.viewType.endsWith(gridPanelId);
      return isGrid && label === title && !isActive ? [{ group: viewColumn - 1, index }] : [];
    }),
  );
}
