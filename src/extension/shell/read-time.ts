/** A time that was typed, as the service reads it; undefined: it is none. `90m`, `24h`, `7d` count back. */
export function readTime(text: string, now: number = Date.now()): string | undefined {
  const back = /^(\d+(?:\.\d+)?)\s*([mhd])$/i.exec(text.trim());
  const unit = { m: 60_000, h: 3_600_000, d: 86_400_000 }[back?.[2]?.toLowerCase() ?? ''];
  const time =
    unit === undefined ? Date.parse(text.trim()) : now - Number(back?.[1] ?? Number.NaN) * unit;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
