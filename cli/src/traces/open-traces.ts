import { constants } from 'node:buffer';
import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { TraceIndex } from '../../../agents/src/store/trace-index.ts';
import type { HeadEvent, WireEvent } from '../../../protocol/src/trace/events.ts';
import type { ExportSource } from '../../../protocol/src/trace/export/source.ts';
import { checkTraceHeader } from '../../../protocol/src/trace/file.ts';
import { TraceFold } from '../../../protocol/src/trace/fold.ts';
import { importTrace } from '../../../protocol/src/trace/import/import.ts';
import type { ImportedTrace } from '../../../protocol/src/trace/import/imported.ts';
import { compareDetails } from '../../../protocol/src/trace/in-order.ts';
import { countOf, showCount } from '../../../protocol/src/text/count.ts';
import { SourceText } from '../../../protocol/src/text/source-text.ts';
import { UsageError } from '../exit.ts';
import { findFiles, readBytes } from '../files.ts';
import { notUtf8 } from '../findings.ts';
import { printText } from '../print/text.ts';
import type { Terminal } from '../terminal.ts';
import { decodeUtf8 } from '../utf8.ts';

/** So many bytes are looked at for the first line of a trace file. */
const LONGEST_HEADER = 4096;

/** The traces of a file. */
export interface OpenedTraces extends ExportSource {
  /** What is odd about the file as a whole. */
  readonly notes: readonly string[];
}

/**
 * Opens a file that holds traces, of any kind that can be read; what is odd about it as a whole is told on `err`. Undefined where
 * it holds none, which was then told. Throws a UsageError for a file that cannot be opened.
 */
export async function openTraces(terminal: Terminal, path: string): Promise<OpenedTraces | undefined> {
  const name = await findOne(terminal, path);
  if (await isTraceFile(terminal, name)) return openIndex(terminal, name);
  const text = await readText(terminal, name);
  return text === undefined ? undefined : foldTraces(terminal, name, importTrace(text));
}

/** Makes trees of what was read; what is odd about it, or why it cannot be read, is told on `err` under a name. */
export function foldTraces(
  terminal: Terminal,
  path: string,
  imported: ImportedTrace,
): OpenedTraces | undefined {
  if (!imported.ok) {
    terminal.err(`${path}: ${imported.error}\n`);
    return undefined;
  }
  const fold = new TraceFold('counted');
  const payloads = new Map<string, (HeadEvent | WireEvent)[]>();
  for (const event of imported.events) {
    fold.add(event);
    if (event.type !== 'head' && event.type !== 'wire') continue;
    const kept = payloads.get(event.call);
    if (kept) kept.push(event);
    else payloads.set(event.call, [event]);
  }
  const trees = fold.trees();
  const notes = [...imported.notes, ...fold.notes()];
  for (const note of notes) terminal.err(`${path}: ${note}\n`);
  return {
    trees,
    notes,
    payload: call => Promise.resolve((payloads.get(call) ?? []).toSorted(compareDetails)),
  };
}

async function findOne(terminal: Terminal, path: string): Promise<string> {
  const [target, another] = await findFiles(terminal, [path]);
  if (!target || another || target.message !== undefined)
    throw new UsageError(`'${path}' is not one file; name a file that holds traces`);
  return target.name;
}

/** True for a trace file of ours by its beginning. One of these may be of any size, so it is never read whole. */
async function isTraceFile(terminal: Terminal, name: string): Promise<boolean> {
  if (name === '-') return false;
  try {
    const file = await open(resolve(terminal.cwd, name), 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_HEADER), 0, LONGEST_HEADER, 0);
      const line = buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? '';
      return checkTraceHeader(line.replace(/^\ufeff/, '')) === undefined;
    } finally {
      await file.close();
    }
  } catch {
    // Who reads it whole says why it cannot be opened.
    return false;
  }
}

async function openIndex(terminal: Terminal, name: string): Promise<OpenedTraces | undefined> {
  const index = new TraceIndex(resolve(terminal.cwd, name));
  const read = await index.readOn();
  if (!read.ok) {
    terminal.err(`${name}: ${read.message}\n`);
    return undefined;
  }
  const trees = index.fold.trees();
  for (const note of index.notes) terminal.err(`${name}: ${note}\n`);
  return { trees, notes: index.notes, payload: call => index.payload(call) };
}

/** The text of a file; undefined where it is not UTF-8, which was then told. Throws a UsageError for more than is read at once. */
async function readText(terminal: Terminal, name: string): Promise<string | undefined> {
  if (name !== '-') checkSize(name, await sizeOf(resolve(terminal.cwd, name)));
  const bytes = await readBytes(terminal, name);
  checkSize(name, bytes.length);
  const decoded = decodeUtf8(bytes);
  if (decoded.ok) return decoded.text;
  const at = SourceText.of(decoded.textBefore).toPosition(decoded.textBefore.length);
  terminal.err(printText([notUtf8(name, decoded.badByte, at)], { colour: false }));
  return undefined;
}

/** The engine has no longer texts, and files of others are read whole. */
function checkSize(name: string, bytes: number): void {
  if (bytes <= constants.MAX_STRING_LENGTH) return;
  const most = `${countOf(bytes, 'byte')}, and up to ${showCount(constants.MAX_STRING_LENGTH)} can be read at once`;
  const advice = name === '-' ? 'name a trace file instead, which may be of any size' : 'divide it';
  throw new UsageError(`'${name}' has ${most}; ${advice}`);
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    // Who reads it says why it cannot be opened.
    return 0;
  }
}
