/** Edits that a workspace has not taken yet, by workspace. Filled by the grids once there are any. */
export interface UnsavedSource {
  /** Cells, and works on many, that are not saved. */
  count(connectionId: string): number;
  /** Gives them up, with the texts that were being typed. */
  discard(connectionId: string): Promise<void>;
}

/** What has been typed and not been saved: whoever takes a workspace away asks about it first. */
export class UnsavedWork {
  #source: UnsavedSource | undefined;

  use(source: UnsavedSource): void {
    this.#source = source;
  }

  count(connectionId: string): number {
    return this.#source?.count(connectionId) ?? 0;
  }

  async discard(connectionId: string): Promise<void> {
    await this.#source?.discard(connectionId);
  }
}
