/** A page has so many bytes; one with fewer left is full. A read takes so many at most. */
const PAGE = 2 ** 19;
const LEAST_READ = 2 ** 14;
const MOST_READ = 2 ** 18;

/** So many pages are kept for what comes next; more of them only until so little came for so long, in milliseconds. */
const SPARE = 16;
const KEPT_FOR = 10_000;

/** Memory that two threads read. */
export class SharedPage {
  readonly memory = new SharedArrayBuffer(PAGE);
  /** The number of the newest read to it: what is read together has the same. */
  read = 0;
  /** How many still need what stands in it. */
  users = 0;
}

/**
 * Memory for what is read, which another thread reads without a copy, and which serves again once nobody needs what stands in
 * it: to get new memory takes a system as long as to read to it. What served last serves first, because caches still know it.
 */
export class SharedPages {
  readonly #known = new WeakMap<ArrayBufferLike, SharedPage>();
  #free: SharedPage[] = [];
  #timer: NodeJS.Timeout | undefined;
  #reads = 0;

  /** How many pages nobody uses. */
  get spare(): number {
    return this.#free.length;
  }

  /** A page that has one user. */
  take(): SharedPage {
    const page = this.#free.pop() ?? new SharedPage();
    this.#known.set(page.memory, page);
    page.users = 1;
    return page;
  }

  /** It has one user fewer. */
  release(page: SharedPage): void {
    if (--page.users > 0) return;
    this.#free.push(page);
    if (this.#free.length <= SPARE) return;
    this.#timer ??= setTimeout(() => this.#trim(), KEPT_FOR).unref();
    this.#timer.refresh();
  }

  /** The page whose memory that is. */
  find(memory: ArrayBufferLike): SharedPage | undefined {
    return this.#known.get(memory);
  }

  /** The number of a read that begins. */
  countRead(): number {
    return ++this.#reads;
  }

  #trim(): void {
    this.#timer = undefined;
    this.#free = this.#free.slice(-SPARE);
  }
}

/** Where one connection reads to: one page after the other. */
export class ReadMemory {
  readonly #pages: SharedPages;
  /** Pages of what is being written, in its order. */
  readonly #writing: SharedPage[] = [];
  #page: SharedPage;
  #used = 0;

  constructor(pages: SharedPages) {
    this.#pages = pages;
    this.#page = pages.take();
  }

  /** Room for what is read next; the same until something was. */
  next(): Buffer {
    if (PAGE - this.#used < LEAST_READ) {
      this.#pages.release(this.#page);
      this.#page = this.#pages.take();
      this.#used = 0;
    }
    return Buffer.from(this.#page.memory, this.#used, Math.min(PAGE - this.#used, MOST_READ));
  }

  /** So many bytes were read to that room: answers them. They stay as they are while somebody uses their page. */
  take(length: number): Buffer {
    const bytes = Buffer.from(this.#page.memory, this.#used, length);
    this.#used += length;
    this.#page.read = this.#pages.countRead();
    return bytes;
  }

  /** Copies as many of these bytes as there is room for; answers the copy. */
  copy(bytes: Buffer): Buffer {
    return this.take(bytes.copy(this.next()));
  }

  /** What was taken last is being written: its page is used until `written` is called, in the same order. */
  writing(): void {
    this.#page.users++;
    this.#writing.push(this.#page);
  }

  readonly written = (): void => {
    const page = this.#writing.shift();
    if (page) this.#pages.release(page);
  };

  /** Nothing more is read. */
  close(): void {
    this.#pages.release(this.#page);
  }
}
