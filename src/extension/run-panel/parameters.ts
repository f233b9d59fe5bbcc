import { isDeepStrictEqual } from 'node:util';
import { parseJsonAsWritten, stringifyJson } from '../../core/http/json.ts';
import type { ModelParameter, ModelParameters } from '../../core/kwargs/model-parameters.ts';
import { schemaOf } from '../../core/kwargs/model-parameters.ts';
import type { Mapping } from '../../core/mapping.ts';
import type {
  ParameterFault,
  ParameterField,
  ParametersPresentation,
  ParameterText,
} from '../../protocol/run.ts';
import type { Translate } from '../shell/translate.ts';

/** JSON over several lines, unless that would lose a digit. */
export function jsonText(value: unknown): string {
  const flat = stringifyJson(value);
  const read: unknown = JSON.parse(flat);
  return JSON.stringify(read) === flat ? JSON.stringify(read, null, 2) : flat;
}

const textOf = ({ fact, own }: ModelParameter): string => {
  if (own === undefined) return '';
  return fact.kind === 'json' || typeof own !== 'string' ? jsonText(own) : own;
};

function fieldOf(parameter: ModelParameter): ParameterField {
  const { fact, name } = parameter;
  const { kind } = fact;
  const field = { name, kind, own: textOf(parameter) };
  if (fact.kind === 'word') return { ...field, words: fact.words };
  if (fact.kind !== 'number' && fact.kind !== 'whole') return field;
  const { min, max } = fact;
  return { ...field, ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

/** The form of a model's parameters. */
export function parametersPresentation(
  { provider, model, parameters, others }: ModelParameters,
  more: Pick<ParametersPresentation, 'isOtherModel' | 'savesTo'>,
): ParametersPresentation {
  return {
    ...{ provider, model, fields: parameters.map(fieldOf), ...more },
    ...(Object.keys(others).length > 0 && { others: jsonText(others) }),
  };
}

function faultOf({ fact }: ModelParameter, t: Translate): string {
  switch (fact.kind) {
    case 'number':
    case 'whole': {
      const { kind, min, max } = fact;
      const isWhole = kind === 'whole';
      if (min === undefined) return isWhole ? t('Enter a whole number.') : t('Enter a number.');
      if (max === undefined) {
        return isWhole
          ? t('Enter a whole number of at least {0}.', min)
          : t('Enter a number of at least {0}.', min);
      }
      return isWhole
        ? t('Enter a whole number from {0} to {1}.', min, max)
        : t('Enter a number from {0} to {1}.', min, max);
    }
    case 'word':
      return t('Enter a single word.');
    case 'flag':
      return t('Select true or false.');
    case 'json':
      return fact.holds === 'texts'
        ? t('Enter a JSON list of strings, such as ["END"].')
        : t('Enter a JSON object.');
  }
}

/** Undefined: what was entered is nothing of that kind. */
function valueOf({ fact }: ModelParameter, entered: string): unknown {
  switch (fact.kind) {
    case 'number':
    case 'whole':
      return /^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(entered) ? Number(entered) : undefined;
    case 'word':
      return entered;
    case 'flag':
      return entered === 'true' ? true : entered === 'false' ? false : undefined;
    case 'json':
      try {
        return parseJsonAsWritten(entered);
      } catch {
        // The field says so.
        return undefined;
      }
  }
}

export interface ReadParameters {
  /** By the names to override them by: only what differs from the prompt's own. */
  readonly changed: Mapping;
  readonly faults: readonly ParameterFault[];
}

/** What was entered, checked: nothing of it may be sent while there are faults. */
export function readParameters(
  known: ModelParameters | undefined,
  texts: readonly ParameterText[],
  t: Translate,
): ReadParameters {
  const changed: [string, unknown][] = [];
  const faults: ParameterFault[] = [];
  for (const { name, text } of texts) {
    const parameter = known?.parameters.find((one) => one.name === name);
    const entered = text.trim();
    if (entered === '') continue;
    if (parameter === undefined) {
      faults.push({ name, message: t('The model no longer takes {0}.', name) });
      continue;
    }
    const value = valueOf(parameter, entered);
    if (value === undefined || !schemaOf(parameter.fact).safeParse(value).success) {
      faults.push({ name, message: faultOf(parameter, t) });
    } else if (!isDeepStrictEqual(value, parameter.own)) changed.push([name, value]);
  }
  return { changed: Object.fromEntries(changed), faults };
}
