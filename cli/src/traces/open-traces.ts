import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { constants } from 'node:buffer';
import { resolve } from 'node:path';
import { openRegularFile, sizeOf } from '../../../agents/regular-file.ts';
import { readUnpacked } from '../../../agents/store/unpacked-payload.ts';
import { TraceIndex } from '../../../agents/store/trace-index.ts';
import type { HeadEvent, WireEvent } from '../../../core/events/events.ts';
import { LostPayloads, WHY_CUT } from '../../../trace/export/lost-payloads.ts';
import type { ExportSource } from '../../../trace/export/source.ts';
import { checkTraceHeader } from '../../../trace/file.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { importTrace } from '../../../trace/import/import.ts';
import type { ImportedTrace } from '../../../trace/import/imported.ts';
import { compareDetails } from '../../../core/events/in-order.ts';
import { countOf, moreAre, showCount } from '../../../core/text/count.ts';
import { quote, showOnOneLine } from '../../../core/text/quote.ts';
import { SourceText } from '../../../core/text/source-text.ts';
import { UsageError } from '../exit.ts';
import { findFiles, readBytes } from '../files.ts';
import { notUtf8 } from '../findings.ts';
import { printText } from '../print/text.ts';
import type { Terminal } from '../terminal.ts';
import { decodeUtf8 } from '../utf8.ts';

/** The number of bytes in which the first line of a trace file is searched. */
const LONGEST_HEADER = 4096;

/** The maximum number of calls whose loss is reported one by one. */
const MAX_LISTED = 20;

/** The traces of a file. If a call is too long for one string, its payload is the beginning. */
export interface OpenedTraces extends ExportSource {
  /** The name of the file, as shown to the user. */
  readonly name: string;
  /** Notes about unexpected content in the file as a whole. */
  readonly notes: readonly string[];
  /** Reads calls of any length, and records which of them were not read completely. */
  readonly lost: LostPayloads;
}

/** Reports on `err` which calls of a file were not read completely. Returns true if all were. */
export function reportLost(terminal: Terminal, { name, lost: { lost, long } }: OpenedTraces): boolean {
  for (const [calls, words] of [
    [lost, (call: string) => `not all payloads of ${call} could be read: ${WHY_LOST}`],
    [long, (call: string) => `only the beginning of ${call} is used: ${WHY_CUT}`],
  ] as const) {
    for (const { call } of calls.slice(0, MAX_LISTED)) {
      const { agent, title } = call;
      const named = `the call ${quote(call.call)} (${showOnOneLine(agent)} ${showOnOneLine(title)})`;
      terminal.err(`${name}: ${words(named)}\n`);
    }
    if (calls.length > MAX_LISTED)
      terminal.err(`${name}: ${moreAre(calls.length - MAX_LISTED, 'call')} incomplete for the same reason\n`);
  }
  return lost.length + long.length === 0;
}

const WHY_LOST = 'the file was removed, truncated or overwritten meanwhile; restore it and try again';

/**
 * Opens a file of traces in any known format, and prints notes about it on `err`. Returns undefined if it
 * holds no traces, after reporting that. Throws a UsageError for a file that cannot be opened.
 */
export async function openTraces(terminal: Terminal, path: string): Promise<OpenedTraces | undefined> {
  const name = await findOne(terminal, path);
  if (await isTraceFile(terminal, name)) return openIndex(terminal, name);
  const text = await readText(terminal, name);
  return text === undefined ? undefined : foldTraces(terminal, name, importTrace(text, ALL_PROTOCOLS));
}

/**
 * Builds trees from an imported trace. Notes, or the error of the import, are printed on `err` after the name
 * `path`.
 */
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
    const stored = payloads.get(event.call);
    if (stored) stored.push(event);
    else payloads.set(event.call, [event]);
  }
  const notes = [...imported.notes, ...fold.notes()];
  for (const note of notes) terminal.err(`${path}: ${note}\n`);
  const payload: ReadPayload = (call, limiter) =>
    readUnpacked((payloads.get(call) ?? []).toSorted(compareDetails), limiter);
  return toOpened(path, fold, notes, payload);
}

type ReadPayload = TraceIndex['payload'];

function toOpened(
  name: string,
  fold: TraceFold,
  notes: readonly string[],
  payload: ReadPayload,
): OpenedTraces {
  const lost = new LostPayloads({ payload, find: call => fold.find(call) });
  return { name, trees: fold.trees(), notes, payload: lost.beginning, lost, protocols: ALL_PROTOCOLS };
}

async function findOne(terminal: Terminal, path: string): Promise<string> {
  const [target, another] = await findFiles(terminal, [path]);
  if (!target || another || target.message !== undefined)
    throw new UsageError(`'${path}' is not one file; name a file that holds traces`);
  return target.name;
}

/** True if the file begins like an agenttrace file. Such a file may have any size, so only its beginning is read. */
async function isTraceFile(terminal: Terminal, name: string): Promise<boolean> {
  if (name === '-') return false;
  try {
    const file = await openRegularFile(resolve(terminal.cwd, name));
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_HEADER), 0, LONGEST_HEADER, 0);
      const line = buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? '';
      return checkTraceHeader(line.replace(/^\ufeff/, '')) === undefined;
    } finally {
      await file.close();
    }
  } catch {
    // The function that reads the whole file reports why it cannot be opened.
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
  for (const note of index.notes) terminal.err(`${name}: ${note}\n`);
  return toOpened(name, index.fold, index.notes, (call, limiter) => index.payload(call, limiter));
}

/**
 * The text of a file; undefined if it is not UTF-8, after reporting that. Throws a UsageError if the file is
 * too large for one string.
 */
async function readText(terminal: Terminal, name: string): Promise<string | undefined> {
  if (name !== '-') checkSize(name, await sizeOf(resolve(terminal.cwd, name)));
  const bytes = await readBytes(terminal, name);
  checkSize(name, bytes.length);
  const decoded = decodeUtf8(bytes);
  if (decoded.ok) return decoded.text;
  const at = SourceText.of(decoded.textBefore).toPosition(decoded.textBefore.length);
  terminal.err(printText([notUtf8(name, decoded.badByte, at)]));
  return undefined;
}

/** Throws a UsageError if the text exceeds the maximum length of a string. */
function checkSize(name: string, bytes: number): void {
  if (bytes <= constants.MAX_STRING_LENGTH) return;
  const most = `${countOf(bytes, 'byte')}, and up to ${showCount(constants.MAX_STRING_LENGTH)} can be read at once`;
  const advice = name === '-' ? 'name a trace file instead, which may be of any size' : 'divide it';
  throw new UsageError(`'${name}' has ${most}; ${advice}`);
}
