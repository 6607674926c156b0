import { ALL_PROTOCOLS } from '../../../../../protocols/all.ts';
import { workspace, type Uri } from 'vscode';
import { showBytes } from '../../../../../tensor/size-words.ts';
import { decodeUtf8 } from '../../../../../core/events/bytes.ts';
import type { HeadEvent, WireEvent } from '../../../../../core/events/events.ts';
import { TraceFold } from '../../../../../trace/fold/fold.ts';
import { readEach, type PayloadPiece } from '../../../../../core/events/payload.ts';
import { fitPayload, type PayloadLimiter } from '../../../../../trace/payload-limiter.ts';
import { importSteps } from '../../../../../trace/import/import.ts';
import { runInSlices } from '../../../../../core/text/slices.ts';
import { describeError } from '../../../base/log.ts';
import { FileRefusal, readFile } from '../../../base/read-file.ts';
import { EXTENSION_HOST } from '../../../base/slices.ts';
import { nameOf } from '../export/file-name.ts';
import type { TraceReader } from '../../../trace/trace-reader.ts';

/** The maximum size of a file that is read as a whole, because of memory. */
const MAX_BYTES = 256 * 2 ** 20;

/** Reads any kind of file with traces as a whole, wherever VS Code can read files; again after a change. */
export class WholeFileReader implements TraceReader {
  readonly #uri: Uri;
  #fold = new TraceFold();
  #notes: readonly string[] = [];
  /** Size and modification time when the file was read. */
  #read = '';

  constructor(uri: Uri) {
    this.#uri = uri;
  }

  get fold(): TraceFold {
    return this.#fold;
  }

  get notes(): readonly string[] {
    return [...this.#notes, ...this.#fold.notes()];
  }

  async readOn(_progress?: unknown, signal?: AbortSignal): ReturnType<TraceReader['readOn']> {
    const name = nameOf(this.#uri);
    try {
      const { size, mtime } = await workspace.fs.stat(this.#uri);
      const look = `${size} ${mtime}`;
      if (look === this.#read) return { ok: true, found: 'nothing' };
      if (size > MAX_BYTES) {
        const most = showBytes(MAX_BYTES);
        const message = `${name} has ${showBytes(size)}, and files of up to ${most} are read whole; open a trace file (.agenttrace.jsonl) of any size in VS Code on the desktop`;
        return { ok: false, message };
      }
      const text = decodeUtf8(await readFile(this.#uri, MAX_BYTES));
      if (text === undefined) return { ok: false, message: `${name} is not UTF-8, so it holds no traces` };
      return await this.#take(text, look, signal);
    } catch (error) {
      if (error instanceof FileRefusal) return { ok: false, message: `${name} ${error.message}` };
      return { ok: false, message: `${name} cannot be read (${describeError(error)}); check that it exists` };
    }
  }

  async payload(call: string, limiter?: PayloadLimiter): Promise<readonly (HeadEvent | WireEvent)[]> {
    return fitPayload(this.#fold.find(call)?.payload ?? [], limiter);
  }

  payloads(calls: readonly string[]): AsyncIterable<PayloadPiece> {
    return readEach(calls, call => this.payload(call));
  }

  async #take(
    text: string,
    look: string,
    signal: AbortSignal | undefined,
  ): ReturnType<TraceReader['readOn']> {
    const isStopped = (): boolean => signal?.aborted === true;
    const read = (await runInSlices(foldSteps(text), { ...EXTENSION_HOST, isStopped }))?.result;
    if (!read) return { ok: true, found: 'nothing' };
    if (!read.ok) return { ok: false, message: read.error };
    const isFirst = this.#read === '';
    this.#read = look;
    this.#notes = read.notes;
    this.#fold = read.fold;
    return { ok: true, found: isFirst ? 'more' : 'anew' };
  }
}

type FoldedFile =
  | { readonly ok: true; readonly fold: TraceFold; readonly notes: readonly string[] }
  | { readonly ok: false; readonly error: string };

/** Reads and folds the calls of a file in slices. */
function* foldSteps(text: string): Generator<undefined, FoldedFile> {
  const imported = yield* importSteps(text, ALL_PROTOCOLS);
  if (!imported.ok) return imported;
  const fold = new TraceFold();
  for (const event of imported.events) {
    fold.add(event);
    yield;
  }
  return { ok: true, fold, notes: imported.notes };
}
