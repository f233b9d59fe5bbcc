/** Replaced by the build with the version of package.json; unbuilt code says so. */
declare const PROMPT_TABLES_VERSION: string | undefined;

export const productVersion =
  typeof PROMPT_TABLES_VERSION === 'string' ? PROMPT_TABLES_VERSION : '0.0.0-source';
