import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { asList, readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { now } from '../runtime.ts';
import { startDemoHost } from './demo-host.ts';
import type { HttpHost, HostRequest } from '../serving/http-host.ts';
import type { CallerReply } from '../../protocols/serving/serving.ts';
import type { JsonValue } from './tools.ts';

/** The path at which the A2A agent takes requests; its card contains it. */
export const A2A_PATH = '/a2a';
const CARD_PATH = '/.well-known/agent-card.json';

const EVENTS = 'text/event-stream; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const PIECE_EVERY = 60;

/**
 * Starts the demo agent `herald`: A2A 0.3 over JSON-RPC, with a card. It proclaims the text of a message: as
 * a message at once, or as a task with a growing artifact if the caller asks for a stream.
 */
export async function startA2aAgent(): Promise<HttpHost> {
  const host: HttpHost = await startDemoHost({
    maxBytes: 1_000_000,
    answer,
    read: path =>
      path === CARD_PATH ? JSON.stringify(describeAgent(`${host.origin}${A2A_PATH}`)) : undefined,
  });
  return host;
}

function describeAgent(url: string): JsonValue {
  return {
    protocolVersion: '0.3.0',
    name: 'herald',
    description: 'Proclaims what it is told',
    version: '1.0.0',
    url,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      { id: 'proclaim', name: 'Proclaim', description: 'Says it so that all hear it', tags: ['text'] },
    ],
  };
}

async function answer(request: HostRequest, reply: CallerReply): Promise<void> {
  if (request.path !== A2A_PATH)
    return reply.send(
      404,
      'text/plain',
      `There is nothing here; the endpoint is ${A2A_PATH}, the card ${CARD_PATH}`,
    );
  const message = readFields(parseJson(request.body));
  const given = message?.get('id');
  const id = typeof given === 'string' || typeof given === 'number' ? given : null;
  const method = message?.get('method');
  const reported = readFields(readFields(message?.get('params'))?.get('message'));
  const context = reported?.get('contextId');
  const contextId = typeof context === 'string' ? context : `context-${randomBytes(4).toString('hex')}`;
  const text = `Hear ye! ${readText(reported?.get('parts'))}`;
  const print = (result: JsonValue): string => JSON.stringify({ jsonrpc: '2.0', id, result });
  if (!reported || (method !== 'message/send' && method !== 'message/stream')) {
    const error = reported
      ? { code: -32601, message: `Method not found: ${String(method)}` }
      : { code: -32602, message: 'The request has no message; send one in params' };
    return reply.send(200, JSON_TYPE, JSON.stringify({ jsonrpc: '2.0', id, error }));
  }
  if (method === 'message/send') return reply.send(200, JSON_TYPE, print(sayAtOnce(text, contextId)));
  for (const event of runTask(text, contextId)) {
    reply.write(EVENTS, `data: ${print(event)}\n\n`);
    await sleep(PIECE_EVERY, undefined, { signal: request.gone });
  }
  reply.end();
}

function readText(parts: unknown): string {
  const list = asList(parts);
  const texts = list.map(part => {
    const fields = readFields(part);
    return fields?.get('text') ?? JSON.stringify(fields?.get('data'));
  });
  return texts.filter(text => typeof text === 'string').join(' ');
}

function sayAtOnce(text: string, contextId: string): JsonValue {
  const messageId = `message-${randomBytes(4).toString('hex')}`;
  return { kind: 'message', messageId, contextId, role: 'agent', parts: [{ kind: 'text', text }] };
}

/** A task: working, an artifact that arrives word by word, completed. */
function* runTask(text: string, contextId: string): Generator<JsonValue> {
  const taskId = `task-${randomBytes(4).toString('hex')}`;
  const status = (state: string): JsonValue => ({ state, timestamp: new Date(now()).toISOString() });
  yield { kind: 'task', id: taskId, contextId, status: status('working') };
  const words = text.match(/\S+\s*/g) ?? [];
  for (const [at, word] of words.entries()) {
    const artifact = { artifactId: 'proclamation', parts: [{ kind: 'text', text: word }] };
    const place = { append: at > 0, lastChunk: at === words.length - 1 };
    yield { kind: 'artifact-update', taskId, contextId, artifact, ...place };
  }
  yield { kind: 'status-update', taskId, contextId, status: status('completed'), final: true };
}
