import type { EncodingName } from '../../../../../core/catalog/costs.ts';
import { countUnreported, type CountedCall } from '../../../../../trace/graph/count-tokens.ts';
import { LostPayloads } from '../../../../../trace/export/lost-payloads.ts';
import type { CallNode } from '../../../../../trace/fold/tree.ts';
import { SliceTurns } from '../../../../../core/text/slices.ts';
import { EXTENSION_HOST } from '../../../base/slices.ts';
import type { TraceSource } from '../../../trace/trace-source.ts';

/** Counts tokens, if possible in another process. */
export interface TokenCounter {
  /** The encoding that the user chose. */
  encoding(): EncodingName;
  /** The token count of each text. Rejects with a message for the user if it cannot count. */
  count(texts: readonly string[], encoding: EncodingName): Promise<readonly number[]>;
}

/** A progress report: calls counted since the last report, and the completed share from 0 to 1. */
export interface CountProgress {
  readonly encoding: EncodingName;
  readonly calls: readonly CountedCall[];
  readonly share: number;
  /** The error that ended the count early. */
  readonly error?: string;
}

/** Counts the tokens of calls without a report. Runs in slices until all are counted or it is stopped. */
export class TokenTotals {
  readonly #source: TraceSource;
  readonly #counter: TokenCounter;
  readonly #report: (progress: CountProgress) => void;
  readonly #calls: readonly string[];
  #read = 0;
  #isStopped = false;

  constructor(
    source: TraceSource,
    counter: TokenCounter,
    calls: readonly string[],
    report: (progress: CountProgress) => void,
  ) {
    this.#source = source;
    this.#counter = counter;
    this.#calls = calls;
    this.#report = report;
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
        this.#report({ encoding, calls, share: Math.min(0.99, this.#read / this.#calls.length) });
        if (turns.isDue && !(await turns.yield())) return;
      }
      if (!this.#isStopped) this.#report({ encoding, calls: [], share: 1 });
    } catch (error) {
      if (!this.#isStopped)
        this.#report({
          encoding,
          calls: [],
          share: 1,
          error: error instanceof Error ? error.message : String(error),
        });
    }
  }

  /** Only calls that are still stored when they are reached. */
  *#nodes(): Generator<CallNode, void> {
    for (const call of this.#calls) {
      this.#read++;
      const node = this.#source.find(call);
      if (node) yield node;
    }
  }
}
