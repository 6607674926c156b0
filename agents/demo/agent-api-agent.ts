import { setTimeout as sleep } from 'node:timers/promises';
import { printEvent } from '../../npm/agent-api/index.ts';
import { asList, readFields, readText, type Fields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { AGENT_API_PATH } from '../../protocols/agent-api/protocol.ts';
import { startDemoHost, type DemoHost } from './demo-host.ts';
import type { HostRequest } from '../serving/http-host.ts';
import type { CallerReply } from '../../protocols/serving/serving.ts';
import { tellStory } from './agent-api-story.ts';

const EVENTS = 'text/event-stream; charset=utf-8';
/** Milliseconds between two pieces, so that the user sees the reply grow. */
const PIECE_EVERY = 60;

/**
 * Starts the demo agent `storyteller`: it uses the Agent API and streams a story; with `stream: false` it replies with
 * the whole response as one body of JSON.
 */
export async function startAgentApiAgent(): Promise<DemoHost> {
  const host = await startDemoHost({ maxBytes: 1_000_000, answer });
  return { ...host, addresses: { storyteller: host.origin + AGENT_API_PATH } };
}

async function answer(request: HostRequest, reply: CallerReply): Promise<void> {
  if (request.path !== AGENT_API_PATH)
    return reply.send(404, 'text/plain', `There is nothing here; the endpoint is ${AGENT_API_PATH}`);
  const fields = readFields(parseJson(request.body));
  const input = fields?.get('input');
  // An error before the response has status 200, as the runtime sends it.
  if (!Array.isArray(input)) {
    reply.write(EVENTS, printEvent({ error: "The request has no 'input'; send a list of messages" }));
    return reply.end();
  }
  const events = tellStory({
    question: readQuestion(input),
    sessionId: readText(fields?.get('session_id')),
    parameters: readParameters(fields),
  });
  if (fields?.get('stream') === false)
    return reply.send(200, 'application/json; charset=utf-8', JSON.stringify([...events].at(-1)));
  for (const event of events) {
    reply.write(EVENTS, printEvent(event));
    await sleep(PIECE_EVERY, undefined, { signal: request.gone });
  }
  reply.end();
}

/** The parameters of a request as JSON: all members besides its input, its session and the form of the reply. */
function readParameters(fields: Fields | undefined): string | undefined {
  const given = [...(fields ?? [])].filter(([name]) => !['input', 'session_id', 'stream'].includes(name));
  return given.length === 0 ? undefined : JSON.stringify(Object.fromEntries(given));
}

/** All input of the user as one text. */
function readQuestion(input: readonly unknown[]): string {
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
