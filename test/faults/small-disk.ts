import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '../service/support/running-service.ts';
import type { Figure } from './load.ts';

/** A file system of a few megabytes that can be filled to the last byte: a tmpfs. */
export class SmallDisk {
  static readonly isPossible = process.platform === 'linux' && process.getuid?.() === 0;
  static readonly leftOut: Figure[] = [
    { metric: 'LEFT OUT: a small disk needs Linux and root', value: 0, unit: '' },
  ];
  readonly folder: string;
  readonly #ballast: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.#ballast = path.join(folder, 'ballast');
  }

  static mount(sizeMb: number): SmallDisk {
    const folder = newFolder();
    const options = `size=${String(sizeMb)}m,mode=755`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
    return new SmallDisk(folder);
  }

  /** Until nothing more fits. */
  fill(): void {
    for (const size of [1 << 20, 1 << 16, 1 << 12]) {
      const piece = Buffer.alloc(size, 120);
      try {
        for (;;) writeFileSync(this.#ballast, piece, { flag: 'a' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  }

  makeRoom(): void {
    rmSync(this.#ballast, { force: true });
  }

  unmount(): void {
    execFileSync('umount', [this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
