import type { CodeCall, CodeVariable } from '../../core/code-index/call.ts';
import type { Asked } from '../../core/code-index/call-index.ts';
import { askedBy } from '../../core/code-index/call-index.ts';
import type { CodeLanguage } from '../../core/code-index/languages.ts';
import { writtenBetween } from '../../core/code-index/literals.ts';
import { nearestNames } from '../../core/code-index/nearest.ts';
import type { Span } from '../../core/code-index/tokens.ts';
import type { Translate } from '../shell/translate.ts';
import type { FoundPrompt, KnownNames, PromptInfo } from './known.ts';

export interface CodeFix {
  readonly title: string;
  readonly span: Span;
  readonly text: string;
}

export interface CodeProblem {
  readonly span: Span;
  readonly severity: 'warning' | 'info';
  readonly message: string;
  readonly fixes: readonly CodeFix[];
  /** A module of types to generate again, by its address. */
  readonly types?: TypesOfOthers;
}

/** A generated module that says something else of a prompt than the workspace. */
export interface TypesOfOthers {
  readonly uri: string;
  /** As people find it. */
  readonly path: string;
}

export interface Facts {
  readonly found: FoundPrompt;
  readonly names: KnownNames | undefined;
  /** Of the workspace that was asked. */
  readonly workspace: string;
  /** Undefined: there are none, or some that say what the workspace has. */
  readonly outdated?: TypesOfOthers | undefined;
}

const replaceFix = (
  { inner, quote }: { readonly inner?: Span; readonly quote?: string },
  name: string,
  t: Translate,
): readonly CodeFix[] =>
  inner === undefined || quote === undefined
    ? []
    : [{ title: t('Change to "{0}"', name), span: inner, text: writtenBetween(quote, name) }];

export const absentText = (what: Asked, name: string, workspace: string, t: Translate): string =>
  what === 'prompt'
    ? t('There is no prompt "{0}" in {1}.', name, workspace)
    : t('There is no workflow "{0}" in {1}.', name, workspace);

function choiceProblem(call: CodeCall, info: PromptInfo, t: Translate): readonly CodeProblem[] {
  const { name, label, version } = call;
  const { value: promptName } = name;
  if (version?.kind === 'literal') {
    const { latest } = info;
    if (latest === undefined) return [];
    const title = t('Change to version {0}', latest);
    return [
      {
        ...{ span: version.span, severity: 'warning' },
        message: t(
          '"{0}" has no version {1}: its latest version is {2}.',
          promptName,
          version.value,
          latest,
        ),
        fixes: [{ title, span: version.span, text: String(latest) }],
      },
    ];
  }
  if (label?.kind !== 'literal') return [];
  const labels = info.labels.map((each) => each.label);
  const near = nearestNames(label.value, labels);
  const offered = near.length > 0 ? near : labels.slice(0, 3);
  return [
    {
      ...{ span: label.span, severity: 'warning' },
      message: t('"{0}" has no label "{1}".', promptName, label.value),
      fixes: offered.flatMap((each) => replaceFix(label, each, t)),
    },
  ];
}

/** A key of an object in the language's own way. */
export function keyText(name: string, language: CodeLanguage): string {
  if (language !== 'python' && /^[A-Za-z_$][\w$]*$/.test(name)) return name;
  const quote = language === 'python' ? '"' : "'";
  return `${quote}${writtenBetween(quote, name)}${quote}`;
}

/** Another name for a variable that is given; its value stays the same. */
export function variableText(
  { name, quote, isShort }: CodeVariable,
  other: string,
  language: CodeLanguage,
): string {
  if (quote !== undefined) return writtenBetween(quote, other);
  return `${keyText(other, language)}${isShort ? `: ${name}` : ''}`;
}

function missingProblem(
  call: CodeCall,
  info: PromptInfo,
  language: CodeLanguage,
  t: Translate,
): readonly CodeProblem[] {
  const { variables, name } = call;
  const given = new Set(variables?.entries.map((entry) => entry.name) ?? []);
  const missing = info.variables.filter((variable) => !given.has(variable.name));
  const needed = missing.filter(({ isOptional }) => !isOptional);
  if (needed.length === 0) return [];
  const names = needed.map((variable) => variable.name);
  const list = names.map((each) => `"${each}"`).join(', ');
  const empty = language === 'python' ? '""' : "''";
  const text = names.map((each) => ` ${keyText(each, language)}: ${empty},`).join('');
  const begin = variables === undefined ? undefined : variables.span.from + 1;
  return [
    {
      ...{ span: variables?.span ?? name.span, severity: 'warning' },
      message:
        names.length === 1
          ? t('The variable {0} of "{1}" has no value.', list, name.value)
          : t('The variables {0} of "{1}" have no values.', list, name.value),
      fixes:
        begin === undefined
          ? []
          : [{ title: t('Add {0}', list), span: { from: begin, to: begin }, text }],
    },
  ];
}

function givenProblems(
  { variables, name }: CodeCall,
  info: PromptInfo,
  language: CodeLanguage,
  t: Translate,
): readonly CodeProblem[] {
  const given = new Set(variables?.entries.map((entry) => entry.name) ?? []);
  const free = info.variables.map((each) => each.name).filter((each) => !given.has(each));
  return (variables?.entries ?? []).flatMap((entry): readonly CodeProblem[] => {
    const known = info.variables.find((each) => each.name === entry.name);
    const { span } = entry;
    if (known === undefined) {
      return [
        {
          ...{ span, severity: 'warning' },
          message: t('"{0}" has no variable "{1}".', name.value, entry.name),
          fixes: nearestNames(entry.name, free).map((each) => ({
            title: t('Change to "{0}"', each),
            span,
            text: variableText(entry, each, language),
          })),
        },
      ];
    }
    const { value } = entry;
    const isSingle = value !== undefined && /^(?:string|number|boolean)$/.test(typeof value.value);
    if (known.takes !== 'list' || !isSingle) return [];
    const message = t('The variable "{0}" of "{1}" is a list.', entry.name, name.value);
    return [{ span, severity: 'warning', message, fixes: [] }];
  });
}

function typesProblem(
  { name, kind }: CodeCall,
  { outdated, workspace }: Facts,
  t: Translate,
): readonly CodeProblem[] {
  if (outdated === undefined || kind !== 'run') return [];
  return [
    {
      ...{ span: name.span, severity: 'info', fixes: [], types: outdated },
      message: t(
        '"{0}" has changed in {1} since the types in {2} were generated.',
        ...[name.value, workspace, outdated.path],
      ),
    },
  ];
}

/** What is wrong with the variables of a call. */
function variableProblems(
  call: CodeCall,
  info: PromptInfo,
  language: CodeLanguage,
  t: Translate,
): readonly CodeProblem[] {
  const { kind } = call;
  // Which version runs may be decided by what is not seen.
  if (call.isOpen || (call.hasVariants && call.label !== undefined)) return [];
  const given = givenProblems(call, info, language, t);
  const isWhole = call.variables?.isOpen !== true;
  if (!info.hasAllVariables) return [];
  const needsAll =
    kind === 'run' || kind === 'workflow' || (kind === 'get' && call.variables !== undefined);
  const missing = isWhole && needsAll ? missingProblem(call, info, language, t) : [];
  return [...missing, ...given];
}

/**
 * What is certainly wrong with a call. A call that is half typed, that is given more than is seen, or
 * that brings its prompt along has no problems; what the service could not be asked is no problem.
 */
export function problemsOfCall(
  call: CodeCall,
  language: CodeLanguage,
  facts: Facts,
  t: Translate,
): readonly CodeProblem[] {
  const { found, names, workspace } = facts;
  const { name, kind } = call;
  if (call.isUnfinished || call.hasBlueprint || name.value === '') return [];
  switch (found.kind) {
    case 'unknown':
      return [];
    case 'absent': {
      // What is taken in behind it may name another prompt.
      const isObject = kind === 'run' || kind === 'workflow';
      if (call.isOpen && language !== 'python' && isObject) return [];
      const near = nearestNames(name.value, names?.all.map((each) => each.name) ?? []);
      return [
        {
          ...{ span: name.span, severity: 'warning' },
          message: absentText(askedBy(call), name.value, workspace, t),
          fixes: near.flatMap((each) => replaceFix(name, each, t)),
        },
      ];
    }
    case 'choiceAbsent':
      return call.isOpen ? [] : choiceProblem(call, found.info, t);
    case 'found':
      return [...variableProblems(call, found.info, language, t), ...typesProblem(call, facts, t)];
  }
}
