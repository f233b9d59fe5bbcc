/**
 * Words and phrases that texts for users do not have, each with the reason and what to say instead.
 * A text with one is read twice, or is not what VS Code and PromptLayer call the thing.
 */
interface Ban {
  readonly pattern: RegExp;
  readonly why: string;
  readonly instead: string;
}

const ban = (pattern: RegExp, why: string, instead: string): Ban => ({ pattern, why, instead });

/** In every text: labels, settings, messages, errors, command lines, documentation. */
export const phrases: readonly Ban[] = [
  ban(/\bcan ?not\b/i, 'Two spellings of one word', "can't"),
  ban(/\bpress(?:es|ed|ing)?\b(?! (?:Enter|Escape|Tab|Ctrl|F\d|`))/i, 'Microsoft style', 'select'),
  ban(
    /(?<!(?:Ctrl|Cmd|Shift|Alt)\+|double-)\bclick(?:s|ed|ing)?\b/i,
    'Microsoft style; not all users have a mouse',
    'select',
  ),
  ban(/\b(?:choos(?:e|es|ing)|chose|chosen)\b/i, 'One word for one thing', 'select, selected'),
  ban(/\bcolours?\b|\bcoloured\b/i, 'US English', 'color'),
  ban(/\bbehaviours?\b|\bfavou?rite\b(?<!favorite)/i, 'US English', 'behavior, favorite'),
  ban(
    /\b\w{3,}isation\b|\b(?:organis|recognis|summaris|normalis|customis|serialis)\w+/i,
    'US English',
    '-ization, -ize',
  ),
  ban(
    /\b(?:licence|catalogue|centre|grey|whilst|artefact|labelled|modelling)s?\b/i,
    'US English',
    'license, catalog, center, gray, while, artifact, labeled, modeling',
  ),
  ban(
    /\b(?:(?:was|is|are|were|be|been|being|has|have|had) cancelled|cancelling|Cancelled)\b/,
    'US English; `cancelled` is the status of the API only',
    'canceled, canceling',
  ),
  ban(/\bjudg(?:e|es|ed|ing)\b/i, 'The field says evaluate', 'evaluate, or score'),
  ban(
    /\b(?:is|are|was|were|be|been) given up\b|\bgives? up\b/i,
    'Says nothing about why',
    'times out, stops',
  ),
  ban(
    /\b(?:does|do|did) not tell\b|\btells (?:how|what|which|when|whether|of|it|them)\b|\bis told\b|\bare told\b/i,
    'Services do not speak',
    'return, report, show',
  ),
  ban(/\bno such\b/i, 'Old legal English', 'not found, unknown'),
  ban(
    /(?<![Tt]here )\b(?:is|are) no (?!longer\b|more\b|less\b|later\b|one\b)\w/,
    'Calque: "is no number"',
    "isn't a, aren't",
  ),
  ban(
    /\bwhat had come\b|\bbefore anything came\b|\bas it comes\b|\bwhat has come\b/i,
    'Literal translation',
    'partial output, received',
  ),
  ban(/\b(?:nobody|somebody)\b/i, 'One word for one thing', 'no one, someone'),
  ban(/\bwho(?:so)?ever\b/i, 'Old-fashioned', 'anyone who'),
  ban(/\bstands?\b(?! (?:for|alone)\b)/i, 'Things do not stand', 'is'),
  ban(/\bmeanwhile\b/i, 'Ambiguous', 'in the meantime, at the same time'),
  ban(/\ball the same\b/i, 'Reads as "identical"', 'anyway, still'),
  ban(/\btexts\b/i, 'Text is uncountable', 'text, strings, values'),
  ban(
    /\b(?:does|do|did) not fit\b|\b(?:nothing|none|one|no \w+) fits\b|\bthat fits?\b|\bfits (?:a|the) (?:filter|pattern|schema)\b/i,
    'Says nothing about what is wrong',
    "isn't valid, doesn't match",
  ),
  ban(/\bfulfil/i, 'Needs an object, and is British', 'match, meet'),
  ban(/\bafresh\b|\banew\b/i, 'Literary', 'again, over'),
  ban(
    /\b[Pp]rompts? of (?:its|their) own\b/,
    'PromptLayer calls it inline prompt',
    'inline prompt',
  ),
  ban(/\blook(?:s|ed|ing)? at\b/i, 'Literal translation', 'read, check, view, open'),
  ban(/\b(?:is|are|was|were) to be\b/i, 'Calque: "is to be done"', 'will be, must be, should be'),
  ban(/\bthat there are\b|\bwhich there are\b/i, 'Calque', 'existing'),
  ban(
    /\bthere any ?more\b|\b(?:isn't|aren't|is not|are not)\b[^.;:]*\bany ?more\b/i,
    'Calque',
    'no longer',
  ),
  ban(/\bnewest version\b|\blast version\b/i, 'PromptLayer says latest', 'latest version'),
  ban(/\b(?:is|are) gone\b/i, 'Colloquial', 'no longer exists'),
  ban(/\b(?:outside|inside) of\b/i, 'One word too many', 'outside, inside'),
  ban(/\bswitch(?:es|ed|ing)? (?:it |them )?(?:on|off)\b/i, 'Microsoft style', 'turn on, turn off'),
  ban(/\bforth and back\b/i, 'Word order', 'back and forth'),
  ban(/\bback-ups?\b/i, 'Spelling', 'backup'),
  ban(/\bby hand\b/i, 'PromptLayer says Human', 'manually; Human'),
  ban(/\bneedn't\b|\bmay not\b/i, '"may not" is ambiguous', "can't, might not, don't need to"),
  ban(/\bplease\b/i, 'Microsoft style', 'leave it out'),
  ban(/\bPrice and latency\b|\bPrice columns?\b/i, 'One word for one number', 'cost'),
];

/** In what the editor shows only: an API has ids, and a document may explain prices of models. */
export const labels: readonly Ban[] = [
  ban(/\bids?\b|\bIds?\b/, 'ID is an acronym', 'ID, IDs'),
  ban(/\bprices?\b/i, 'One word for one number', 'cost'),
  ban(/\bprefer(?:ring)? to press\b/i, 'Microsoft style', 'select'),
  ban(
    /^(?:As|By|Which|Which one|Holds|Set|Given|Least|Most|Remarks)$/,
    'A label needs a noun',
    'Format, Created by, Value, Type, Minimum',
  ),
];

/** What is wrong with a text; nothing: it may be shown. */
export const faultsIn = (text: string, bans: readonly Ban[]): readonly string[] =>
  bans.flatMap(({ pattern, why, instead }) => {
    const [found] = pattern.exec(text) ?? [];
    return found === undefined ? [] : [`"${found}" (${why}; write: ${instead}) in: ${text}`];
  });
