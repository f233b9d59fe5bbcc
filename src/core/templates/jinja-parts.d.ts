// The package's own types name their files without an ending, which Node's resolution does not find.
declare module '@huggingface/jinja' {
  export interface Token {
    readonly type: string;
    readonly value: string;
  }
  export function tokenize(source: string): readonly Token[];
  export function parse(tokens: readonly Token[]): { readonly body: readonly unknown[] };
}
