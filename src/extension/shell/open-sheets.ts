import type { SheetAddress } from './address.ts';

export interface OpenSheet {
  readonly address: SheetAddress;
  readonly title: string;
  readonly tableTitle: string;
}

/** The sheet of the grid in front, and what of it a command can be about. */
export interface SheetInFront {
  readonly address: SheetAddress;
  /** The columns on screen, and the rows when a filter leaves some out. */
  readonly exported: () => Promise<object>;
}

const isSame = (one: SheetAddress, other: SheetAddress): boolean =>
  one.connectionId === other.connectionId &&
  one.tableId === other.tableId &&
  one.sheetId === other.sheetId;

/** Sheets that editor tabs show: what a command without a sheet most likely means. */
export class OpenSheets {
  /** The one looked at last is the first. */
  #sheets: readonly OpenSheet[] = [];

  /** Undefined while no grid is in front. */
  inFront: () => SheetInFront | undefined = () => undefined;

  look(sheet: OpenSheet): void {
    this.#sheets = [sheet, ...this.#others(sheet.address)];
  }

  close(address: SheetAddress): void {
    this.#sheets = this.#others(address);
  }

  titleOf(address: SheetAddress): string | undefined {
    return this.#sheets.find((one) => isSame(one.address, address))?.title;
  }

  /** The one of a workspace that was looked at last. */
  latest(connectionId: string): OpenSheet | undefined {
    return this.#sheets.find(({ address }) => address.connectionId === connectionId);
  }

  #others(address: SheetAddress): readonly OpenSheet[] {
    return this.#sheets.filter((one) => !isSame(one.address, address));
  }
}
