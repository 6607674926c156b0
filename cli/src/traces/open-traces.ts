import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { constants } from 'node:buffer';
import { resolve } from 'node:path';
import { openRegularFile, sizeOf } from '../../../agents/regular-file.ts';
import { TraceIndex } from '../../../agents/store/trace-index.ts';
import type { HeadEvent, WireEvent } from '../../../core/events/events.ts';
import { LostPayloads, WHY_CUT } from '../../../trace/export/lost-payloads.ts';
import type { ExportSource } from '../../../trace/export/source.ts';
import { checkTraceHeader } from '../../../trace/file.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import { importTrace } from '../../../trace/import/import.ts';
import type { ImportedTrace } from '../../../trace/import/imported.ts';
import { compareDetails } from '../../../core/events/in-order.ts';
import { fitPayload } from '../../../trace/payload-room.ts';
import { countOf, moreAre, showCount } from '../../../core/text/count.ts';
import { quote, showOnOneLine } from '../../../core/text/quote.ts';
import { SourceText } from '../../../core/text/source-text.ts';
import { UsageError } from '../exit.ts';
import { findFiles, readBytes } from '../files.ts';
import { notUtf8 } from '../findings.ts';
import { printText } from '../print/text.ts';
import type { Terminal } from '../terminal.ts';
import { decodeUtf8 } from '../utf8.ts';

/** So many bytes are looked at for the first line of a trace file. */
const LONGEST_HEADER = 4096;

/** The calls whose loss is told one by one. */
const MOST_TOLD = 20;

/** The traces of a file. Of a call that is too long for one text the payload is its beginning. */
export interface OpenedTraces extends ExportSource {
  /** As people see it. */
  readonly name: string;
  /** What is odd about the file as a whole. */
  readonly notes: readonly string[];
  /** Reads calls, however long they are, and knows those of which not all was read. */
  readonly lost: LostPayloads;
}

/** Tells on `err` of which calls of a file not all was read. Answers whether all was. */
export function tellLost(terminal: Terminal, { name, lost: { lost, long } }: OpenedTraces): boolean {
  for (const [calls, words] of [
    [lost, (call: string) => `not all that ${call} sent and got could be read: ${WHY_LOST}`],
    [long, (call: string) => `of ${call} only the beginning counts here: ${WHY_CUT}`],
  ] as const) {
    for (const { call } of calls.slice(0, MOST_TOLD)) {
      const { agent, title } = call;
      const named = `the call ${quote(call.call)} (${showOnOneLine(agent)} ${showOnOneLine(title)})`;
      terminal.err(`${name}: ${words(named)}\n`);
    }
    if (calls.length > MOST_TOLD)
      terminal.err(`${name}: ${moreAre(calls.length - MOST_TOLD, 'call')} not whole for the same reason\n`);
  }
  return lost.length + long.length === 0;
}

const WHY_LOST =
  'the file was removed, cut or written over meanwhile; have it back as it was and do this again';

/**
 * Opens a file that holds traces, of any kind that can be read; what is odd about it as a whole is told on `err`. Undefined where
 * it holds none, which was then told. Throws a UsageError for a file that cannot be opened.
 */
export async function openTraces(terminal: Terminal, path: string): Promise<OpenedTraces | undefined> {
  const name = await findOne(terminal, path);
  if (await isTraceFile(terminal, name)) return openIndex(terminal, name);
  const text = await readText(terminal, name);
  return text === undefined ? undefined : foldTraces(terminal, name, importTrace(text, ALL_PROTOCOLS));
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
  const notes = [...imported.notes, ...fold.notes()];
  for (const note of notes) terminal.err(`${path}: ${note}\n`);
  const payload: ReadPayload = (call, room) =>
    Promise.resolve(fitPayload((payloads.get(call) ?? []).toSorted(compareDetails), room));
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

/** True for a trace file of ours by its beginning. One of these may be of any size, so it is never read whole. */
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
  for (const note of index.notes) terminal.err(`${name}: ${note}\n`);
  return toOpened(name, index.fold, index.notes, (call, room) => index.payload(call, room));
}

/** The text of a file; undefined where it is not UTF-8, which was then told. Throws a UsageError for more than is read at once. */
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

/** The engine has no longer texts, and files of others are read whole. */
function checkSize(name: string, bytes: number): void {
  if (bytes <= constants.MAX_STRING_LENGTH) return;
  const most = `${countOf(bytes, 'byte')}, and up to ${showCount(constants.MAX_STRING_LENGTH)} can be read at once`;
  const advice = name === '-' ? 'name a trace file instead, which may be of any size' : 'divide it';
  throw new UsageError(`'${name}' has ${most}; ${advice}`);
}
