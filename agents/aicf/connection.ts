import { AICF } from '../../protocols/aicf/protocol.ts';
import { toOutcome } from '../../protocols/aicf/outcome.ts';
import { AicfReplyFold } from '../../language/aicf/reply-stream.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { Connection, MessageTaker } from '../connection.ts';
import { ExchangeReader } from '../exchange-reader.ts';
import { HttpConnection, type BodyReader, type HttpLimits, type ReadReply } from '../http/http-connection.ts';

/**
 * A connection to an AICF-RPC server over HTTP (AICF-RPC 1.0, "HTTP Transport"): one request per body. The
 * reply is read as AICF whatever its status or type.
 */
export function connectAicf(agent: ResolvedHttpAgent, limits?: HttpLimits): Connection {
  return new HttpConnection(agent, AICF, taker => new AicfReader(taker), limits);
}

class AicfReader implements BodyReader {
  readonly #fold = new AicfReplyFold();
  readonly #messages: ExchangeReader | undefined;
  #length = 0;

  constructor(taker: MessageTaker | undefined) {
    this.#messages = taker && new ExchangeReader(AICF, taker);
  }

  push(text: string): { readonly shownTo: number; readonly isOver: boolean } {
    this.#messages?.push(text);
    this.#length += text.length;
    const isOver = this.#fold.push(text);
    return { shownTo: this.#fold.hasBegun ? this.#length : 0, isOver };
  }

  *endSteps(): Generator<undefined, ReadReply> {
    if (this.#messages) yield* this.#messages.endSteps();
    this.#messages?.deliver();
    const reply = this.#fold.end();
    return { isProtocol: reply.command !== undefined, notes: reply.notes, outcome: toOutcome(reply) };
  }
}
