import { findHeader } from '../../core/events/headers.ts';
import type { MessageHead } from './http-head.ts';

/** Asks for a body (RFC 9110, section 15.2.1). */
export const CONTINUE = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n');

export const ASKED_FOR_BODY =
  'The recording asked for the body in the place of the agent, because the guard has to read it; the agent got no Expect header';

/**
 * A guarded request while nobody knows yet whether it may pass. A caller that waits to be asked for the body (RFC 9110, section
 * 10.1.1) would wait for ever, since what names the call may stand in there: the recording asks in the agent's place, and the
 * agent is no longer told that somebody waits.
 */
export class RequestHold {
  readonly #pieces: Buffer[] = [];
  #waits: boolean;

  constructor(head: MessageHead) {
    const expects = findHeader(head.headers, 'expect')?.trim().toLowerCase() === '100-continue';
    // Who speaks an older version knows no such answer.
    this.#waits = expects && head.line.endsWith(' HTTP/1.1');
  }

  /** True while its caller waits to be asked for the body. */
  get waits(): boolean {
    return this.#waits;
  }

  push(bytes: Buffer): void {
    this.#pieces.push(bytes);
  }

  /** Its caller was asked. */
  asked(): void {
    this.#waits = false;
    const [head, ...others] = this.#pieces;
    if (head) this.#pieces.splice(0, this.#pieces.length, withoutExpect(head), ...others);
  }

  /** What was held, in its order. */
  release(): readonly Buffer[] {
    return this.#pieces.splice(0);
  }
}

/** The head without that header; all else stays as it stands. */
function withoutExpect(head: Buffer): Buffer {
  return Buffer.from(head.toString('latin1').replace(/\r\nexpect:[^\r\n]*/i, ''), 'latin1');
}
