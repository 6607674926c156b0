import { growsTotal, type ChunkSummary } from '../../aicl/unit.ts';
import { quote } from '../../../core/text/quote.ts';

/** A chunk with the index of its unit. */
export interface StreamChunk extends ChunkSummary {
  readonly index: number;
}

interface StreamFault {
  /** The chunk at which the fault is reported. */
  readonly chunk: StreamChunk;
  readonly message: string;
}

/** The chunks of one stream name in one session. The name may be reused once its stream is complete. */
export class Stream {
  readonly #faults: StreamFault[] = [];
  #chunks = new Map<number, StreamChunk>();
  #n: number;

  constructor(first: StreamChunk) {
    this.#n = first.n;
    this.#chunks.set(first.k, first);
  }

  /** Adds the next chunk; false if it starts a new stream with this name. */
  add(chunk: StreamChunk): boolean {
    if (chunk.k === 1 && this.#chunks.size >= this.#n) {
      this.#close();
      this.#n = chunk.n;
      this.#chunks = new Map([[1, chunk]]);
      return false;
    }
    if (growsTotal(this.#chunks.size, this.#n, chunk)) this.#n = chunk.n;
    if (chunk.n !== this.#n) {
      const message = `The chunks of ${quote(chunk.stream)} before it are ${this.#n} in all, not ${chunk.n}: write the same number in each`;
      this.#faults.push({ chunk, message });
      return true;
    }
    if (this.#chunks.has(chunk.k)) {
      const message = `Chunk ${chunk.k} of ${quote(chunk.stream)} is there already: number each chunk once`;
      this.#faults.push({ chunk, message });
      return true;
    }
    this.#chunks.set(chunk.k, chunk);
    return true;
  }

  /** The faults of the stream: repeated chunks, gaps, a missing end. */
  finish(): readonly StreamFault[] {
    this.#close();
    return this.#faults;
  }

  #close(): void {
    const chunks = [...this.#chunks.values()].sort((a, b) => a.k - b.k);
    let before = 0;
    for (const chunk of chunks) {
      if (chunk.k > before + 1) {
        const missing = listChunks(before + 1, chunk.k - 1);
        const message = `${missing} of ${quote(chunk.stream)} before this one: the stream has a gap`;
        this.#faults.push({ chunk, message });
      }
      before = chunk.k;
    }
    const last = chunks.at(-1);
    if (!last || last.k >= this.#n) return;
    const message = `${listChunks(last.k + 1, this.#n)} of ${quote(last.stream)} after this one: the stream has no end`;
    this.#faults.push({ chunk: last, message });
  }
}

function listChunks(from: number, to: number): string {
  return from === to ? `There is no chunk ${from}` : `There are no chunks ${from} to ${to}`;
}
