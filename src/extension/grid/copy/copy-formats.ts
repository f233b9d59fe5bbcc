import { uniqueTitles } from '../../../core/exports/shape.ts';
import { guardFormula } from '../../../core/exports/formula-guard.ts';
import { literal } from '../../../core/exports/markdown.ts';
import { stringifyJson } from '../../../core/http/json.ts';
import type { CellKind } from '../../../protocol/grid-cells.ts';
import type { CopyFormat } from '../../../protocol/grid.ts';

/** A cell with its whole text. */
export interface CopiedCell {
  readonly text: string;
  readonly kind: CellKind;
}

export interface CopyWriter {
  /** Text before the first row. */
  readonly start: string;
  /** Text of one row, with what separates it from the row before. */
  row(cells: readonly CopiedCell[]): string;
  /** Text after the last row. */
  readonly end: string;
}

export interface CopyOptions {
  readonly titles: readonly string[];
  readonly headers: boolean;
  /** Text that a spreadsheet would run as a formula is made harmless in separated values. */
  readonly formulaGuard: boolean;
  readonly onGuarded?: () => void;
}

/** The word for null in separated values. A text that reads the same is quoted. */
const nullWord = 'null';

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * One field of separated values. Quotes keep look-alikes apart: nothing = missing or not run,
 * `null` = null, `""` = the empty text, `"null"` = the text that says null.
 */
function field({ text, kind }: CopiedCell, separator: string): string {
  switch (kind) {
    case 'missing':
    case 'notRun':
      return '';
    case 'null':
      return nullWord;
    case 'empty':
      return '""';
    case 'text':
      return needsQuotes(text, separator) ? quoted(text) : text;
    case 'number':
    case 'boolean':
    case 'json':
      return needsQuotes(text, separator) && text !== nullWord ? quoted(text) : text;
  }
}

function needsQuotes(text: string, separator: string): boolean {
  return text === nullWord || text.includes(separator) || /["\r\n]|^\s|\s$/.test(text);
}

function separatedValues(
  separator: string,
  lineEnd: string,
  { titles, headers, formulaGuard, onGuarded }: CopyOptions,
): CopyWriter {
  const harmless = (cell: CopiedCell): CopiedCell => {
    if (!formulaGuard || (cell.kind !== 'text' && cell.kind !== 'json')) return cell;
    const text = guardFormula(cell.text);
    if (text === cell.text) return cell;
    onGuarded?.();
    return { ...cell, text };
  };
  const line = (cells: readonly CopiedCell[]): string =>
    cells.map((cell) => field(harmless(cell), separator)).join(separator);
  const titleLine = line(titles.map((text) => ({ text, kind: text === '' ? 'empty' : 'text' })));
  let isFirst = !headers;
  return {
    start: headers ? titleLine : '',
    row(cells) {
      const before = isFirst ? '' : lineEnd;
      isFirst = false;
      return before + line(cells);
    },
    end: '',
  };
}

/** A list of objects. Missing and not-run cells have no key; null is null; numbers are exact. */
function json({ titles }: CopyOptions): CopyWriter {
  const keys = uniqueTitles(titles.map((title) => ({ title }))).map((title) =>
    JSON.stringify(title),
  );
  let isFirst = true;
  const valueText = ({ text, kind }: CopiedCell): string | undefined => {
    switch (kind) {
      case 'missing':
      case 'notRun':
        return undefined;
      case 'null':
        return 'null';
      case 'empty':
      case 'text':
        return stringifyJson(text);
      case 'number':
      case 'boolean':
      case 'json':
        return text; // the text of these is JSON already
    }
  };
  return {
    start: '[',
    row(cells) {
      const fields = cells.flatMap((cell, index) => {
        const value = valueText(cell);
        return value === undefined ? [] : [`    ${keys[index] ?? '""'}: ${value}`];
      });
      const before = isFirst ? '\n' : ',\n';
      isFirst = false;
      return `${before}  ${fields.length === 0 ? '{}' : `{\n${fields.join(',\n')}\n  }`}`;
    },
    end: '\n]',
  };
}

function markdown({ titles }: CopyOptions): CopyWriter {
  const cellText = ({ text, kind }: CopiedCell): string => {
    switch (kind) {
      case 'missing':
        return '';
      case 'notRun':
        return '*not run*';
      case 'null':
        return '*null*';
      case 'empty':
        return '*empty*';
      case 'text':
      case 'number':
      case 'boolean':
      case 'json':
        return literal(text);
    }
  };
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  return {
    start: `${line(titles.map(literal))}\n${line(titles.map(() => '---'))}`,
    row: (cells) => `\n${line(cells.map(cellText))}`,
    end: '\n',
  };
}

export function copyWriter(format: CopyFormat, options: CopyOptions): CopyWriter {
  switch (format) {
    case 'tsv':
      return separatedValues('\t', '\n', options);
    case 'csv':
      return separatedValues(',', '\r\n', options);
    case 'json':
      return json(options);
    case 'markdown':
      return markdown(options);
  }
}
