import { findFieldEnd } from './characters.ts';
import { decodeField } from './codec.ts';
import { AICF_COMMANDS } from '../../core/catalog/aicf.ts';
import { parseJson } from '../../core/text/json.ts';
import { LineSplitter } from '../../core/text/line-splitter.ts';

/** The commands with which a line of a reply begins (AICF-RPC 1.0, "Response Format" and "Streaming Responses"). */
export type AicfReplyCommand = Extract<(typeof AICF_COMMANDS)[number], { direction: 'response' }>['name'];

/** What the body of a reply says. */
export interface AicfReply {
  /** The command of its first line; undefined where nothing came or where the body is not AICF. */
  readonly command: AicfReplyCommand | undefined;
  /** The data of `OK`, or of all `STREAM` chunks, unescaped; undefined for `OK` without data (null) and other replies. */
  readonly data: string | undefined;
  /** The data's value: that of its JSON, else the text itself; undefined where there is no data. */
  readonly value: unknown;
  /** True where the reply is whole: a stream is with its `END` or `ERR`. */
  readonly hasEnded: boolean;
  /** What `ERR` says. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
  /** Each said once, and none with the agent's own text: there is a fixed number of them, and no secret in one. */
  readonly notes: readonly string[];
}

const REPLY_COMMANDS: ReadonlyMap<string, AicfReplyCommand> = new Map(
  AICF_COMMANDS.flatMap(row => (row.direction === 'response' ? [[row.name, row.name] as const] : [])),
);

const EMPTY = 'The data is the empty text; some servers write null so, too';
const UNESCAPED = 'This server does not escape its data; it was read as it came';

/** Folds a whole body. */
export function foldAicfReply(body: string): AicfReply {
  const fold = new AicfReplyFold();
  fold.push(body);
  return fold.end();
}

/**
 * Folds the body of one reply while it comes. One body is one response, so a line that begins with no response command
 * belongs to the data before it, with a note. Total, and linear in the body.
 */
export class AicfReplyFold {
  readonly #lines = new LineSplitter('data');
  readonly #onLine: (command: AicfReplyCommand | undefined, rest: string) => void;
  /** The data of each `OK`, `STREAM` or `ERR` line, raw, with the lines that belong to it. */
  readonly #chunks: string[][] = [];
  readonly #notes = new Set<string>();
  #command: AicfReplyCommand | undefined;
  #error: string[] | undefined;
  #isForeign = false;
  #hasEnded = false;
  /** Blank lines end nothing, and belong to the data only if more of it follows. */
  #blankLines = 0;

  /**
   * `onLine` hears each line of the reply when it is whole: its command, undefined where it goes on with the line before, and
   * what follows the command.
   */
  constructor(onLine: (command: AicfReplyCommand | undefined, rest: string) => void = () => undefined) {
    this.#onLine = onLine;
  }

  /** Takes a piece of the body. Answers true once a stream has ended: nothing that comes then belongs to it. */
  push(piece: string): boolean {
    for (const line of this.#lines.push(piece)) this.#takeLine(line);
    return this.#hasEnded && this.#command === 'STREAM';
  }

  /** True once a whole line began with a response command: what comes is AICF. */
  get hasBegun(): boolean {
    return this.#command !== undefined;
  }

  /** The reply, when its body is over. */
  end(): AicfReply {
    this.#takeLine(this.#lines.end());
    if (this.#command === 'STREAM' && !this.#hasEnded) {
      this.#notes.add('The stream came to no END; its data may be cut');
    }
    const reply = this.soFar();
    if (reply.command !== 'OK' || reply.data !== '') return reply;
    return { ...reply, notes: [...reply.notes, EMPTY] };
  }

  /** True while a line waits for its end. */
  get isInLine(): boolean {
    return this.#lines.isOpen;
  }

  /** The reply as far as its whole lines tell it. */
  soFar(): AicfReply {
    const data = this.#readData();
    const error = this.#error && readError(this.#error.join('\n'));
    return { command: this.#command, ...data, hasEnded: this.#hasEnded, error, notes: [...this.#notes] };
  }

  #takeLine(line: string): void {
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

  /** A byte order mark or the word `Response:` before the first command harm nobody. */
  #trimStart(line: string): string {
    const text = line.replace(/^\u{feff}/u, '');
    const bare = text.replace(/^Response:\s*/, '');
    if (bare !== text) this.#notes.add("The reply begins with 'Response:', which belongs in documents only");
    return bare;
  }

  #takeCommand(command: AicfReplyCommand, rest: string | undefined): void {
    this.#onLine(command, rest ?? '');
    this.#command ??= command === 'END' ? 'STREAM' : command;
    if (command === 'OK' && this.#command === 'STREAM') {
      this.#notes.add("The stream goes on with 'OK'; it was read as a chunk");
    }
    if (command === 'ERR') this.#error = [rest ?? ''];
    else if ((command === 'OK' || command === 'STREAM') && rest !== undefined) this.#chunks.push([rest]);
    this.#hasEnded = command === 'END' || command === 'ERR' || this.#command !== 'STREAM';
  }

  /** Tool lists hold one line each, and what stands between them is no data. */
  #takeContinuation(text: string): void {
    const open = this.#error ?? this.#chunks.at(-1);
    if (this.#command === undefined) {
      this.#isForeign = true;
    } else if (open) {
      this.#onLine(undefined, text);
      for (let blank = 0; blank < this.#blankLines; blank++) open.push('');
      open.push(text);
      this.#notes.add('A line that no command begins was read as part of the data before it');
    } else {
      this.#notes.add('A line that no command begins has no data before it');
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

/** True for a body whose first line that is not blank begins with a response command. */
export function isAicfReply(body: string): boolean {
  return foldAicfReply(body).command !== undefined;
}

/** The response command with which a line begins: the whole line or all before its first `|`. */
function readCommand(line: string): AicfReplyCommand | undefined {
  const word = /^[A-Z]+(?=\||$)/.exec(line)?.[0];
  return word === undefined ? undefined : REPLY_COMMANDS.get(word);
}

/** `code|message`: the code is the first field, the message takes the rest of the line, raw `|` included. */
function readError(rest: string): { readonly code: string; readonly message: string } {
  const end = findFieldEnd(rest, 0);
  return {
    code: decodeField(rest.slice(0, end), 'response'),
    message: decodeField(rest.slice(end + 1), 'response'),
  };
}
