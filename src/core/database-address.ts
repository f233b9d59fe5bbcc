/** What the address of a database may be shown as: without its password, and whatever follows. */
export function shownDatabase(url: string): string {
  if (!URL.canParse(url)) return `${/^[a-z+]+:/i.exec(url)?.[0] ?? ''}…`;
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

export const isPostgresAddress = (url: string): boolean => /^postgres(?:ql)?:\/\//i.test(url);
