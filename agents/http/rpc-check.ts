import { readWrittenJson } from '../../language/values/json-reader.ts';
import type { BrokenBody, ReplyEvent } from '../../protocols/convert/calls/reply-reader.ts';
import type { UnfinishedReply } from '../../protocols/protocol.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { firstOf } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';

/**
 * Checks that the body of a reply is one reply of JSON-RPC: one JSON value, with the id of its request
 * (JSON-RPC 2.0, section 5), or the replies to the requests of a batch. It counts as the reply in any case, because it
 * arrived on the connection of its request. Deviations are noted.
 */
export class RpcCheck {
  readonly #wireText: string;
  #notes: readonly string[] = [];

  constructor(wireText: string) {
    this.#wireText = wireText;
  }

  /** Takes the body. */
  take({ wholeValue }: ReplyEvent): void {
    const sent = readWrittenJson(this.#wireText);
    if (wholeValue)
      this.#notes = sent?.kind === 'list' ? checkBatch(sent.items, wholeValue) : checkId(sent, wholeValue);
  }

  listNotes(broken: BrokenBody | undefined): readonly string[] {
    return broken && broken.values > 1
      ? [`The agent answered ${broken.values} times; all answers were recorded`]
      : this.#notes;
  }
}

/** Why a reply is incomplete whose body should be one JSON value; undefined for a whole one. */
export function findCut(broken: BrokenBody | undefined): UnfinishedReply | undefined {
  if (!broken || broken.values > 1) return undefined;
  const what = broken.fault ?? 'it is not JSON';
  return { status: 'incomplete', message: `The reply is incomplete: ${what}; send again for the rest` };
}

function checkId(sent: Value | undefined, reply: Value): readonly string[] {
  const given = readId(reply);
  const sentId = readId(sent);
  if (given === undefined || sentId === undefined || given === sentId) return [];
  return [
    `The reply names the id ${quote(given)}, and the request has ${quote(sentId)}; it was treated as the reply anyway`,
  ];
}

/** Notes the requests of a batch that have no answer, and the answers that belong to none (section 6). */
function checkBatch(sent: readonly Value[], reply: Value): readonly string[] {
  // One error answers a batch that the agent could not read.
  if (reply.kind !== 'list' && readId(reply) === undefined) return [];
  const given = new Set((reply.kind === 'list' ? reply.items : [reply]).map(readId));
  const requested = new Set(sent.map(readId).filter(id => id !== undefined));
  const missing = [...requested].filter(id => !given.has(id));
  const foreign = [...given].filter(id => id === undefined || !requested.has(id));
  const notes: string[] = [];
  if (missing.length > 0)
    notes.push(
      `The reply has no answer to the requests with the ids ${firstOf(missing.map(id => quote(id)))}`,
    );
  if (foreign.length > 0)
    notes.push(
      `The reply has ${foreign.length === 1 ? '1 answer that belongs' : `${foreign.length} answers that belong`} to no request of the batch`,
    );
  return notes;
}

/** The id of a message as text. */
export function readId(message: Value | undefined): string | undefined {
  const id = findEntry(message, 'id');
  if (id?.kind === 'int') return String(id.int);
  return id?.kind === 'float' ? String(id.float) : textIn(id);
}
