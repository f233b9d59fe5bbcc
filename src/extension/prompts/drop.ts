import * as vscode from 'vscode';
import type { App } from '../shell/app.ts';
import { promptsViewId } from '../contributions.ts';
import type { PromptNode, PromptParent } from './nodes.ts';

interface PromptDropParts {
  readonly app: App;
  /** Whether the view shows where things stand: only then a place in it means something. */
  readonly isInPlace: () => boolean;
  readonly move: (
    dragged: readonly PromptParent[],
    target: PromptParent | undefined,
  ) => Promise<void>;
}

/** VS Code wants it in small letters. */
const ownType = `application/vnd.code.tree.${promptsViewId.toLowerCase()}`;

const isMovable = (node: PromptNode): node is PromptParent =>
  node.kind === 'prompt' || node.kind === 'promptFolder';

/** Prompts and folders are dragged onto folders, which is what the Move commands do. */
export class PromptDrop implements vscode.TreeDragAndDropController<PromptNode> {
  readonly dragMimeTypes = [];
  readonly dropMimeTypes = [ownType];
  readonly #parts: PromptDropParts;

  constructor(parts: PromptDropParts) {
    this.#parts = parts;
  }

  handleDrag(source: readonly PromptNode[], dragged: vscode.DataTransfer): void {
    if (!this.#parts.isInPlace()) return;
    dragged.set(ownType, new vscode.DataTransferItem(source.filter(isMovable)));
  }

  async handleDrop(target: PromptNode | undefined, dropped: vscode.DataTransfer): Promise<void> {
    const dragged: unknown = dropped.get(ownType)?.value;
    const isPlace = target === undefined || isMovable(target);
    if (!Array.isArray(dragged) || dragged.length === 0 || !isPlace) return;
    try {
      await this.#parts.move(dragged as readonly PromptParent[], target);
    } catch (error) {
      this.#parts.app.errors.show(error, { doing: 'Moving what was dragged' });
    }
  }
}
