import type { Message } from '../../core/message/message.ts';
import { textIn } from '../../core/values/value.ts';
import type { ToolTable } from '../../language/tools.ts';
import type { Protocol } from '../../protocols/protocol.ts';
import {
  writeConvertedSteps,
  type ConvertibleRequest,
  type WrittenRequest,
} from '../../protocols/convert/calls/convertible-request.ts';
import type { KnownTools } from '../capabilities/known-tools.ts';
import type { Connection, Outgoing, Reply, WireListener } from '../connection.ts';
import { readWithin } from '../slices.ts';
import { notSent } from '../warnings.ts';
import type { Conversations } from './conversations.ts';
import { readTimeLimit, type TimeLimit } from './time-limit.ts';

export interface RequestWriterOptions {
  /** What is known about the agent's tools. */
  readonly tools: KnownTools;
  /** The open conversations with the agent. */
  readonly conversations: Conversations;
  /** Parameters of requests that the agent's entry sets: constraints with these names are no parameters. */
  readonly fixedParameters?: readonly string[] | undefined;
}

/** Reads a request as a neutral message, with the tools that are known. */
export type ReadRequest = (tools: ToolTable) => Generator<undefined, ConvertibleRequest>;

/** A request in the agent's protocol, or the reply to one that is not sent. */
export type PreparedRequest =
  | {
      readonly ok: true;
      readonly call: Message;
      readonly written: WrittenRequest;
      /** The time that the request itself allows. */
      readonly limits: TimeLimit;
      /** The session that the request itself names. */
      readonly own: string | undefined;
      /** Notes on the conversation that it continues, and on what the agent does not receive. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly reply: Reply };

/** Writes neutral requests in the protocol of an agent, each with the names of the conversation that it continues. */
export class RequestWriter {
  readonly #connection: Connection;
  readonly #options: RequestWriterOptions;

  constructor(connection: Connection, options: RequestWriterOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** Writes a request. The agent is asked for its tools if they decide on names and types. */
  async prepare(
    read: ReadRequest,
    request: Outgoing,
    listener: WireListener,
    signal: AbortSignal,
  ): Promise<PreparedRequest> {
    const { tools } = this.#options;
    const prepared = await this.#convert(read, request, signal);
    const { table, isFresh } = tools;
    // A tool that is missing in a complete list may be new.
    const mayReportMore = !isFresh || table.isComplete;
    if (!prepared.ok || prepared.written.isSettled || !mayReportMore) return prepared;
    const fetched = await tools.refresh(this.#connection, request, listener, signal);
    // An unreachable agent would not have received the request, so it is not checked further.
    return !fetched.ok && fetched.unreachable
      ? { ok: false, reply: fetched.unreachable }
      : await this.#convert(read, request, signal);
  }

  async #convert(read: ReadRequest, request: Outgoing, signal: AbortSignal): Promise<PreparedRequest> {
    const limits = { signals: [signal], deadline: undefined };
    const reading = await readWithin(this.#convertSteps(read, request), limits);
    return reading.ended === 'read' ? reading.result : { ok: false, reply: STOPPED };
  }

  *#convertSteps(readRequest: ReadRequest, request: Outgoing): Generator<undefined, PreparedRequest> {
    const { tools, conversations, fixedParameters } = this.#options;
    const protocol: Protocol = this.#connection.protocol;
    const { table } = tools;
    const read = yield* readRequest(table);
    if (!read.ok) return { ok: false, reply: notSent(read.reason) };
    const own = textIn(read.message.fields.session);
    const { carried, note } = conversations.find(request, protocol, own);
    const call = protocol.conversations?.carryOn(read.message, carried) ?? read.message;
    yield;
    const written = yield* writeConvertedSteps(call, protocol, table, fixedParameters);
    const limits = readTimeLimit(call, Date.now());
    const notes = [...(note === undefined ? [] : [note]), ...read.notes, ...written.notes, ...limits.notes];
    return { ok: true, call, written, limits, own, notes };
  }
}

/** The reply to a request that was stopped before it was sent. */
const STOPPED: Reply = {
  status: 'cancelled',
  code: 'CANCELLED',
  message: 'The call was stopped before its request was sent',
  text: '',
  isProtocol: false,
};
