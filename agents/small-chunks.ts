/** Chunks below this number of bytes that arrive together are joined. */
const SMALL = 1024;

/** The maximum number of bytes that are joined. */
const MAX_JOINED = 2 ** 20;

/** Chunks that arrive within this number of milliseconds, in one turn of the event loop, arrive together. */
const TOGETHER = 1;

/** Bytes of a body, the time of the first one, and the number of chunks in which they arrived. */
interface Chunks<Body> {
  readonly body: Body;
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly chunks: number;
}

/** Joins the small chunks of a body that arrive together, because each alone takes many times its size to store. */
export class SmallChunks<Body> {
  readonly #take: (joined: Chunks<Body>) => void;
  #waiting: Chunks<Body>[] = [];
  #length = 0;

  /** `take` receives everything that is pushed, in order, at the latest at the end of the turn. */
  constructor(take: (joined: Chunks<Body>) => void) {
    this.#take = take;
  }

  push(pushed: Chunks<Body>): void {
    const [first] = this.#waiting;
    const isTogether =
      first?.body === pushed.body && pushed.at - first.at < TOGETHER && this.#length < MAX_JOINED;
    const isSmall = pushed.bytes.length < SMALL;
    if (!isTogether || !isSmall) this.flush();
    if (!isSmall) {
      this.#take(pushed);
      return;
    }
    if (!first) queueMicrotask(() => this.flush());
    this.#waiting.push(pushed);
    this.#length += pushed.bytes.length;
  }

  /** Passes on what waits. */
  flush(): void {
    const [first, ...others] = this.#waiting;
    if (!first) return;
    const all = this.#waiting;
    this.#waiting = [];
    this.#length = 0;
    if (others.length === 0) this.#take(first);
    else
      this.#take({
        ...first,
        bytes: Buffer.concat(all.map(({ bytes }) => bytes)),
        chunks: all.reduce((sum, { chunks }) => sum + chunks, 0),
      });
  }
}
