/** Anything that can be given back; VS Code's own class is one of these. */
export interface Disposable {
  dispose(): void;
}

/** Holds what was created here, and disposes it in reverse order. Late additions go at once. */
export class DisposableStore implements Disposable {
  readonly #items: Disposable[] = [];
  #isDisposed = false;

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  add<Item extends Disposable>(item: Item): Item {
    if (this.#isDisposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  /** The same for a function that undoes something. */
  defer(undo: () => void): void {
    this.add({ dispose: undo });
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const item of this.#items.splice(0).reverse()) item.dispose();
  }
}
