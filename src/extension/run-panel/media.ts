import path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError, ValidationError } from '../../core/errors.ts';
import { mediaTypeOf } from '../../core/templates/media.ts';
import type { RunVariable } from '../../protocol/run.ts';
import type { Memory } from '../ask/run-variables.ts';
import { showOpenDialog } from '../shell/shown.ts';

const t = vscode.l10n.t;
const memoryKey = 'promptTables.pickedMedia';
const mostKept = 200;
const largestBytes = 20 * 1024 * 1024;

/** What providers are given as it is: an address, or a file in base64. */
const isPlain = (line: string): boolean =>
  /^(?:https?|data|gs):/i.test(line) || !/^[a-z][a-z0-9+.-]*:/i.test(line);

/**
 * Files for variables that hold media. Only those that a person has picked are read: a line may come
 * from a sheet or a file of values, which must not send whatever it names to a provider.
 */
export class MediaFiles {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Asks for files; their addresses go into the form. */
  async pick(): Promise<readonly string[]> {
    const picked = await showOpenDialog({
      title: t('Files for the prompt'),
      canSelectMany: true,
      filters: {
        [t('Images, PDF, audio, video')]: [
          ...['png', 'jpg', 'jpeg', 'gif', 'webp', 'pdf', 'mp3', 'wav', 'mp4'],
        ],
        [t('All files')]: ['*'],
      },
    });
    if (picked === undefined) throw new CancelledError('The choice was dismissed.');
    const lines = picked.map((uri) => uri.toString());
    const all = [...new Set([...lines, ...this.#known()])].slice(0, mostKept);
    await this.#memory.update(memoryKey, all);
    return lines;
  }

  /** The values with the files in them, each as a data URL. */
  async read(
    variables: readonly RunVariable[],
    values: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const read: Record<string, unknown> = { ...values };
    for (const { name, as, kind } of variables) {
      const lines = values[name];
      if (as !== 'media' || kind !== 'text' || !Array.isArray(lines)) continue;
      read[name] = await Promise.all(
        lines.map((line: unknown) =>
          typeof line === 'string' && !isPlain(line) ? this.#file(line) : line,
        ),
      );
    }
    return read;
  }

  #known(): readonly string[] {
    const kept = this.#memory.get(memoryKey);
    return Array.isArray(kept) ? kept.filter((line) => typeof line === 'string') : [];
  }

  async #file(line: string): Promise<string> {
    if (!this.#known().includes(line)) {
      throw new ValidationError(t("{0} wasn't selected here, so it isn't read.", line), {
        hint: t('Select Pick file… next to the variable, then select the file.'),
      });
    }
    const uri = vscode.Uri.parse(line, true);
    const name = path.posix.basename(uri.path);
    let bytes: Uint8Array;
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > largestBytes) throw new ValidationError(t('{0} is larger than 20 MB.', name));
      bytes = await vscode.workspace.fs.readFile(uri);
    } catch (cause) {
      if (cause instanceof ValidationError) throw cause;
      throw new ValidationError(t("{0} can't be read.", name), {
        hint: t('It may have been moved or deleted: select it again.'),
        cause,
      });
    }
    return `data:${mediaTypeOf(name)};base64,${Buffer.from(bytes).toString('base64')}`;
  }
}
