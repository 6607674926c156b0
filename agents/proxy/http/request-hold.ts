import { findHeader } from '../../../core/events/headers.ts';
import type { MessageHead } from './http-head.ts';

/** Asks a caller for the body of its request (RFC 9110, section 15.2.1). */
export const CONTINUE = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n');

export const ASKED_FOR_BODY =
  'The recording asked for the body instead of the agent, because the guard has to read it; the agent got no Expect header';

/**
 * A guarded request while it is not known whether it may pass. A caller that sends the body only after `100
 * Continue` (RFC 9110, section 10.1.1) would wait forever, because the body may contain what names the call.
 * So the recording asks for the body, and the agent does not receive the Expect header.
 */
export class RequestHold {
  readonly #pieces: Buffer[] = [];
  #waits: boolean;

  constructor(head: MessageHead) {
    const expects = findHeader(head.headers, 'expect')?.trim().toLowerCase() === '100-continue';
    // Older versions do not have this reply.
    this.#waits = expects && head.line.endsWith(' HTTP/1.1');
  }

  /** True while its caller waits to be asked for the body. */
  get waits(): boolean {
    return this.#waits;
  }

  push(bytes: Buffer): void {
    this.#pieces.push(bytes);
  }

  /** The caller was asked for the body. */
  bodyRequested(): void {
    this.#waits = false;
    const [head, ...others] = this.#pieces;
    if (head) this.#pieces.splice(0, this.#pieces.length, withoutExpect(head), ...others);
  }

  /** The held bytes, in order. */
  release(): readonly Buffer[] {
    return this.#pieces.splice(0);
  }
}

/** The head without its Expect header; everything else is unchanged. */
function withoutExpect(head: Buffer): Buffer {
  return Buffer.from(head.toString('latin1').replace(/\r\nexpect:[^\r\n]*/i, ''), 'latin1');
}
