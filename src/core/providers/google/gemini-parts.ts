import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';
import type { ReplyBuilder } from '../reply.ts';
import { PartialArgs } from './partial-args.ts';

type Fields = Record<string, unknown>;

interface Part {
  fields: Fields;
  /** While the arguments of a function call still come. */
  args: PartialArgs | undefined;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const mappingOf = (value: unknown): Mapping => (isMapping(value) ? value : {});

/** A part that is text and nothing else besides its marks. */
function plainText({ text: given, thought, thoughtSignature, ...rest }: Mapping) {
  // A signature may come alone, and so may nothing.
  const text = given ?? '';
  if (typeof text !== 'string' || Object.keys(rest).length > 0) return undefined;
  return { text, isThought: thought === true, signature: textOf(thoughtSignature) };
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

  /** `builder` is told when this is the candidate that the reply is made of. */
  constructor(builder: ReplyBuilder | undefined) {
    this.#builder = builder;
  }

  add(part: Mapping): void {
    const text = plainText(part);
    if (text !== undefined) this.#text(part, text);
    else if (isMapping(part['functionCall'])) this.#call(part, part['functionCall']);
    else if (!this.#isMoreSound(part)) this.#push(part);
  }

  #push(fields: Mapping): Part {
    const part: Part = { fields: { ...fields }, args: undefined };
    this.#parts.push(part);
    this.#show(this.#parts.length - 1, part.fields);
    return part;
  }

  #text(part: Mapping, { text, isThought, signature }: NonNullable<ReturnType<typeof plainText>>) {
    const at = this.#parts.length - 1;
    const last = this.#parts[at];
    const before = last === undefined ? undefined : plainText(last.fields);
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

  #showText(at: number, { text, isThought, signature }: NonNullable<ReturnType<typeof plainText>>) {
    const builder = this.#builder;
    if (builder === undefined) return;
    if (text !== '' && isThought) builder.thinking(at, text);
    else if (text !== '') builder.text(at, text);
    if (signature === undefined) return;
    if (isThought) builder.append(at, { type: 'thinking', thinking: '' }, 'thinking', '');
    else builder.text(at, '');
    builder.part(at, { [isThought ? 'signature' : 'thought_signature']: signature });
  }

  #call(part: Mapping, call: Mapping): void {
    const { partialArgs, willContinue, ...rest } = call;
    const last = this.#parts.at(-1);
    const pieces = Array.isArray(partialArgs) ? (partialArgs as readonly unknown[]) : [];
    if (last?.args !== undefined && rest['name'] === undefined) {
      last.args.add(pieces);
      if (willContinue !== true) this.#closeCall(last);
      return;
    }
    if (pieces.length === 0 && willContinue !== true) {
      this.#push(part);
      return;
    }
    const begun = this.#push({ ...part, functionCall: rest });
    begun.args = new PartialArgs();
    begun.args.add(pieces);
    if (willContinue !== true) this.#closeCall(begun);
  }

  #closeCall(part: Part): void {
    const args = part.args?.whole() ?? {};
    part.args = undefined;
    part.fields['functionCall'] = { ...mappingOf(part.fields['functionCall']), args };
    this.#builder?.toolArguments(this.#parts.indexOf(part), JSON.stringify(args));
  }

  /** Speech comes in pieces of one kind. */
  #isMoreSound(part: Mapping): boolean {
    const at = this.#parts.length - 1;
    const last = this.#parts[at];
    const before = mappingOf(last?.fields['inlineData']);
    const more = mappingOf(part['inlineData']);
    const data = textOf(before['data']);
    const next = textOf(more['data']);
    const type = textOf(more['mimeType']);
    if (last === undefined || data === undefined || next === undefined) return false;
    if (type?.startsWith('audio/') !== true || type !== before['mimeType']) return false;
    if (!isOpenEnded(data)) return false;
    last.fields['inlineData'] = { ...before, data: data + next };
    this.#builder?.append(at, {}, 'url', next);
    return true;
  }

  #show(at: number, part: Mapping): void {
    const builder = this.#builder;
    if (builder === undefined) return;
    const text = plainText(part);
    if (text !== undefined) {
      this.#showText(at, text);
      return;
    }
    const { functionCall, executableCode, codeExecutionResult, inlineData, fileData } = part;
    const signature = textOf(part['thoughtSignature']);
    const marks = signature === undefined ? {} : { thought_signature: signature };
    if (isMapping(functionCall)) {
      const { id, name, args } = functionCall;
      builder.toolCall(at, {
        id: textOf(id),
        name: textOf(name),
        arguments: JSON.stringify(args ?? {}),
        ...(signature !== undefined && { provider_metadata: marks }),
      });
    } else if (isMapping(executableCode)) {
      builder.part(at, { type: 'code', ...executableCode, ...marks });
    } else if (isMapping(codeExecutionResult)) {
      builder.part(at, { type: 'code_execution_result', ...codeExecutionResult, ...marks });
    } else if (isMapping(inlineData) || isMapping(fileData)) {
      const { data, fileUri, mimeType } = { ...mappingOf(fileData), ...mappingOf(inlineData) };
      builder.part(at, {
        type: 'output_media',
        url: data ?? fileUri,
        mime_type: mimeType,
        media_type: textOf(mimeType)?.split('/')[0],
        ...(signature !== undefined && { provider_metadata: marks }),
      });
    } else {
      // Kinds that the blueprint has no word for keep Google's own.
      const [kind = 'unknown'] = Object.keys(part);
      builder.part(at, { type: kind, ...part });
    }
  }

  /** Puts annotations at the text with this index; else at the last text. */
  annotate(annotations: readonly Mapping[], index: number | undefined): void {
    const isSaid = ({ fields }: Part): boolean => plainText(fields)?.isThought === false;
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
            functionCall: { ...mappingOf(fields['functionCall']), args: args.whole() },
          },
    );
  }
}
