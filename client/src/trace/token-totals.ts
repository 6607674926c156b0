import type { EncodingName } from '../../../core/catalog/encodings.ts';
import { countUnreported, type CountedCall } from '../../../trace/graph/count-tokens.ts';
import { LostPayloads } from '../../../trace/export/lost-payloads.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { SliceTurns } from '../../../core/text/slices.ts';
import { EXTENSION_HOST } from '../slices.ts';
import type { TraceSource } from './trace-source.ts';

/** Counts tokens, in another process where there is one. */
export interface TokenCounter {
  /** The encoding that the user chose. */
  encoding(): EncodingName;
  /** The tokens of texts, each by itself. Rejects with a sentence for the user where it cannot count. */
  count(texts: readonly string[], encoding: EncodingName): Promise<readonly number[]>;
}

/** What a count tells: calls that were counted since it told last, and how much is done, from 0 to 1. */
export interface CountNews {
  readonly encoding: EncodingName;
  readonly calls: readonly CountedCall[];
  readonly share: number;
  /** Why the count ended before its end. */
  readonly error?: string;
}

/** Counts the tokens of calls whose agents reported none. It goes on in slices, until all were counted or somebody stops it. */
export class TokenTotals {
  readonly #source: TraceSource;
  readonly #counter: TokenCounter;
  readonly #tell: (news: CountNews) => void;
  readonly #calls: readonly string[];
  #read = 0;
  #isStopped = false;

  constructor(
    source: TraceSource,
    counter: TokenCounter,
    calls: readonly string[],
    tell: (news: CountNews) => void,
  ) {
    this.#source = source;
    this.#counter = counter;
    this.#calls = calls;
    this.#tell = tell;
    void this.#run(counter.encoding());
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #run(encoding: EncodingName): Promise<void> {
    const { beginning } = new LostPayloads(this.#source);
    const counts = countUnreported(this.#nodes(), beginning, texts => this.#counter.count(texts, encoding));
    const turns = new SliceTurns({ ...EXTENSION_HOST, isStopped: () => this.#isStopped });
    try {
      for await (const calls of counts) {
        if (this.#isStopped) return;
        this.#tell({ encoding, calls, share: Math.min(0.99, this.#read / this.#calls.length) });
        if (turns.isDue && !(await turns.yield())) return;
      }
      if (!this.#isStopped) this.#tell({ encoding, calls: [], share: 1 });
    } catch (error) {
      if (!this.#isStopped)
        this.#tell({
          encoding,
          calls: [],
          share: 1,
          error: error instanceof Error ? error.message : String(error),
        });
    }
  }

  /** Those that are still kept when their turn comes. */
  *#nodes(): Generator<CallNode, void> {
    for (const call of this.#calls) {
      this.#read++;
      const node = this.#source.find(call);
      if (node) yield node;
    }
  }
}
