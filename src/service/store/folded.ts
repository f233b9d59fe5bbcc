/** Texts are searched without regard to case, in every script: SQL's own lower() knows ASCII only. */
export const folded = (text: string): string => text.toLocaleLowerCase('und');

const escaped = (text: string): string => text.replace(/[\\%_]/g, String.raw`\$&`);

/** Operand of `like ? escape '\'` that finds a part of a folded text. */
export const like = (part: string): string => `%${escaped(folded(part))}%`;

/** The same for texts that begin or end so. */
export const likeStart = (start: string): string => `${escaped(folded(start))}%`;
export const likeEnd = (end: string): string => `%${escaped(folded(end))}`;
