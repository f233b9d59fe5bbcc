import { createHmac, timingSafeEqual } from 'node:crypto';

const LIFETIME_MS = 15 * 60_000;

/** What a user agrees to: this selection of this sheet, whatever version the sheet has by then. */
export interface Confirmed {
  readonly sheetId: string;
  readonly columnIds: readonly string[] | undefined;
  readonly rowIndices: readonly number[] | undefined;
  readonly statuses: readonly string[] | undefined;
}

export function confirmationToken(what: Confirmed, secret: string, now: number): string {
  const expires = (now + LIFETIME_MS).toString(36);
  return `${expires}.${sign(what, expires, secret)}`;
}

export function isConfirmed(token: string, what: Confirmed, secret: string, now: number): boolean {
  const [expires = '', signature = ''] = token.split('.');
  if (!(Number.parseInt(expires, 36) > now)) return false;
  const expected = Buffer.from(sign(what, expires, secret));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Order and repeats in the lists do not matter. */
function sign(what: Confirmed, expires: string, secret: string): string {
  const canonical = JSON.stringify([
    what.sheetId,
    sorted(what.columnIds),
    sorted(what.rowIndices),
    sorted(what.statuses),
    expires,
  ]);
  return createHmac('sha256', secret).update(canonical).digest('base64url');
}

const sorted = <Item extends string | number>(items: readonly Item[] | undefined): Item[] | null =>
  items === undefined ? null : [...new Set(items)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
