import * as vscode from 'vscode';

/** Files that are on no disk, as those of a repository that is looked at over the network. */
export class MemoryFiles implements vscode.FileSystemProvider {
  readonly files = new Map<string, Uint8Array>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const times = { ctime: 0, mtime: 0 };
    if (path === '/') return { type: vscode.FileType.Directory, ...times, size: 0 };
    const file = this.files.get(path);
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(path);
    return { type: vscode.FileType.File, ...times, size: file.byteLength };
  }

  readDirectory(): [string, vscode.FileType][] {
    return [...this.files.keys()].map((path) => [path.slice(1), vscode.FileType.File]);
  }

  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    const file = this.files.get(path);
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(path);
    return file;
  }

  writeFile({ path }: vscode.Uri, content: Uint8Array): void {
    this.files.set(path, content);
  }

  delete({ path }: vscode.Uri): void {
    if (!this.files.delete(path)) throw vscode.FileSystemError.FileNotFound(path);
  }

  rename(from: vscode.Uri, to: vscode.Uri): void {
    this.files.set(to.path, this.readFile(from));
    this.files.delete(from.path);
  }
}
