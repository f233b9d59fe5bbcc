/**
 * Whether a text holds anything that can be seen: neither blanks, controls and joiners, nor letters
 * that are drawn as nothing, such as U+3164 and U+2800.
 */
export const isSeen = (text: string): boolean =>
  /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
