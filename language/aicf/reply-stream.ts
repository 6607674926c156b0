import { findFieldEnd, decodeField } from './codec.ts';
import { AICF_COMMANDS } from '../../core/catalog/aicf.ts';
import { parseJson } from '../../core/text/json.ts';
import { LineSplitter } from '../../core/text/line-splitter.ts';

/** The commands that start a line of a reply (AICF-RPC 1.0, "Response Format" and "Streaming Responses"). */
export type AicfReplyCommand = Extract<(typeof AICF_COMMANDS)[number], { direction: 'response' }>['name'];

/** The content of a reply's body. */
export interface AicfReply {
  /** The command of the first line; undefined if the body is empty or not AICF. */
  readonly command: AicfReplyCommand | undefined;
  /** The unescaped data of `OK` or of all `STREAM` chunks; undefined for `OK` without data (null) and other replies. */
  readonly data: string | undefined;
  /** The value of the data: parsed JSON, or else the text; undefined without data. */
  readonly value: unknown;
  /** True if the reply is complete; a stream is after its `END` or `ERR`. */
  readonly hasEnded: boolean;
  /** The content of `ERR`. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
  /** Distinct remarks from a fixed set. They contain no text of the agent and therefore no secrets. */
  readonly notes: readonly string[];
}

const REPLY_COMMANDS: ReadonlyMap<string, AicfReplyCommand> = new Map(
  AICF_COMMANDS.flatMap(row => (row.direction === 'response' ? [[row.name, row.name] as const] : [])),
);

const EMPTY = 'The data is the empty text; some servers write null so, too';
const UNESCAPED = 'This server does not escape its data; it was read unchanged';

/** Reads a whole body. */
export function foldAicfReply(body: string): AicfReply {
  const fold = new AicfReplyFold();
  fold.push(body);
  return fold.end();
}

/**
 * Receives a line of a reply: its command, and the raw text after the bar that follows it, if there is one. Without a
 * command, the text continues the data before it, after a line end; blank lines between them are in it.
 */
export type AicfLineListener = (command: AicfReplyCommand | undefined, rest: string | undefined) => void;

/**
 * Reads the body of one reply incrementally. One body is one response, so a line without a response command
 * is added to the data before it, with a note. Never fails; linear in the body.
 */
export class AicfReplyFold {
  readonly #lines = new LineSplitter('data');
  readonly #onLine: AicfLineListener;
  /** The raw data of each `OK` or `STREAM` line, with its continuation lines. */
  readonly #chunks: string[][] = [];
  readonly #notes = new Set<string>();
  #command: AicfReplyCommand | undefined;
  #error: string[] | undefined;
  #isForeign = false;
  #hasEnded = false;
  #lineNumber = 0;
  /** Pending blank lines; they belong to the data only if more of it follows. */
  #blankLines = 0;

  /** `onLine` is called for each complete line of the reply. */
  constructor(onLine: AicfLineListener = () => undefined) {
    this.#onLine = onLine;
  }

  /** Takes a piece of the body. Returns true once a stream has ended: later text does not belong to it. */
  push(piece: string): boolean {
    for (const { text } of this.#lines.push(piece)) this.#takeLine(text);
    return this.#hasEnded && this.#command === 'STREAM';
  }

  /** True once a complete line started with a response command, so the body is AICF. */
  get hasBegun(): boolean {
    return this.#command !== undefined;
  }

  /** The reply, once its body is complete. */
  end(): AicfReply {
    this.#takeLine(this.#lines.end().text);
    if (this.#command === 'STREAM' && !this.#hasEnded) {
      this.#notes.add('The stream has no END; its data may be incomplete');
    }
    const reply = this.soFar();
    if (reply.command !== 'OK' || reply.data !== '') return reply;
    return { ...reply, notes: [...reply.notes, EMPTY] };
  }

  /** The number of the line that was read last, from 1. */
  get lineNumber(): number {
    return this.#lineNumber;
  }

  /** True while a line is incomplete. */
  get isInLine(): boolean {
    return this.#lines.isOpen;
  }

  /** The reply according to the complete lines so far. */
  soFar(): AicfReply {
    const data = this.#readData();
    const error = this.#error && readError(this.#error.join('\n'));
    return { command: this.#command, ...data, hasEnded: this.#hasEnded, error, notes: [...this.#notes] };
  }

  #takeLine(line: string): void {
    this.#lineNumber++;
    if (this.#isForeign) return;
    if (line.trim() === '') {
      this.#blankLines++;
      return;
    }
    const text = this.#command === undefined ? this.#trimStart(line) : line;
    const command = readCommand(text);
    if (this.#hasEnded && (command || this.#command === 'STREAM')) {
      this.#notes.add('Text came after the end of the reply');
    } else if (command) {
      this.#takeCommand(command, text.length > command.length ? text.slice(command.length + 1) : undefined);
    } else {
      this.#takeContinuation(text);
    }
    this.#blankLines = 0;
  }

  /** Removes a byte order mark and the word `Response:` before the first command; both are tolerated. */
  #trimStart(line: string): string {
    const text = line.replace(/^\u{feff}/u, '');
    const bare = text.replace(/^Response:\s*/, '');
    if (bare !== text) this.#notes.add("The reply begins with 'Response:', which belongs in documents only");
    return bare;
  }

  #takeCommand(command: AicfReplyCommand, rest: string | undefined): void {
    this.#onLine(command, rest);
    this.#command ??= command === 'END' ? 'STREAM' : command;
    if (command === 'OK' && this.#command === 'STREAM') {
      this.#notes.add("The stream continues with 'OK'; it was read as a chunk");
    }
    if (command === 'ERR') this.#error = [rest ?? ''];
    else if ((command === 'OK' || command === 'STREAM') && rest !== undefined) this.#chunks.push([rest]);
    this.#hasEnded = command === 'END' || command === 'ERR' || this.#command !== 'STREAM';
  }

  /** Lines without a command continue the last data or error; without one, as in tool lists, they are not data. */
  #takeContinuation(text: string): void {
    const open = this.#error ?? this.#chunks.at(-1);
    if (this.#command === undefined) {
      this.#isForeign = true;
    } else if (open) {
      const added = '\n'.repeat(this.#blankLines) + text;
      this.#onLine(undefined, added);
      open.push(added);
      this.#notes.add('A line without a command was read as part of the data before it');
    } else {
      this.#notes.add('A line without a command has no data before it');
    }
  }

  #readData(): { readonly data: string | undefined; readonly value: unknown } {
    if (this.#chunks.length === 0) return { data: undefined, value: undefined };
    const raw = this.#chunks.map(lines => lines.join('\n'));
    const decoded = raw.map(each => decodeField(each, 'response'));
    const data = decoded.join('');
    const parsed = parseJson(data);
    if (parsed !== undefined) return { data, value: parsed };
    const hasEscapes = decoded.some((text, at) => text !== raw[at]);
    const unescaped = hasEscapes ? raw.join('') : data;
    const parsedRaw = hasEscapes ? parseJson(unescaped) : undefined;
    if (parsedRaw === undefined) return { data, value: data };
    this.#notes.add(UNESCAPED);
    return { data: unescaped, value: parsedRaw };
  }
}

/** True if the first non-blank line of a body starts with a response command. */
export function isAicfReply(body: string): boolean {
  return foldAicfReply(body).command !== undefined;
}

/** The response command at the start of a line: the whole line or the text before its first `|`. */
function readCommand(line: string): AicfReplyCommand | undefined {
  const word = /^[A-Z]+(?=\||$)/.exec(line)?.[0];
  return word === undefined ? undefined : REPLY_COMMANDS.get(word);
}

/** Reads `code|message`: the code is the first field, the message the rest, including raw `|`. */
function readError(rest: string): { readonly code: string; readonly message: string } {
  const end = findFieldEnd(rest, 0);
  return {
    code: decodeField(rest.slice(0, end), 'response'),
    message: decodeField(rest.slice(end + 1), 'response'),
  };
}
