import { setTimeout as sleep } from 'node:timers/promises';
import { printEvent, ResponseBuilder, type AgentApiEvent } from '../../npm/agent-api/index.ts';
import { asList, readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { startDemoHost, type DemoHost, type DemoReply, type DemoRequest } from './http-host.ts';
import { TOOLBOX } from './tools.ts';

/** The path at which agents of the Agent API take requests. */
export const AGENT_API_PATH = '/process';

const EVENTS = 'text/event-stream; charset=utf-8';
/** Milliseconds between two pieces, so that the user sees the reply grow. */
const PIECE_EVERY = 60;

/**
 * Starts the demo agent `storyteller`: it uses the Agent API and streams its reasoning, a tool call with its
 * output, its answer word by word, and an image.
 */
export function startAgentApiAgent(): Promise<DemoHost> {
  return startDemoHost({ maxBytes: 1_000_000, answer });
}

async function answer(request: DemoRequest, reply: DemoReply): Promise<void> {
  if (request.path !== AGENT_API_PATH)
    return reply.send(404, 'text/plain', `There is nothing here; the endpoint is ${AGENT_API_PATH}`);
  const fields = readFields(parseJson(request.body));
  const input = fields?.get('input');
  // An error before the response has status 200, as the runtime sends it.
  if (!Array.isArray(input)) {
    reply.write(EVENTS, printEvent({ error: "The request has no 'input'; send a list of messages" }));
    return reply.end();
  }
  const session = fields?.get('session_id');
  const events = narrate(readText(input), typeof session === 'string' ? session : undefined);
  for (const event of events) {
    reply.write(EVENTS, printEvent(event));
    await sleep(PIECE_EVERY, undefined, { signal: request.signal });
  }
  reply.end();
}

/** All input of the user as one text. */
function readText(input: readonly unknown[]): string {
  const texts = input.flatMap(message => {
    const content = readFields(message)?.get('content');
    const parts = asList(content);
    return parts.map(part => {
      const fields = readFields(part);
      return fields?.get('text') ?? JSON.stringify(fields?.get('data'));
    });
  });
  return texts
    .filter(text => typeof text === 'string')
    .join(' ')
    .trim();
}

function* narrate(question: string, sessionId: string | undefined): Generator<AgentApiEvent> {
  const response = new ResponseBuilder({ sessionId });
  yield response.created();
  yield response.inProgress();
  yield* say(response, 'reasoning', `Somebody wants to know: "${question}". I look at the sky first.`);
  yield* lookAtTheSky(response);
  yield* say(response, 'message', `You asked: "${question}". Here is the sky over Lisbon, in one picture.`);
  const picture = response.createMessageBuilder();
  yield picture.created();
  yield picture.addContent({ type: 'image', image_url: SKY });
  yield picture.complete();
  yield response.completed({ input_tokens: question.length, output_tokens: 42 });
}

/** A message with one text that arrives word by word. */
function* say(response: ResponseBuilder, messageType: string, text: string): Generator<AgentApiEvent> {
  const message = response.createMessageBuilder({ messageType });
  yield message.created();
  const content = message.createContentBuilder('text');
  for (const word of text.match(/\S+\s*/g) ?? []) yield content.addTextDelta(word);
  yield content.complete();
  yield message.complete();
}

/** A tool call with its arguments in pieces, and its output. */
function* lookAtTheSky(response: ResponseBuilder): Generator<AgentApiEvent> {
  const name = 'weather.forecast';
  const call = response.createMessageBuilder({ messageType: 'plugin_call' });
  yield call.created();
  const data = call.createContentBuilder('data');
  yield data.addDataDelta({ call_id: 'call_1', name, arguments: '{"city":' });
  yield data.addDataDelta({ arguments: '"Lisbon","days":1}' });
  yield data.complete();
  yield call.complete();
  const output = response.createMessageBuilder({ messageType: 'plugin_call_output', role: 'tool' });
  yield output.created();
  yield output.addContent({
    type: 'data',
    data: { call_id: 'call_1', name, output: JSON.stringify(forecast(name)) },
  });
  yield output.complete();
}

function forecast(name: string): unknown {
  const given = new Map<string, string | number>([
    ['city', 'Lisbon'],
    ['days', 1],
  ]);
  const outcome = TOOLBOX.find(tool => tool.name === name)?.run(given, new AbortController().signal);
  return outcome?.kind === 'value' ? outcome.value : null;
}

/** A PNG of 8 by 8 pixels: a sky that gets darker towards its top. */
const SKY =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAOElEQVR42mOwqTiBFTEEtJ/HihhSpl3Dihgqlt7Fihh6tjzBihgWHH6NFTFsufQJK2I48fAnVgQAALqDwcqqar0AAAAASUVORK5CYII=';
