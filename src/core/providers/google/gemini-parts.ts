import type { Mapping } from '../../mapping.ts';
import type { ReplyBuilder } from '../reply.ts';
import { argumentsText } from '../tool-arguments.ts';
import { PartialArgs } from './partial-args.ts';
import type { GeminiCall, GeminiPart } from './schema.ts';
import { readNamed, readPart } from './schema.ts';

type Fields = Record<string, unknown>;

interface Part {
  readonly fields: Fields;
  /** What is read of them. */
  readonly read: GeminiPart | undefined;
  /** While the arguments of a function call still come. */
  args: PartialArgs | undefined;
}

interface PlainText {
  readonly text: string;
  readonly isThought: boolean;
  readonly signature: string | undefined;
}

const ofText: ReadonlySet<string> = new Set(['text', 'thought', 'thoughtSignature']);

/** A part that is text and nothing else besides its marks. */
function plainText(part: GeminiPart | undefined): PlainText | undefined {
  if (part === undefined) return undefined;
  // A signature may come alone, and so may nothing.
  const text = part.raw['text'] ?? '';
  if (typeof text !== 'string') return undefined;
  if (Object.keys(part.raw).some((name) => !ofText.has(name))) return undefined;
  return { text, isThought: part.thought === true, signature: part.thoughtSignature };
}

/** Whether base64 text can go on after this: nothing fills up its last group. */
const isOpenEnded = (base64: string): boolean => base64.length % 4 === 0 && !base64.endsWith('=');

/**
 * The parts of one candidate, in their order. Neighbours that are pieces of one text, of one
 * thought, of one sound or of one function call become one part, as in an answer without stream.
 */
export class GeminiParts {
  readonly #parts: Part[] = [];
  readonly #builder: ReplyBuilder | undefined;

  /** `builder` is given if the reply is made of this candidate. */
  constructor(builder: ReplyBuilder | undefined) {
    this.#builder = builder;
  }

  add(part: GeminiPart): void {
    const text = plainText(part);
    if (text !== undefined) this.#text(part.raw, text);
    else if (part.functionCall !== undefined) this.#call(part.raw, part.functionCall);
    else if (!this.#isMoreSound(part)) this.#push(part.raw);
  }

  #push(fields: Mapping): Part {
    const own = { ...fields };
    const part: Part = { fields: own, read: readPart(own), args: undefined };
    this.#parts.push(part);
    this.#show(this.#parts.length - 1, part);
    return part;
  }

  #text(part: Mapping, { text, isThought, signature }: PlainText): void {
    const at = this.#parts.length - 1;
    const last = this.#parts[at];
    const before = last === undefined ? undefined : plainText(last.read);
    // A signature closes its text.
    const goesOn = before?.isThought === isThought && before.signature === undefined;
    if (last === undefined || before === undefined || !goesOn) {
      if (text !== '' || signature !== undefined || last === undefined) this.#push(part);
      return;
    }
    last.fields['text'] = before.text + text;
    if (signature !== undefined) last.fields['thoughtSignature'] = signature;
    this.#showText(at, { text, isThought, signature });
  }

  #showText(at: number, { text, isThought, signature }: PlainText): void {
    const builder = this.#builder;
    if (builder === undefined) return;
    if (text !== '' && isThought) builder.thinking(at, text);
    else if (text !== '') builder.text(at, text);
    if (signature === undefined) return;
    if (isThought) builder.append(at, { type: 'thinking', thinking: '' }, 'thinking', '');
    else builder.text(at, '');
    builder.part(at, { [isThought ? 'signature' : 'thought_signature']: signature });
  }

  #call(part: Mapping, { raw, partialArgs = [], willContinue }: GeminiCall): void {
    const { partialArgs: _args, willContinue: _more, ...rest } = raw;
    const last = this.#parts.at(-1);
    if (last?.args !== undefined && rest['name'] === undefined) {
      last.args.add(partialArgs);
      if (willContinue !== true) this.#closeCall(last);
      return;
    }
    if (partialArgs.length === 0 && willContinue !== true) {
      this.#push(part);
      return;
    }
    const begun = this.#push({ ...part, functionCall: rest });
    begun.args = new PartialArgs();
    begun.args.add(partialArgs);
    if (willContinue !== true) this.#closeCall(begun);
  }

  #closeCall(part: Part): void {
    const args = part.args?.whole() ?? {};
    part.args = undefined;
    part.fields['functionCall'] = { ...readNamed(part.fields['functionCall']), args };
    this.#builder?.toolArguments(this.#parts.indexOf(part), JSON.stringify(args));
  }

  /** Speech comes in pieces of one kind. */
  #isMoreSound({ inlineData: more }: GeminiPart): boolean {
    const at = this.#parts.length - 1;
    const last = this.#parts[at];
    const before = last?.read?.inlineData;
    const data = before?.data;
    const next = more?.data;
    const type = more?.mimeType;
    if (last === undefined || data === undefined || next === undefined) return false;
    if (type?.startsWith('audio/') !== true || type !== before?.mimeType) return false;
    if (!isOpenEnded(data)) return false;
    last.fields['inlineData'] = { ...before.raw, data: data + next };
    this.#builder?.append(at, {}, 'url', next);
    return true;
  }

  #show(at: number, { fields, read: part }: Part): void {
    const builder = this.#builder;
    if (builder === undefined || part === undefined) return;
    const text = plainText(part);
    if (text !== undefined) {
      this.#showText(at, text);
      return;
    }
    const { functionCall, executableCode, codeExecutionResult, inlineData, fileData } = part;
    const { thoughtSignature: signature } = part;
    const marks = signature === undefined ? {} : { thought_signature: signature };
    if (functionCall !== undefined) {
      const { id, name, args } = functionCall;
      builder.toolCall(at, {
        id,
        name,
        arguments: argumentsText(args) ?? '{}',
        ...(signature !== undefined && { provider_metadata: marks }),
      });
    } else if (executableCode !== undefined) {
      builder.part(at, { type: 'code', ...executableCode, ...marks });
    } else if (codeExecutionResult !== undefined) {
      builder.part(at, { type: 'code_execution_result', ...codeExecutionResult, ...marks });
    } else if (inlineData !== undefined || fileData !== undefined) {
      const { data, fileUri, mimeType }: Mapping = { ...fileData, ...inlineData?.raw };
      builder.part(at, {
        type: 'output_media',
        url: data ?? fileUri,
        mime_type: mimeType,
        media_type: typeof mimeType === 'string' ? mimeType.split('/')[0] : undefined,
        ...(signature !== undefined && { provider_metadata: marks }),
      });
    } else {
      // Kinds that the blueprint has no word for keep Google's own.
      const [kind = 'unknown'] = Object.keys(fields);
      builder.part(at, { type: kind, ...fields });
    }
  }

  /** Puts annotations at the text with this index; else at the last text. */
  annotate(annotations: readonly Mapping[], index: number | undefined): void {
    const isSaid = ({ read }: Part): boolean => plainText(read)?.isThought === false;
    const named = index === undefined ? undefined : this.#parts[index];
    const at =
      index !== undefined && named !== undefined && isSaid(named)
        ? index
        : this.#parts.findLastIndex(isSaid);
    if (this.#builder?.has(at) === true) this.#builder.part(at, { annotations });
  }

  whole(): readonly Mapping[] {
    // A stream may begin with an empty text, which is not there in a whole answer.
    const said = this.#parts.filter(
      ({ fields }) => fields['text'] !== '' || 'thoughtSignature' in fields,
    );
    return (said.length === 0 ? this.#parts : said).map(({ fields, args }) =>
      args === undefined
        ? { ...fields }
        : {
            ...fields,
            functionCall: { ...readNamed(fields['functionCall']), args: args.whole() },
          },
    );
  }
}
