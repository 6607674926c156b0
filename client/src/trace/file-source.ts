import { EventEmitter, RelativePattern, Uri, workspace, type Disposable } from 'vscode';
import type { HeadEvent, WireEvent } from '../../../core/events/events.ts';
import type { TraceFold } from '../../../trace/fold/fold.ts';
import type { PayloadPiece } from '../../../core/events/payload-pieces.ts';
import type { PayloadRoom } from '../../../trace/payload-room.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import { DisposableStore } from '../dispose.ts';
import { Throttle } from '../throttle.ts';
import { nameOf } from './file-name.ts';
import type { TraceReader } from './trace-reader.ts';
import type { SourceChange, TraceSource } from './trace-source.ts';

/** Milliseconds between two looks at a file: a watcher misses what happened before it stood, and all on some network drives. */
const LOOK = 2000;

/** The traces of a file. It follows the file while that grows, as a recording does that is under way. */
export class FileSource implements TraceSource, Disposable {
  readonly title: string;
  readonly #reader: TraceReader;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new EventEmitter<SourceChange>());
  /** Nobody looks at the file any more. */
  readonly #closed = new AbortController();
  readonly #follow = this.#store.add(new Throttle(() => void this.#readOn()));
  #error: string | undefined;
  /** How much of the file is read, from 0 to 1. */
  #share = 0;
  #isReading = false;
  #isAskedAgain = false;

  readonly onDidChange = this.#changes.event;

  constructor(uri: Uri, reader: TraceReader) {
    this.title = nameOf(uri);
    this.#reader = reader;
    const pattern = new RelativePattern(Uri.joinPath(uri, '..'), escapeGlob(this.title));
    const watcher = this.#store.add(workspace.createFileSystemWatcher(pattern));
    this.#store.add(watcher.onDidChange(() => this.#follow.request()));
    this.#store.add(watcher.onDidCreate(() => this.#follow.request()));
    const timer = setInterval(() => this.#follow.request(), LOOK);
    this.#store.add({ dispose: () => clearInterval(timer) });
  }

  /** Reads the file for the first time. Answers why it cannot be read, or undefined. */
  async load(progress?: (read: number, size: number) => void): Promise<string | undefined> {
    await this.#readOn(progress);
    return this.#error;
  }

  /** How it stands with a file in which no call was found. */
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

  payload(call: string, room?: PayloadRoom): Promise<readonly (HeadEvent | WireEvent)[]> {
    return this.#reader.payload(call, room);
  }

  payloads(calls: readonly string[]): AsyncIterable<PayloadPiece> {
    return this.#reader.payloads(calls);
  }

  notes(): readonly string[] {
    return [...(this.#error === undefined ? [] : [this.#error]), ...this.#reader.notes];
  }

  /** Reads no more of the file, also where it is being read. */
  dispose(): void {
    this.#closed.abort();
    this.#store.dispose();
  }

  async #readOn(progress?: (read: number, size: number) => void): Promise<void> {
    if (this.#closed.signal.aborted) return;
    if (this.#isReading) {
      this.#isAskedAgain = true;
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
    this.#tell(before);
    if (!this.#isAskedAgain) return;
    this.#isAskedAgain = false;
    this.#follow.request();
  }

  #tell(before: TraceFold): void {
    const { fold } = this.#reader;
    fold.settle();
    const dropped = before === fold ? [] : listCalls(before).filter(call => !fold.find(call));
    const changed = fold.takeChanges();
    if (changed.size > 0 || dropped.length > 0) this.#changes.fire({ changed, dropped });
  }
}

function listCalls(fold: TraceFold): readonly string[] {
  const calls: string[] = [];
  const open = fold.trees().flatMap(tree => [...tree.roots]);
  for (let node = open.pop(); node; node = open.pop()) {
    calls.push(node.call.call);
    for (const child of node.children) open.push(child);
  }
  return calls;
}

/** A name as the glob that finds it alone. */
function escapeGlob(name: string): string {
  return name.replace(/[[\]{}*?]/g, '[$&]');
}
