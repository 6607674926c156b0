import { RelativePattern, Uri, workspace } from 'vscode';
import type { HeadEvent, WireEvent } from '../../../../../core/events/events.ts';
import { walkCalls } from '../../../../../trace/export/source.ts';
import type { TraceFold } from '../../../../../trace/fold/fold.ts';
import type { PayloadPiece } from '../../../../../core/events/payload.ts';
import type { PayloadLimiter } from '../../../../../trace/payload-limiter.ts';
import type { CallNode, TraceTree } from '../../../../../trace/fold/tree.ts';
import { Changing } from '../../../base/changing.ts';
import { Throttle } from '../../../base/throttle.ts';
import { nameOf } from '../export/file-name.ts';
import type { TraceReader } from '../../../trace/trace-reader.ts';
import type { SourceChange, TraceSource } from '../../../trace/trace-source.ts';

/**
 * Milliseconds between polls of the file, because a watcher misses earlier changes, and all changes on some
 * network drives.
 */
const LOOK = 2000;

/** The traces of a file. It follows the file while that grows, for example during a recording. */
export class FileSource extends Changing<SourceChange> implements TraceSource {
  readonly title: string;
  readonly #reader: TraceReader;
  /** Aborted once the file is no longer shown. */
  readonly #closed = new AbortController();
  readonly #follow = this.own(new Throttle(() => void this.#readOn()));
  #error: string | undefined;
  /** The share of the file that has been read, from 0 to 1. */
  #share = 0;
  #isReading = false;
  #isRequestedAgain = false;

  constructor(uri: Uri, reader: TraceReader) {
    super();
    this.title = nameOf(uri);
    this.#reader = reader;
    const pattern = new RelativePattern(Uri.joinPath(uri, '..'), escapeGlob(this.title));
    const watcher = this.own(workspace.createFileSystemWatcher(pattern));
    this.own(watcher.onDidChange(() => this.#follow.request()));
    this.own(watcher.onDidCreate(() => this.#follow.request()));
    const timer = setInterval(() => this.#follow.request(), LOOK);
    this.own({ dispose: () => clearInterval(timer) });
  }

  /** Reads the file for the first time. Returns the error, or undefined. */
  async load(progress?: (read: number, size: number) => void): Promise<string | undefined> {
    await this.#readOn(progress);
    return this.#error;
  }

  /** Describes the state of a file without calls. */
  describe(): string {
    if (this.#isReading) return `Reading ${this.title}… ${Math.floor(100 * this.#share)} %`;
    return this.#error ?? [`${this.title} holds no call yet.`, ...this.notes()].join(' ');
  }

  trees(): readonly TraceTree[] {
    return this.#reader.fold.trees().toReversed();
  }

  treeOf(call: string): TraceTree | undefined {
    return this.#reader.fold.treeOf(call);
  }

  find(call: string): CallNode | undefined {
    return this.#reader.fold.find(call);
  }

  payload(call: string, limiter?: PayloadLimiter): Promise<readonly (HeadEvent | WireEvent)[]> {
    return this.#reader.payload(call, limiter);
  }

  payloads(calls: readonly string[]): AsyncIterable<PayloadPiece> {
    return this.#reader.payloads(calls);
  }

  notes(): readonly string[] {
    return [...(this.#error === undefined ? [] : [this.#error]), ...this.#reader.notes];
  }

  /** Stops reading the file, even during a read. */
  override dispose(): void {
    this.#closed.abort();
    super.dispose();
  }

  async #readOn(progress?: (read: number, size: number) => void): Promise<void> {
    if (this.#closed.signal.aborted) return;
    if (this.#isReading) {
      this.#isRequestedAgain = true;
      return;
    }
    this.#isReading = true;
    const before = this.#reader.fold;
    const read = await this.#reader.readOn((done, size) => {
      this.#share = done / Math.max(1, size);
      progress?.(done, size);
    }, this.#closed.signal);
    this.#isReading = false;
    if (this.#closed.signal.aborted) return;
    this.#error = read.ok ? undefined : read.message;
    this.#report(before);
    if (!this.#isRequestedAgain) return;
    this.#isRequestedAgain = false;
    this.#follow.request();
  }

  #report(before: TraceFold): void {
    const { fold } = this.#reader;
    fold.settle();
    const dropped =
      before === fold
        ? []
        : Array.from(walkCalls(before.trees()), ({ call }) => call.call).filter(call => !fold.find(call));
    const changed = fold.takeChanges();
    if (changed.size > 0 || dropped.length > 0) this.changed.fire({ changed, dropped });
  }
}

/** Escapes a name as a glob pattern. */
function escapeGlob(name: string): string {
  return name.replace(/[[\]{}*?]/g, '[$&]');
}
