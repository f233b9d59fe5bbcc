// What the library has and its types leave out.
import type { Node as XmlNode } from '@xmldom/xmldom';
import 'xpath';

declare module 'xpath' {
  /** One of them, by the kind of the expression. */
  export interface Evaluated {
    /** In the order of the document. */
    toArray?(): readonly XmlNode[];
    readonly str?: string;
    readonly num?: number;
    readonly b?: boolean;
  }

  export interface ParsedPath {
    /** It works on any DOM, also on one that is no browser's. */
    evaluate(options: {
      readonly node: XmlNode;
      readonly namespaces: Readonly<Record<string, string>>;
      readonly isHtml: false;
    }): Evaluated;
  }

  /** Throws for an expression that is none. */
  export function parse(expression: string): ParsedPath;
}
