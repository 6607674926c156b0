import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { asList, readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { now } from '../runtime.ts';
import { startDemoHost } from './demo-host.ts';
import type { HttpHost, HostRequest } from '../serving/http-host.ts';
import type { CallerReply } from '../../protocols/serving/serving.ts';
import type { JsonValue } from './tools.ts';

/** The path at which servers of OpenAI's Responses take requests. */
export const RESPONSES_PATH = '/v1/responses';

const EVENTS = 'text/event-stream; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const PIECE_EVERY = 60;
const MODEL = 'oracle-1';

/**
 * Starts the demo agent `oracle`: it uses OpenAI's Responses, with named events if the request asks for a stream and
 * one body otherwise. It answers in riddles, and asks for approval before it looks into the future.
 */
export function startResponsesAgent(): Promise<HttpHost> {
  return startDemoHost({ maxBytes: 1_000_000, answer });
}

async function answer(request: HostRequest, reply: CallerReply): Promise<void> {
  if (request.path !== RESPONSES_PATH)
    return reply.send(404, 'text/plain', `There is nothing here; the endpoint is ${RESPONSES_PATH}`);
  const fields = readFields(parseJson(request.body));
  if (!fields?.has('input')) {
    const error = {
      type: 'invalid_request_error',
      message: "Missing required parameter: 'input'",
      param: 'input',
    };
    return reply.send(400, JSON_TYPE, JSON.stringify({ error }));
  }
  const frame = {
    id: `resp_${randomBytes(4).toString('hex')}`,
    object: 'response',
    created_at: Math.floor(now() / 1000),
    model: MODEL,
  };
  const items = predict(JSON.stringify(fields.get('input')));
  if (fields.get('stream') !== true)
    return reply.send(200, JSON_TYPE, JSON.stringify({ ...frame, status: 'completed', output: items }));
  let number = 0;
  for (const { type, ...more } of listEvents(frame, items)) {
    reply.write(
      EVENTS,
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...more })}\n\n`,
    );
    await sleep(PIECE_EVERY, undefined, { signal: request.gone });
  }
  reply.end();
}

type Item = Readonly<Record<string, JsonValue>>;

/** The answer to an input: questions about the future need approval first. */
function predict(input: string): readonly Item[] {
  if (input.includes('"mcp_approval_response"'))
    return [
      speak(
        input.includes('"approve":true')
          ? 'It will rain, and then it will not.'
          : 'Then it stays in the dark.',
      ),
    ];
  if (/future|tomorrow/i.test(input))
    return [
      {
        id: 'mcpr_1',
        type: 'mcp_approval_request',
        name: 'look_ahead',
        server_label: 'future',
        arguments: '{"days":1}',
      },
    ];
  return [speak('What you look for stands in the line above the one that you read.')];
}

function speak(text: string): Item {
  return {
    id: 'msg_1',
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
}

type Event = Readonly<Record<string, JsonValue>> & { readonly type: string };

function* listEvents(frame: Item, items: readonly Item[]): Generator<Event> {
  const begun = { ...frame, status: 'in_progress', output: [] };
  yield { type: 'response.created', response: begun };
  yield { type: 'response.in_progress', response: begun };
  for (const [output_index, item] of items.entries()) {
    yield { type: 'response.output_item.added', output_index, item: { ...item, content: [] } };
    const place = { item_id: item['id'] ?? '', output_index, content_index: 0 };
    const text = textOf(item);
    for (const delta of text.match(/\S+\s*/g) ?? [])
      yield { type: 'response.output_text.delta', ...place, delta };
    if (text !== '') yield { type: 'response.output_text.done', ...place, text };
    yield { type: 'response.output_item.done', output_index, item };
  }
  yield { type: 'response.completed', response: { ...frame, status: 'completed', output: items } };
}

function textOf(item: Item): string {
  const content = item['content'];
  const parts = asList(content);
  const text = readFields(parts[0])?.get('text');
  return typeof text === 'string' ? text : '';
}
