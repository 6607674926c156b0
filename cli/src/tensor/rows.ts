import { LANGUAGE_SUPPORT, languageOfFile } from '../../../language/languages.ts';
import type { OpenDocument } from '../../../language/support.ts';
import type { TensorPlace } from '../../../language/tensors.ts';
import { readTensor } from '../../../tensor/read-tensor.ts';
import { findFormat } from '../../../tensor/files/file-formats.ts';
import type { FileFormat } from '../../../tensor/files/file-format.ts';
import type { Tensor } from '../../../tensor/tensor.ts';
import type { Issue } from '../../../core/text/issue.ts';
import type { Span } from '../../../core/text/span.ts';
import { readProfile, type CommandLine } from '../commands/command.ts';
import { UsageError } from '../exit.ts';
import { findFiles, readBytes, readLanguage, readSource, type FileTarget } from '../files.ts';
import type { Finding } from '../findings.ts';
import { pickMessage } from '../messages.ts';
import { printText } from '../print/text.ts';
import type { Terminal } from '../terminal.ts';

/** A tensor of a file, or what stands in the place of one. */
export interface TensorRow {
  readonly file: string;
  /** Where it stands in a file of messages. */
  readonly range: Finding['range'] | undefined;
  /** Its path in the message, its name in an array file; empty where it has none. */
  readonly at: string;
  readonly content:
    | { readonly kind: 'ok'; readonly tensor: Tensor }
    /** Data type and shape as they are written, and what the rules say of it. */
    | {
        readonly kind: 'fault';
        readonly dtype: string;
        readonly shape: string;
        readonly issue: Pick<Issue, 'severity' | 'code' | 'message'>;
      };
}

/** The tensors of files. */
export interface ReadRows {
  readonly rows: readonly TensorRow[];
  /** False where a file could not be read as what it is; a note then says why. */
  readonly isRead: boolean;
  /** The names of arrays that could not be read in a file that could; notes say why. */
  readonly unread: readonly string[];
  /** Lines for people. */
  readonly notes: readonly string[];
}

/** Reads the tensors of a path: of messages, of all below a folder, or of an array file, by its ending. */
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

/** A language that was named makes any file one of messages. */
function arrayFormat(line: CommandLine, name: string): FileFormat | undefined {
  return line.option('language') === undefined && !languageOfFile(name) ? findFormat(name) : undefined;
}

/** The most bytes of an array file, which is read whole. */
const MOST_ARRAY_BYTES = 2 ** 31 - 1;

/** Reads an array file. What is wrong with it is told as a note. */
export async function readArrays(
  terminal: Terminal,
  target: FileTarget,
  format: FileFormat,
): Promise<ReadRows> {
  const file = target.name;
  if (target.message !== undefined)
    throw new UsageError(`'${file}' holds no messages: pick one of its tensors with --at`);
  const reading = format.read(await readBytes(terminal, file, MOST_ARRAY_BYTES));
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
  const document = LANGUAGE_SUPPORT[file.language].open(file.text, settings);
  const within = file.message === undefined ? undefined : pickMessage(file, document, file.message);
  const reader = new RowReader(file.name, document);
  const rows = Array.from(document.tensors(within), place => reader.read(place));
  return { rows, isRead: true, unread: [], notes: [] };
}

function unreadable(note: string): ReadRows {
  return { rows: [], isRead: false, unread: [], notes: [note] };
}

class RowReader {
  readonly #name: string;
  readonly #document: OpenDocument;
  /** Looked for once, and only where a tensor cannot be read. */
  #issues: readonly Issue[] | undefined;
  /** The first issue that no tensor before has passed. */
  #next = 0;

  constructor(name: string, document: OpenDocument) {
    this.#name = name;
    this.#document = document;
  }

  read(place: TensorPlace): TensorRow {
    const { text } = this.#document;
    const range = { start: text.toPosition(place.span.start), end: text.toPosition(place.span.end) };
    const tensor = readTensor(text.slice(place.dtype.start, place.payload.end));
    const content: TensorRow['content'] = tensor
      ? { kind: 'ok', tensor }
      : {
          kind: 'fault',
          dtype: this.#slice(place.dtype),
          shape: this.#slice(place.shape),
          issue: this.#find(place),
        };
    return { file: this.#name, range, at: place.path, content };
  }

  #slice({ start, end }: Span): string {
    return this.#document.text.slice(start, end);
  }

  /** What the rules say of a tensor: of several the first error. Tensors are asked for in order, and never again. */
  #find({ span }: TensorPlace): Pick<Issue, 'severity' | 'code' | 'message'> {
    const issues = (this.#issues ??= this.#document.validate());
    while ((issues[this.#next]?.span.start ?? Infinity) < span.start) this.#next++;
    const inside: Issue[] = [];
    for (let at = this.#next; (issues[at]?.span.start ?? Infinity) < span.end; at++)
      inside.push(...issues.slice(at, at + 1));
    return inside.find(({ severity }) => severity === 'error') ?? inside[0] ?? BROKEN;
  }
}

/** A tensor that the rules have not looked at, because its message is broken before it. */
const BROKEN = {
  severity: 'error',
  code: 'aicl/tensor-form',
  message: 'The tensor cannot be read: check its message first',
} as const;

/** What `--at` picks of what was read: all rows without it. Throws a UsageError where it names nothing. */
export function pickRows(read: ReadRows, at: string | undefined, path: string): ReadRows {
  if (at === undefined) return read;
  const rows = read.rows.filter(row => row.at === at);
  const unread = read.unread.filter(name => name === at);
  // Of a file that cannot be read, what it lacks would say nothing more.
  if (rows.length + unread.length === 0 && read.isRead)
    throw new UsageError(`There is no tensor at '${at}' in '${path}': ${sayKnown(read.rows)}`);
  return { ...read, rows, unread };
}

function sayKnown(rows: readonly TensorRow[]): string {
  const names = [...new Set(rows.map(row => row.at))];
  if (names.length === 0) return 'it has no tensors';
  if (names.length === 1 && names[0] === '') return 'its only one has no path: leave --at out';
  const rest = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  const shown = names.slice(0, MOST_NAMES).map(name => `'${name}'`);
  return `it has ${shown.join(', ')}${rest}`;
}

const MOST_NAMES = 10;
