/** Edits that a workspace has not taken yet, by workspace. Filled by the grids. */
export interface UnsavedSource {
  /** Cells, works on many and texts being typed that are not saved, open or not. */
  count(connectionId: string): Promise<number>;
  /** Gives them up, with the texts that were being typed. */
  discard(connectionId: string): Promise<void>;
}

/** What has been typed and not been saved: whoever takes a workspace away asks about it first. */
export class UnsavedWork {
  #source: UnsavedSource | undefined;

  use(source: UnsavedSource): void {
    this.#source = source;
  }

  async count(connectionId: string): Promise<number> {
    return (await this.#source?.count(connectionId)) ?? 0;
  }

  async discard(connectionId: string): Promise<void> {
    await this.#source?.discard(connectionId);
  }
}
