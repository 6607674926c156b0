import type { Protocol } from '../../protocols/protocol.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { Connection, MessageTaker } from '../connection.ts';
import { ExchangeReader } from '../exchange-reader.ts';
import { HttpConnection, type BodyReader, type HttpLimits, type ReadReply } from './http-connection.ts';

/** A connection for protocols in which a request is a POST of JSON, and its reply one JSON body or events. */
export function connectByPost(agent: ResolvedHttpAgent, protocol: Protocol, limits?: HttpLimits): Connection {
  return new HttpConnection(agent, protocol, (taker, text) => new MessageBody(protocol, taker, text), limits);
}

class MessageBody implements BodyReader {
  readonly #reader: ExchangeReader;
  #length = 0;

  constructor(protocol: Protocol, taker: MessageTaker | undefined, text: () => string) {
    this.#reader = new ExchangeReader(protocol, taker, text);
  }

  push(text: string): { readonly shownTo: number | undefined; readonly isOver: boolean } {
    this.#length += text.length;
    this.#reader.push(text);
    const { isProtocol, isWhole, isOver } = this.#reader;
    // Text that is not a message is not shown as one.
    return { shownTo: isWhole ? undefined : isProtocol ? this.#length : 0, isOver };
  }

  *endSteps(): Generator<undefined, ReadReply> {
    yield* this.#reader.endSteps();
    this.#reader.deliver();
    const { isProtocol, notes, outcome, unfinished } = this.#reader;
    return { isProtocol, notes, outcome, ...(unfinished ? { unfinished } : {}) };
  }
}
