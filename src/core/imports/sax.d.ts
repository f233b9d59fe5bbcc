// The library has no types of its own; this is what is used of it.
declare module 'sax' {
  export interface Tag {
    readonly name: string;
    readonly attributes: Readonly<Record<string, string>>;
  }

  export interface Parser {
    onopentag: (tag: Tag) => void;
    onclosetag: (name: string) => void;
    ontext: (text: string) => void;
    oncdata: (text: string) => void;
    onerror: (error: Error) => void;
    write(text: string): Parser;
    close(): Parser;
  }

  export function parser(strict: boolean): Parser;
}
