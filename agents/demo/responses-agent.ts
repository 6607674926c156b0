import { setTimeout as sleep } from 'node:timers/promises';
import { message, type Message } from '../../core/message/message.ts';
import { dictValue, listValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { printForAgent } from '../../language/values/json-printer.ts';
import type { CallOptions, Offer, ServedAgent, ServedReply } from '../../protocols/serving/serving.ts';
import type { HttpHost } from '../serving/http-host.ts';
import { startServedDemo } from './demo-host.ts';

/** The path at which servers of OpenAI's Responses take requests. */
export const RESPONSES_PATH = '/v1/responses';

const PIECE_EVERY = 60;

const OFFER: Offer = {
  name: 'oracle-1',
  version: '1.0.0',
  description: 'Answers in riddles',
  tools: [],
  isOpen: false,
  takesTasks: true,
  resources: [],
  prompts: [],
  completes: false,
};

/**
 * Starts the demo agent `oracle`: it uses OpenAI's Responses, answers in riddles, and asks for approval before it looks
 * into the future.
 */
export function startResponsesAgent(): Promise<HttpHost> {
  return startServedDemo('responses', ORACLE);
}

const ORACLE: ServedAgent = {
  name: OFFER.name,
  offer: () => Promise.resolve(OFFER),
  call(asked, options) {
    const stop = new AbortController();
    options.request.gone.addEventListener('abort', () => stop.abort());
    return { reply: predict(asked, options, stop.signal), cancel: () => stop.abort() };
  },
  readItem: (_item, options) => ORACLE.call(message('task', {}), options),
  onOfferChanged: () => () => undefined,
};

async function predict(asked: Message, options: CallOptions, signal: AbortSignal): Promise<ServedReply> {
  options.begun?.();
  const { task, content, items } = asked.fields;
  const said = textIn(task) ?? printForAgent(items ?? content ?? textValue(''));
  const isAnswer = said.includes('"mcp_approval_response"');
  if (!isAnswer && /future|tomorrow/i.test(said))
    return { status: 'ok', message: message('result', { items: listValue([APPROVAL]) }), unsent: undefined };
  const isApproved = said.includes('"approve":true');
  const text = isAnswer
    ? isApproved
      ? 'It will rain, and then it will not.'
      : 'Then it stays in the dark.'
    : 'What you look for stands in the line above the one that you read.';
  for (const word of text.match(/\S+\s*/g) ?? []) {
    if (signal.aborted) break;
    options.take?.([message('chunk', { data: textValue(word) })]);
    await sleep(PIECE_EVERY, undefined, { signal }).catch(() => undefined);
  }
  const status = signal.aborted ? 'cancelled' : 'ok';
  return { status, message: message('result', { data: textValue(text) }), unsent: undefined };
}

const APPROVAL: Value = dictValue([
  { key: 'id', value: textValue('mcpr_1') },
  { key: 'type', value: textValue('mcp_approval_request') },
  { key: 'name', value: textValue('look_ahead') },
  { key: 'server_label', value: textValue('future') },
  { key: 'arguments', value: textValue('{"days":1}') },
]);
