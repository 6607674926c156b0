import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorMeaning } from '../../core/catalog/error-meanings.ts';
import { message, type Message } from '../../core/message/message.ts';
import { findEntry, intValue, NULL, textValue, type Value } from '../../core/values/value.ts';
import { readJsonValue } from '../../language/values/json-reader.ts';
import type { Protocol } from '../../protocols/protocol.ts';
import { ANY_ARGUMENTS, writeOwnError } from '../../protocols/serving/calls.ts';
import type {
  CallOptions,
  Offer,
  OfferedTool,
  ServedAgent,
  ServedCall,
  ServedReply,
} from '../../protocols/serving/serving.ts';
import type { JsonValue, ListedTool } from './tools.ts';

/** What a demo agent offers besides its name. */
export type DemoOffer = Pick<Offer, 'name' | 'description'> & Partial<Offer>;

/** The whole offer of a demo agent. */
export function offerOf(offer: DemoOffer): Offer {
  return {
    version: '1.0.0',
    tools: [],
    isOpen: false,
    takesTasks: false,
    resources: [],
    prompts: [],
    completes: false,
    ...offer,
  };
}

/** A demo agent that answers calls, as the agent that a server of a protocol serves. */
export function serveDemo(
  protocol: Protocol,
  offer: DemoOffer,
  run: (asked: Message, options: CallOptions, signal: AbortSignal) => Promise<ServedReply>,
): ServedAgent {
  const { name } = offer;
  return {
    name,
    offer: () => Promise.resolve(offerOf(offer)),
    call: (asked, options) => begin(options, signal => run(asked, options, signal)),
    readItem: (_item, options) =>
      begin(options, () =>
        Promise.resolve(refuse(protocol, 'malformed', `The agent ${name} has no resources and no prompts`)),
      ),
    onOfferChanged: () => () => undefined,
  };
}

/** Runs a call until it is cancelled or its caller has gone. */
export function begin(
  { request }: CallOptions,
  run: (signal: AbortSignal) => Promise<ServedReply>,
): ServedCall {
  const stop = new AbortController();
  request.gone.addEventListener('abort', () => stop.abort());
  const failed = (error: unknown): ServedReply => (stop.signal.aborted ? STOPPED : fail(500, String(error)));
  return { reply: run(stop.signal).catch(failed), cancel: () => stop.abort() };
}

/** A tool as it is offered. */
export function offerTool(tool: ListedTool): OfferedTool {
  const value = toValue(tool);
  const { name, description } = tool;
  return { name, description, value, schema: findEntry(value, 'inputSchema') ?? ANY_ARGUMENTS };
}

/** Milliseconds between two words, so that the user sees the reply grow. */
const WORD_EVERY = 60;

/** Says a text word by word. */
export async function sayWords(
  text: string,
  { take }: CallOptions,
  signal: AbortSignal,
): Promise<ServedReply> {
  for (const word of text.match(/\S+\s*/g) ?? []) {
    if (signal.aborted) break;
    take?.([message('chunk', { data: textValue(word) })]);
    await sleep(WORD_EVERY, undefined, { signal }).catch(() => undefined);
  }
  const status = signal.aborted ? 'cancelled' : 'ok';
  return { ...reply(message('result', { data: textValue(text) })), status };
}

/** A reply whose parts were sent as chunks, or that has none. */
export function reply(replied: Message): ServedReply {
  return { status: replied.kind === 'error' ? 'error' : 'ok', message: replied, unsent: undefined };
}

/** A failure of a tool, in the codes of AICF. */
export function fail(code: number, text: string): ServedReply {
  const error = { protocol: textValue('aicf'), code: intValue(code), text: textValue(text) };
  return reply(message('error', error));
}

/** The error for a request that the agent cannot take, in the codes of its protocol. */
export function refuse(protocol: Protocol, meaning: ErrorMeaning, text: string): ServedReply {
  return { ...reply(writeOwnError(protocol, meaning, text)), failure: 'refused' };
}

const STOPPED: ServedReply = {
  ...fail(500, 'The call was stopped'),
  status: 'cancelled',
  failure: 'cancelled',
};

export function toValue(json: JsonValue): Value {
  return readJsonValue(JSON.stringify(json)) ?? NULL;
}
