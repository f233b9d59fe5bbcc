import { DOMParser, MIME_TYPE, XMLSerializer, type Document, type Node } from '@xmldom/xmldom';
import xpath from 'xpath';
import * as z from 'zod';
import { CellProblem, EngineProblem, messageOf, readAt, tooManyMatches } from '../problem.ts';
import { defineColumn, sourceName, word } from './column-kind.ts';
import { toText, type Json } from './json.ts';

const MAX_TEXT = 2_000_000;
const MAX_MATCHES = 10_000;
const MAX_PATH = 5000;

const config = z.looseObject({
  source: sourceName,
  xml_path: z.string().min(1),
  type: word(['find', 'findall']).nullish(),
  return_text: z.boolean().nullish(),
});

/**
 * What a path finds in XML: the first element or all of them, as text or as XML. A relative path
 * starts inside the root element, as in ElementTree, or else at the document.
 */
export const xmlPath = defineColumn('XML_PATH', config, ({ xml_path, type, return_text }) => {
  readAt(['xml_path'], () => checkPath(xml_path));
  const serializer = new XMLSerializer();
  const write = (found: Node): string =>
    (return_text ?? true) || found.nodeType === found.ATTRIBUTE_NODE
      ? (found.textContent ?? '')
      : serializer.serializeToString(found);
  return {
    slow: true,
    quickUpTo: 0,
    compute: (sources) => {
      const { title, value } = sources.one('source');
      const found = findAll(parseXml(toText(value), title), xml_path);
      if (found.kind === 'value') return found.value;
      const { nodes } = found;
      if (type === 'findall' && nodes.length > MAX_MATCHES)
        throw tooManyMatches('The XML path', MAX_MATCHES);
      return type === 'findall' ? nodes.map(write) : nodes[0] ? write(nodes[0]) : null;
    },
  };
});

/** Only read, not applied: applying can take as long as it likes. */
function checkPath(path: string): void {
  if (path.length > MAX_PATH) {
    throw new EngineProblem(
      'invalid_config',
      `The XML path has ${String(path.length)} characters; it may have at most ${String(MAX_PATH)}.`,
    );
  }
  try {
    xpath.parse(path);
  } catch (error) {
    throw new EngineProblem(
      'invalid_config',
      `The XML path ${JSON.stringify(path)} is not valid: ${messageOf(error)}.`,
      { cause: error },
    );
  }
}

/** No document type: it could declare entities that grow without end or point to files. */
function parseXml(text: string, title: string): Document {
  if (text.length > MAX_TEXT) {
    throw new CellProblem(
      'limit_exceeded',
      `Column "${title}" holds ${String(text.length)} characters of XML; at most ${String(MAX_TEXT)} are read.`,
    );
  }
  if (/<!DOCTYPE/i.test(text)) {
    throw new CellProblem(
      'invalid_input',
      `Column "${title}" holds XML with a document type (<!DOCTYPE>), which is not read for safety.`,
    );
  }
  try {
    const parser = new DOMParser({
      onError: (level, message) => {
        if (level !== 'warning') throw new Error(message);
      },
    });
    return parser.parseFromString(text, MIME_TYPE.XML_TEXT);
  } catch (error) {
    throw new CellProblem(
      'invalid_input',
      `Column "${title}" does not hold XML: ${parseMessage(error)}`,
      { cause: error },
    );
  }
}

type Found =
  | { readonly kind: 'nodes'; readonly nodes: readonly Node[] }
  /** Of an expression such as `count(//item)`. */
  | { readonly kind: 'value'; readonly value: Json };

function findAll(document: Document, path: string): Found {
  const namespaces = Object.fromEntries(
    Array.from(document.documentElement?.attributes ?? [])
      .filter(({ prefix }) => prefix === 'xmlns')
      .map(({ localName, value }) => [localName ?? '', value]),
  );
  const expression = xpath.parse(path);
  const evaluate = (node: Node): Found => {
    // `select` of the library takes every document for HTML, whose names have no case.
    const found = expression.evaluate({ node, namespaces, isHtml: false });
    const nodes = found.toArray?.();
    const { str, num, b } = found;
    return nodes === undefined
      ? { kind: 'value', value: str ?? num ?? b ?? null }
      : { kind: 'nodes', nodes };
  };
  try {
    const inRoot = evaluate(document.documentElement ?? document);
    return inRoot.kind === 'nodes' && inRoot.nodes.length === 0 ? evaluate(document) : inRoot;
  } catch (error) {
    throw new CellProblem(
      'invalid_config',
      `The XML path could not be applied: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** The parser wraps the thrown text in words about its reporting. */
const parseMessage = (error: unknown): string =>
  (messageOf(error).split(' caused Error: ').at(-1) ?? '').split('\n', 1)[0] ?? '';
