import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseJson } from '../../../protocol/src/text/json.ts';
import { quote } from '../../../protocol/src/text/quote.ts';
import type { TraceEvent } from '../../../protocol/src/trace/events.ts';
import { printTraceHeader } from '../../../protocol/src/trace/file.ts';
import { readTraceEvent } from '../../../protocol/src/trace/guards.ts';
import { now } from '../runtime.ts';
import { TraceIndex } from './trace-index.ts';

/** Milliseconds between two looks at the file. Watchers of file systems miss changes; a look at a file costs little. */
const LOOK = 200;

/** Who hears what comes to a file. */
interface FollowListener {
  /** Takes each event, whole. */
  readonly emit: (event: TraceEvent) => void;
  /** Hears once why the file cannot be read: a sentence without a full stop. */
  readonly onProblem: (message: string) => void;
}

export type FollowedFile =
  | {
      readonly ok: true;
      /** Reads what is there, and no more then. Calls that are open end as `incomplete`. */
      stop(): Promise<void>;
    }
  | { readonly ok: false; readonly message: string };

/**
 * Tells what other processes append to a trace file from now on. The file is made empty first, with its folder: who writes it
 * already writes on at its end.
 */
export async function followFile(
  path: string,
  producer: string,
  { emit, onProblem }: FollowListener,
): Promise<FollowedFile> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, printTraceHeader(producer));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `${quote(path, 200)} cannot be written (${reason})` };
  }
  const open = new Set<string>();
  const take = (event: TraceEvent | undefined): void => {
    if (!event) return;
    if (event.type === 'call') open.add(event.call);
    else if (event.type === 'end') open.delete(event.call);
    emit(event);
  };
  const index = new TraceIndex(path, {
    take: (_, line) => take(readTraceEvent(parseJson(line.toString()))),
    async takeLong(_, line) {
      for await (const piece of line.pieces()) take(piece);
    },
  });
  const told = new Set<string>();
  const look = async (): Promise<void> => {
    const read = await index.readOn();
    if (read.ok || told.has(read.message)) return;
    told.add(read.message);
    onProblem(read.message);
  };
  const timer = setInterval(() => void look(), LOOK);
  return {
    ok: true,
    async stop() {
      clearInterval(timer);
      await look();
      const message = 'The recording was stopped before the call ended';
      for (const call of open) emit({ type: 'end', call, at: now(), status: 'incomplete', message });
    },
  };
}
