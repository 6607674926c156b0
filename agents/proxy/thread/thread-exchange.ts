import type { StoredHeader } from '../../../core/events/events.ts';
import type { BytesType } from './recorder-queue.ts';
import type { Exchange, ExchangeOutcome, PassingRequest, Verdict } from '../exchange.ts';
import type { ExchangeAct } from './recorder-messages.ts';

/** An act of an exchange without its number and its time. */
export type ActFields<Act> = Act extends ExchangeAct ? Omit<Act, 'exchange' | 'at'> : never;

const PASSES: Verdict = { kind: 'passes' };

/** Reports the acts of an exchange to a thread. */
export class ThreadExchange implements Exchange {
  readonly method: string;
  readonly isCard: boolean;
  hasReply = false;
  readonly #emit: (act: ActFields<ExchangeAct>) => void;
  readonly #emitBytes: (type: BytesType, bytes: Buffer) => void;

  constructor(
    { method }: PassingRequest,
    { isCard }: Pick<Exchange, 'isCard'>,
    emit: (act: ActFields<ExchangeAct>) => void,
    emitBytes: (type: BytesType, bytes: Buffer) => void,
  ) {
    this.method = method;
    this.isCard = isCard;
    this.#emit = emit;
    this.#emitBytes = emitBytes;
  }

  judge(): Verdict {
    return PASSES;
  }

  requestBody(bytes: Buffer): void {
    this.#emitBytes('requestBody', bytes);
  }

  requestOver(): void {
    this.#emit({ type: 'requestOver' });
  }

  replyHead(line: string, status: number, headers: readonly StoredHeader[]): void {
    if (status >= 200 || status === 101) this.hasReply = true;
    this.#emit({ type: 'replyHead', line, status, headers });
  }

  replyBody(bytes: Buffer): void {
    this.#emitBytes('replyBody', bytes);
  }

  foreign(direction: 'out' | 'in', bytes: Buffer): void {
    this.#emitBytes(direction === 'out' ? 'foreignOut' : 'foreignIn', bytes);
  }

  note(text: string): void {
    this.#emit({ type: 'note', text });
  }

  replyOver(): void {
    this.#emit({ type: 'replyOver' });
  }

  fail(outcome: ExchangeOutcome): void {
    this.#emit({ type: 'fail', outcome });
  }

  forget(): void {
    this.#emit({ type: 'forget' });
  }
}
