import { Transform, type TransformCallback } from 'node:stream';
import { RAL, type ContentTypeDecoder, type Message } from 'vscode-languageserver/node';
import { quote } from '../../core/text/quote.ts';

/** Maximum length of a message in bytes: 256 MiB. */
const LONGEST_BODY = 2 ** 28;
const LONGEST_HEAD = 8192;
/** Maximum number of characters that are shown of a message that is not JSON. */
const LONGEST_QUOTE = 80;
const END_OF_HEAD = '\r\n\r\n';

/**
 * The input of the language server, checked for the framing of the Language Server Protocol: each message
 * needs exactly one Content-Length, its length in bytes, and only this header is passed on. After any other
 * header later messages cannot be found: `onFault` receives a sentence and the input stops.
 */
export class FramedInput extends Transform {
  readonly #onFault: (message: string) => void;
  /** The start of an incomplete header part. */
  #head: Buffer = Buffer.alloc(0);
  /** The number of missing bytes of the message's body. */
  #missing = 0;
  #hasFailed = false;

  constructor(onFault: (message: string) => void) {
    super();
    this.#onFault = onFault;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest = chunk;
    while (rest.length > 0 && !this.#hasFailed)
      rest = this.#missing > 0 ? this.#passBody(rest) : this.#passHead(rest);
    done();
  }

  #passBody(chunk: Buffer): Buffer {
    const body = chunk.subarray(0, this.#missing);
    this.#missing -= body.length;
    this.push(body);
    return chunk.subarray(body.length);
  }

  #passHead(chunk: Buffer): Buffer {
    const all = Buffer.concat([this.#head, chunk]);
    const end = all.indexOf(END_OF_HEAD);
    if (end < 0 && all.length <= LONGEST_HEAD) {
      this.#head = all;
      return Buffer.alloc(0);
    }
    const length =
      end < 0
        ? `A head of a message has more than ${LONGEST_HEAD} bytes`
        : readLength(all.toString('latin1', 0, end));
    if (typeof length === 'string') {
      this.#hasFailed = true;
      this.#onFault(`${length}; a message begins with 'Content-Length: ' and its length in bytes`);
      return Buffer.alloc(0);
    }
    // The library interprets some headers differently, so it gets an unambiguous one.
    this.push(`Content-Length: ${length}${END_OF_HEAD}`);
    this.#head = Buffer.alloc(0);
    this.#missing = length;
    return all.subarray(end + END_OF_HEAD.length);
  }
}

/** Decodes messages as JSON. Another message is reported, and the library passes over it. */
export function makeDecoder(onForeign: (message: string) => void): ContentTypeDecoder {
  const { decoder } = RAL().applicationJson;
  return {
    name: decoder.name,
    async decode(bytes, options): Promise<Message> {
      try {
        return await decoder.decode(bytes, options);
      } catch (error) {
        const text = Buffer.from(bytes).toString();
        onForeign(`A message is not JSON and is passed over: ${quote(text, LONGEST_QUOTE)}`);
        throw error;
      }
    },
  };
}

/** The length stated in a header part, or a description of its fault. */
function readLength(head: string): number | string {
  const lines = head.split('\r\n');
  const broken = lines.find(line => !/^[\w-]+[ \t]*:/.test(line));
  if (broken !== undefined) return `The line ${quote(broken)} in the head of a message is not a header`;
  const lengths = lines.filter(line => /^content-length[ \t]*:/i.test(line));
  const [line = '', another] = lengths;
  if (lengths.length === 0) return 'A message has no Content-Length';
  if (another !== undefined) return `A message has ${lengths.length} headers Content-Length`;
  const value = line.slice(line.indexOf(':') + 1).trim();
  if (!/^\d+$/.test(value)) return `The Content-Length ${quote(value)} is not a length`;
  return Number(value) > LONGEST_BODY
    ? `The Content-Length ${quote(value)} is more than the ${LONGEST_BODY} bytes that are read`
    : Number(value);
}
