// What the library has and its types leave out.
import type { Node as XmlNode } from '@xmldom/xmldom';
import 'xpath';

declare module 'xpath' {
  /** Throws for an expression that is none. */
  export function parse(expression: string): unknown;

  interface XPathSelect {
    /** It works on any DOM, also on one that is no browser's. */
    (expression: string, node: XmlNode): XmlNode[] | string | number | boolean | null;
  }
}
