/** Names and messages of strangers, with nothing in them that hides or turns around what is read. */

/** Drawn as nothing, and without meaning. */
const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u2060\ufeff]+/gu;

/**
 * Controls but the blanks among them, what turns letters around, tags, halves of characters, and
 * letters that look like nothing. What joins two letters, or the faces of an emoji, is none of these.
 */
const deceptive =
  /(?:(?<![\p{L}\p{M}\p{Emoji}\ufe0f])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{Extended_Pictographic}])|(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\u115f\u1160\u3164\uffa0])+/gu;

/** More marks on one letter than any script needs are drawn over the lines around it. */
const piles = /(\p{M}{8})\p{M}+/gu;

/** What was hidden is taken out, or shows as a sign that something is there. */
export const visible = (text: string): string =>
  text.replace(invisible, '').replace(deceptive, '\ufffd').replace(piles, '$1');
