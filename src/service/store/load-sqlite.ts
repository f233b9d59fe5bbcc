import type * as Sqlite from 'node:sqlite';

/** Node 22 warns that `node:sqlite` is experimental: no news for whoever reads our log. */
export function loadSqlite(): typeof Sqlite {
  const own = Object.getOwnPropertyDescriptor(process, 'emitWarning');
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    if (own) Object.defineProperty(process, 'emitWarning', own);
  }
}
