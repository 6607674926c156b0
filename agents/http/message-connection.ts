import type { Protocol } from '../../protocols/protocol.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { Connection, MessageTaker } from '../connection.ts';
import { ExchangeReader } from '../exchange-reader.ts';
import { HttpConnection, type BodyReader, type HttpLimits, type ReadReply } from './http-connection.ts';

/** A connection for protocols in which a request is a POST, and its reply one body or events. */
export function connectByPost(agent: ResolvedHttpAgent, protocol: Protocol, limits?: HttpLimits): Connection {
  return new HttpConnection(agent, protocol, (taker, text) => new MessageBody(protocol, taker, text), limits);
}

/** Reads the body of a reply in its protocol. */
export class MessageBody implements BodyReader {
  readonly #reader: ExchangeReader;

  constructor(protocol: Protocol, taker: MessageTaker | undefined, text: () => string) {
    this.#reader = new ExchangeReader(protocol, taker, text);
  }

  push(text: string): { readonly shownTo: number | undefined; readonly isOver: boolean } {
    this.#reader.push(text);
    // Text that is not a message is not shown as one.
    const { shownTo, isOver } = this.#reader;
    return { shownTo, isOver };
  }

  *endSteps(): Generator<undefined, ReadReply> {
    yield* this.#reader.endSteps();
    this.#reader.deliver();
    const { isProtocol, notes, outcome, unfinished, ending } = this.#reader;
    return { isProtocol, notes, outcome, ...ending, ...(unfinished ? { unfinished } : {}) };
  }
}
