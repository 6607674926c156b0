import type { Protocol } from '../../protocols/protocol.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { Connection } from '../connection.ts';
import { ExchangeReader } from '../exchange-reader.ts';
import {
  HttpConnection,
  type BodyReader,
  type HttpLimits,
  type OpenBody,
  type ReadReply,
} from './http-connection.ts';
import { findCut, RpcCheck } from './rpc-check.ts';

/**
 * A connection for protocols in which a request is a POST, and its reply one body or events. Replies of JSON-RPC are
 * checked against their requests, except for those with the text `unchecked`.
 */
export function connectByPost(
  agent: ResolvedHttpAgent,
  protocol: Protocol,
  limits?: HttpLimits,
  unchecked?: string,
): Connection {
  const open: OpenBody = (listener, text, { wireText }) => {
    const check = protocol.isRpc && wireText !== unchecked ? new RpcCheck(wireText) : undefined;
    return new MessageBody(new ExchangeReader(protocol, listener, text), check);
  };
  return new HttpConnection(agent, protocol, open, limits);
}

/** Reads the body of a reply in its protocol. */
export class MessageBody implements BodyReader {
  readonly #reader: ExchangeReader;
  readonly #check: RpcCheck | undefined;

  constructor(reader: ExchangeReader, check?: RpcCheck) {
    this.#reader = reader;
    this.#check = check;
    reader.observe = body => {
      if (reader.isWhole) check?.take(body);
    };
  }

  push(text: string): ReturnType<BodyReader['push']> {
    this.#reader.push(text);
    // Text that is not a message is not shown as one.
    const { shownTo, isOver, isProtocol, isWhole } = this.#reader;
    return { shownTo, isOver, isStream: isProtocol && !isWhole };
  }

  *endSteps(): Generator<undefined, ReadReply> {
    yield* this.#reader.endSteps();
    this.#reader.deliver();
    const { isProtocol, isWhole, notes, outcome, brokenBody, ending } = this.#reader;
    const unfinished = this.#reader.unfinished ?? findCut(brokenBody);
    const deviations = this.#check?.listNotes(brokenBody) ?? [];
    return {
      isProtocol,
      isStream: !isWhole,
      notes: [...notes, ...deviations],
      outcome,
      ...ending,
      ...(unfinished ? { unfinished } : {}),
    };
  }
}
