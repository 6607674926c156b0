import type { KeptHeader } from '../../core/events/events.ts';
import type { BytesType } from './act-outbox.ts';
import type { Exchange, ExchangeOutcome, PassingRequest, Verdict } from './exchange.ts';
import type { ExchangeAct } from './recorder-messages.ts';

/** What happens to an exchange, without its number and its time. */
export type Told<Act> = Act extends ExchangeAct ? Omit<Act, 'exchange' | 'at'> : never;

const PASSES: Verdict = { kind: 'passes' };

/** Tells a thread what happens to an exchange. */
export class ThreadExchange implements Exchange {
  readonly method: string;
  readonly isCard: boolean;
  hasReply = false;
  readonly #tell: (act: Told<ExchangeAct>) => void;
  readonly #tellBytes: (type: BytesType, bytes: Buffer) => void;

  constructor(
    { method }: PassingRequest,
    { isCard }: Pick<Exchange, 'isCard'>,
    tell: (act: Told<ExchangeAct>) => void,
    tellBytes: (type: BytesType, bytes: Buffer) => void,
  ) {
    this.method = method;
    this.isCard = isCard;
    this.#tell = tell;
    this.#tellBytes = tellBytes;
  }

  judge(): Verdict {
    return PASSES;
  }

  requestBody(bytes: Buffer): void {
    this.#tellBytes('requestBody', bytes);
  }

  requestOver(): void {
    this.#tell({ type: 'requestOver' });
  }

  replyHead(line: string, status: number, headers: readonly KeptHeader[]): void {
    if (status >= 200 || status === 101) this.hasReply = true;
    this.#tell({ type: 'replyHead', line, status, headers });
  }

  replyBody(bytes: Buffer): void {
    this.#tellBytes('replyBody', bytes);
  }

  foreign(direction: 'out' | 'in', bytes: Buffer): void {
    this.#tellBytes(direction === 'out' ? 'foreignOut' : 'foreignIn', bytes);
  }

  note(text: string): void {
    this.#tell({ type: 'note', text });
  }

  replyOver(): void {
    this.#tell({ type: 'replyOver' });
  }

  fail(outcome: ExchangeOutcome): void {
    this.#tell({ type: 'fail', outcome });
  }

  forget(): void {
    this.#tell({ type: 'forget' });
  }
}
