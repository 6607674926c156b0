import { LANGUAGE_SUPPORT, languageOfFile } from '../../../language/languages.ts';
import type { OpenDocument } from '../../../language/support.ts';
import type { TensorPlace } from '../../../language/feature-results.ts';
import { readTensor } from '../../../tensor/read-tensor.ts';
import { findFormat } from '../../../tensor/files/file-formats.ts';
import type { FileFormat } from '../../../tensor/files/file-format.ts';
import type { Tensor } from '../../../tensor/tensor.ts';
import type { Issue } from '../../../core/text/issue.ts';
import type { SourceText } from '../../../core/text/source-text.ts';
import type { Span } from '../../../core/text/span.ts';
import { readProfile, type CommandLine } from '../commands/command.ts';
import { UsageError } from '../exit.ts';
import { findFiles, readBytes, readLanguage, readSource, type FileTarget } from '../files.ts';
import type { Finding } from '../findings.ts';
import { pickMessage } from '../messages.ts';
import { printText } from '../print/text.ts';
import type { Terminal } from '../terminal.ts';
import { findJoinedChunks } from './joined-chunks.ts';

/** A tensor of a file, or the fault found in its place. */
export interface TensorRow {
  readonly file: string;
  /** The position in a file of messages; undefined for an array file. */
  readonly range: Finding['range'] | undefined;
  /** The path in the message, or the name in the array file; empty if there is none. */
  readonly at: string;
  readonly content:
    | { readonly kind: 'ok'; readonly tensor: Tensor }
    /** Data type and shape as written, and the issue that the rules report. */
    | {
        readonly kind: 'fault';
        readonly dtype: string;
        readonly shape: string;
        readonly issue: Pick<Issue, 'severity' | 'code' | 'message'>;
      };
}

/** The tensors read from files. */
export interface ReadRows {
  readonly rows: readonly TensorRow[];
  /** False if a file could not be read in its format; a note reports the reason. */
  readonly isRead: boolean;
  /** The names of unreadable arrays in files that could be read; notes report the reasons. */
  readonly unread: readonly string[];
  /** Messages for the user, one line each. */
  readonly notes: readonly string[];
}

/** Reads the tensors of a path: a file of messages, a folder, or an array file, recognised by its ending. */
export async function readRows(terminal: Terminal, line: CommandLine, path: string): Promise<ReadRows> {
  const read: ReadRows[] = [];
  for (const target of await findFiles(terminal, [path])) {
    const format = arrayFormat(line, target.name);
    read.push(
      format ? await readArrays(terminal, target, format) : await readMessages(terminal, line, target),
    );
  }
  return {
    rows: read.flatMap(({ rows }) => rows),
    isRead: read.every(({ isRead }) => isRead),
    unread: read.flatMap(({ unread }) => unread),
    notes: read.flatMap(({ notes }) => notes),
  };
}

/** The array format of a file. `--language` makes any file one of messages. */
function arrayFormat(line: CommandLine, name: string): FileFormat | undefined {
  return line.option('language') === undefined && !languageOfFile(name) ? findFormat(name) : undefined;
}

/** The maximum size of an array file in bytes, which is read as a whole. */
const MAX_ARRAY_BYTES = 2 ** 31 - 1;

/** Reads an array file. Faults of the file are returned as notes. */
export async function readArrays(
  terminal: Terminal,
  target: FileTarget,
  format: FileFormat,
): Promise<ReadRows> {
  const file = target.name;
  if (target.message !== undefined)
    throw new UsageError(`'${file}' holds no messages: pick one of its tensors with --at`);
  const reading = format.read(await readBytes(terminal, file, MAX_ARRAY_BYTES));
  if (reading.kind === 'fault') return unreadable(`${file}: ${reading.problem}`);
  return {
    rows: reading.tensors.map(({ name, tensor }) => ({
      file,
      range: undefined,
      at: name,
      content: { kind: 'ok', tensor },
    })),
    isRead: true,
    unread: reading.unread ?? [],
    notes: reading.notes.map(note => `${file}: ${note}`),
  };
}

async function readMessages(terminal: Terminal, line: CommandLine, target: FileTarget): Promise<ReadRows> {
  const read = await readSource(terminal, target, readLanguage(line.option('language')));
  if (!read.ok) return unreadable(printText([read.finding]).trimEnd());
  const { file } = read;
  const settings = { ...readProfile(line), maxIssues: Number.MAX_SAFE_INTEGER };
  const document = LANGUAGE_SUPPORT[file.language].openOnce(file.text, settings);
  const within = file.message === undefined ? undefined : pickMessage(file, document, file.message);
  const reader = new RowReader(file.name, document);
  // A message that was picked is shown by itself.
  const streams = within || file.language !== 'aicl' ? undefined : findJoinedChunks(file.text);
  const rows = Array.from(document.tensors(within), (place): TensorRow | undefined => {
    const stream = streams?.get(place.span.end);
    if (!stream) return reader.read(place);
    if (place.span.end !== stream.first) return undefined;
    const content = { kind: 'ok', tensor: stream.tensor } as const;
    return { file: file.name, range: rangeOf(document.text, place.span), at: place.path, content };
  }).filter(row => row !== undefined);
  return { rows, isRead: true, unread: [], notes: [] };
}

function unreadable(note: string): ReadRows {
  return { rows: [], isRead: false, unread: [], notes: [note] };
}

class RowReader {
  readonly #name: string;
  readonly #document: OpenDocument;
  /** The issues of the document, computed once and only if a tensor cannot be read. */
  #issues: readonly Issue[] | undefined;
  /** The index of the first issue that is not before the current tensor. */
  #next = 0;

  constructor(name: string, document: OpenDocument) {
    this.#name = name;
    this.#document = document;
  }

  read(place: TensorPlace): TensorRow {
    const [file, { text }] = [this.#name, this.#document];
    const source = { start: place.dtype.start, end: place.payload.end };
    const tensor = readTensor(text.slice(source.start, source.end));
    if (tensor) return new MessageTensorRow(file, text, { place, source, tensor });
    return {
      file,
      range: rangeOf(text, place.span),
      at: place.path,
      content: {
        kind: 'fault',
        dtype: this.#slice(place.dtype),
        shape: this.#slice(place.shape),
        issue: this.#find(place),
      },
    };
  }

  #slice({ start, end }: Span): string {
    return this.#document.text.slice(start, end);
  }

  /** The issue of an unreadable tensor: the first error, else the first issue. Tensors must be passed in order. */
  #find({ span }: TensorPlace): Pick<Issue, 'severity' | 'code' | 'message'> {
    const issues = (this.#issues ??= this.#document.validate());
    while ((issues[this.#next]?.span.start ?? Infinity) < span.start) this.#next++;
    const inside: Issue[] = [];
    for (let at = this.#next; (issues[at]?.span.start ?? Infinity) < span.end; at++)
      inside.push(...issues.slice(at, at + 1));
    return inside.find(({ severity }) => severity === 'error') ?? inside[0] ?? BROKEN;
  }
}

function rangeOf(text: SourceText, { start, end }: Span): Finding['range'] {
  return { start: text.toPosition(start), end: text.toPosition(end) };
}

/** Tensors of more bytes are decoded only once and stored, because a file has few of them. */
const LONG_TENSOR = 1 << 12;

/**
 * A tensor of a message. Short ones are decoded on each access instead of stored: a file may have hundreds of
 * thousands.
 */
class MessageTensorRow implements TensorRow {
  readonly file: string;
  readonly at: string;
  readonly #text: SourceText;
  readonly #start: number;
  readonly #end: number;
  /** The span from the start of the data type to the end of the payload. */
  readonly #sourceStart: number;
  readonly #sourceEnd: number;
  readonly #tensor: Tensor | undefined;

  constructor(
    file: string,
    text: SourceText,
    {
      place,
      source,
      tensor,
    }: { readonly place: TensorPlace; readonly source: Span; readonly tensor: Tensor },
  ) {
    this.file = file;
    this.at = place.path;
    this.#text = text;
    this.#start = place.span.start;
    this.#end = place.span.end;
    this.#sourceStart = source.start;
    this.#sourceEnd = source.end;
    this.#tensor = tensor.bytes.length > LONG_TENSOR ? tensor : undefined;
  }

  get range(): Finding['range'] {
    return rangeOf(this.#text, { start: this.#start, end: this.#end });
  }

  get content(): TensorRow['content'] {
    const tensor = this.#tensor ?? readTensor(this.#text.slice(this.#sourceStart, this.#sourceEnd));
    if (!tensor) throw new Error('MessageTensorRow: the tensor was read before');
    return { kind: 'ok', tensor };
  }
}

/** The issue of a tensor that the rules did not check, because its message has an error before it. */
const BROKEN = {
  severity: 'error',
  code: 'aicl/tensor-form',
  message: 'The tensor cannot be read: check its message first',
} as const;

/** Selects the tensors of `--at`; all without it. Throws a UsageError if `--at` names none. */
export function pickRows(read: ReadRows, at: string | undefined, path: string): ReadRows {
  if (at === undefined) return read;
  const rows = read.rows.filter(row => row.at === at);
  const unread = read.unread.filter(name => name === at);
  // For an unreadable file the missing tensor is not worth an error of its own.
  if (rows.length + unread.length === 0 && read.isRead)
    throw new UsageError(`There is no tensor at '${at}' in '${path}': ${describeKnown(read.rows)}`);
  return { ...read, rows, unread };
}

function describeKnown(rows: readonly TensorRow[]): string {
  const names = [...new Set(rows.map(row => row.at))];
  if (names.length === 0) return 'it has no tensors';
  if (names.length === 1 && names[0] === '') return 'its only one has no path: omit --at';
  const rest = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  const shown = names.slice(0, MAX_NAMES).map(name => `'${name}'`);
  return `it has ${shown.join(', ')}${rest}`;
}

const MAX_NAMES = 10;
