import fs from 'node:fs';

/**
 * What the local service may have of the environment of VS Code, each with its reason. Everything
 * else stays out: what a shell has set for other programs (DATABASE_URL, OTEL_*, NODE_*, npm_*,
 * PROMPT_TABLES_*) must not decide where data goes or what is loaded, and keys of model providers
 * are handed over by trusted windows, never inherited.
 */
export const inheritedVariables: readonly (readonly [reason: string, ...names: string[]])[] = [
  ['programs that are started by name: python3, MCP servers', 'PATH', 'PATHEXT', 'COMSPEC'],
  ['Windows starts no process and opens no socket without it', 'SYSTEMROOT', 'WINDIR'],
  ['where programs and Google keep what belongs to the user', 'HOME', 'USERPROFILE', 'APPDATA'],
  ['who the user is, for programs that ask', 'USER', 'LOGNAME', 'USERNAME', 'SHELL'],
  ['temporary files, and the socket of a deep folder', 'TMPDIR', 'TEMP', 'TMP'],
  ['language and time of what the service and its programs write', 'LANG', 'LANGUAGE', 'TZ'],
  [
    'parts of the language',
    ...['LC_ALL', 'LC_CTYPE', 'LC_COLLATE', 'LC_NUMERIC', 'LC_TIME', 'LC_MESSAGES', 'LC_MONETARY'],
  ],
  ['the proxy on the way to providers', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
  [
    'authorities that the organization has added; none can switch checking off',
    ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ],
];

/** Settings that stand for variables of a service that is started by hand. */
export interface ServiceSettings {
  readonly allowedHosts: readonly string[];
  readonly python: boolean;
  readonly mcpServersFile: string;
  readonly model: string;
}

export interface EnvironmentParts {
  /** Of VS Code. */
  readonly environment: NodeJS.ProcessEnv;
  readonly key: string;
  readonly settings: ServiceSettings;
  /** Of the database that the user has named in place of the folder. */
  readonly databaseUrl?: string | undefined;
  /** Whether the folder of the window that starts the service is trusted. */
  readonly isTrusted: boolean;
  /** VS Code's own program is Electron on the desktop, plain Node in a server. */
  readonly isElectron: boolean;
}

const inherited = new Set(inheritedVariables.flatMap(([, ...names]) => names));

/** The names are case-insensitive on Windows, and those of proxies everywhere. */
const isInherited = (name: string): boolean =>
  inherited.has(process.platform === 'win32' || /_proxy$/.test(name) ? name.toUpperCase() : name);

/** The whole environment of the local service. */
export function serviceEnvironment(parts: EnvironmentParts): NodeJS.ProcessEnv {
  const { environment, key, settings, databaseUrl, isElectron } = parts;
  const { allowedHosts, python, model } = settings;
  return {
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => isInherited(name))),
    // Not in argv, which every user of the machine can read. The folder's first workspace, whatever
    // its key is: whoever has the folder has the data. A database may be shared: the key's own.
    PROMPT_TABLES_API_KEY: databaseUrl === undefined ? `1=${key}` : key,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...(allowedHosts.length > 0 && { PROMPT_TABLES_ALLOWED_HOSTS: allowedHosts.join(',') }),
    ...(python && { PROMPT_TABLES_PYTHON: '1' }),
    ...(model !== '' && { PROMPT_TABLES_MODEL: model }),
    ...mcpVariables(parts),
    ...(isElectron && { ELECTRON_RUN_AS_NODE: '1' }),
  };
}

/** The file of MCP servers, with the variables that it names: tokens of those servers. */
function mcpVariables({ environment, settings, isTrusted }: EnvironmentParts): NodeJS.ProcessEnv {
  const { mcpServersFile: file } = settings;
  if (file === '' || !isTrusted) return {};
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const names = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    ...Object.fromEntries(names.map((name) => [name, environment[name]])),
    PROMPT_TABLES_MCP_SERVERS: file,
  };
}
