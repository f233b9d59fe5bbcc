import type { SandboxAnswer } from './protocol.ts';

interface SqlParser {
  astify(sql: string): unknown;
}

let loading: Promise<SqlParser[]> | undefined;

/** SQL is valid when PostgreSQL, MySQL or SQLite would read it. */
export async function loadSql(): Promise<(text: string) => SandboxAnswer> {
  const parsers = await (loading ??= loadParsers());
  return (text) => ({
    ok: true,
    value: JSON.stringify(parsers.some((parser) => parses(parser, text))),
  });
}

async function loadParsers(): Promise<SqlParser[]> {
  const modules = await Promise.all([
    import('node-sql-parser/build/postgresql.js'),
    import('node-sql-parser/build/mysql.js'),
    import('node-sql-parser/build/sqlite.js'),
  ]);
  return modules.map(({ default: { Parser } }) => new Parser());
}

function parses(parser: SqlParser, text: string): boolean {
  try {
    parser.astify(text);
    return true;
  } catch {
    // A syntax error is the answer "not valid", not a failure.
    return false;
  }
}
