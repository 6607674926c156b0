import { ReplyReader as MessageReader } from '../../protocols/convert/calls/reply-reader.ts';
import { NO_TOOLS } from '../../protocols/convert/read-text.ts';
import { Report } from '../../core/message/report.ts';
import type { Protocol } from '../../protocols/protocol.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { Connection } from '../connection.ts';
import { HttpConnection, type HttpLimits, type ReadReply, type ReplyReader } from './http-connection.ts';

/** A connection for protocols in which a request is a POST of JSON, and its reply one JSON body or events. */
export function connectByPost(agent: ResolvedHttpAgent, protocol: Protocol, limits?: HttpLimits): Connection {
  return new HttpConnection(agent, protocol, () => new BodyReader(protocol), limits);
}

class BodyReader implements ReplyReader {
  readonly #report = new Report();
  readonly #reader: MessageReader;
  #length = 0;

  constructor(protocol: Protocol) {
    // The reply is read where it is shown; here only its outcome matters.
    this.#reader = new MessageReader(protocol, { tools: NO_TOOLS, report: this.#report }, 'outcome');
  }

  push(text: string): { readonly shownTo: number; readonly isOver: boolean } {
    this.#length += text.length;
    this.#reader.push(text);
    // Text that is not a message is not shown as one.
    return { shownTo: this.#reader.isProtocol ? this.#length : 0, isOver: this.#reader.isOver };
  }

  *endSteps(): Generator<undefined, ReadReply> {
    yield* this.#reader.endSteps();
    const { isProtocol, outcome, unfinished } = this.#reader;
    const notes = this.#report.notes.map(note => note.message);
    return { isProtocol, notes, outcome, ...(unfinished ? { unfinished } : {}) };
  }
}
