import { setTimeout as sleep } from 'node:timers/promises';
import { AICL_PROTOCOL, MESSAGE_TYPES, type MessageTypeName } from '../../core/catalog/aicl.ts';
import { findEntry, type DictValue } from '../../core/values/value.ts';
import { joinMessage } from '../../protocols/aicl/chunks.ts';
import { receiveAicl, type ReceivedPart } from '../../language/rules/aicl/receive.ts';
import { ANALYST_DATA, ANALYST_TOOLS, describeTool, type AiclOutcome } from './aicl-tools.ts';
import { Reports } from './aicl-report.ts';
import { readMembers, type AiclValue } from './aicl-values.ts';
import { bool, dict, error, int, list, message, text } from './aicl-writer.ts';
import { startDemoHost } from './demo-host.ts';
import type { HttpHost, HostRequest } from '../serving/http-host.ts';
import type { CallerReply } from '../../protocols/serving/serving.ts';

const MAX_BODY = 16 * 2 ** 20;
const MAX_MESSAGES = 100;
const TEXT = 'text/plain; charset=utf-8';

/** The version that `protocol_negotiate` selects. */
const VERSION = `${AICL_PROTOCOL}_v1`;

/**
 * Starts the demo agent `analyst`: an AICL receiver that follows LightAICL 1.0 strictly. It answers each
 * message of a request's body, in order, and sends each answer as soon as it is available. For a report it asks
 * back, and ends the session after 30 s without a message; `now` gives milliseconds.
 */
export function startAiclAgent(now = () => performance.now()): Promise<HttpHost> {
  const reports = new Reports(now);
  return startDemoHost({ maxBytes: MAX_BODY, answer: (request, reply) => answer(request, reply, reports) });
}

async function answer(request: HostRequest, reply: CallerReply, reports: Reports): Promise<void> {
  let isFirst = true;
  for await (const each of answerText(request.body, { reports, signal: request.gone })) {
    reply.write(TEXT, isFirst ? each : `\n${each}`);
    isFirst = false;
  }
  reply.end();
}

async function* answerText(body: string, context: Context): AsyncGenerator<string> {
  const { parts, count } = receiveAicl(body, MAX_MESSAGES);
  if (count === 0) yield error('unknown', 1000, 'The request is empty; send one AICL message');
  for (const part of joinChunks(parts)) yield* answerPart(part, context);
  if (count > MAX_MESSAGES) {
    yield error('unknown', 1000, `Only the first ${MAX_MESSAGES} messages of the request were read`);
  }
}

/** The parts with the chunks of a request, which follow each other, as one message (LightAICL 1.0, section 8.2). */
function joinChunks(parts: readonly ReceivedPart[]): readonly ReceivedPart[] {
  const joined: ReceivedPart[] = [];
  let chunks: DictValue[] = [];
  for (const part of parts) {
    const isChunk = part.message?.kind === 'dict' && findEntry(part.message, 'is_final') !== undefined;
    if (!isChunk || part.message?.kind !== 'dict') {
      joined.push(part);
      continue;
    }
    chunks.push(part.message);
    const final = findEntry(part.message, 'is_final');
    if (final?.kind !== 'bool' || !final.bool) continue;
    const message = joinMessage(chunks);
    joined.push({ ...part, message: message ?? part.message });
    chunks = [];
  }
  return joined;
}

/** Refuses what a strict receiver must refuse, with the code of the first error, and answers the rest. */
async function* answerPart(part: ReceivedPart, context: Context): AsyncGenerator<string> {
  const session = part.session || 'unknown';
  if (part.error) {
    yield error(session, part.error.wire ?? 1000, part.error.message);
  } else if (!part.message) {
    yield error(session, 1000, 'This is not a message; send a dictionary with the header of LightAICL');
  } else {
    const type = MESSAGE_TYPES.find(row => row.name === part.messageType)?.name;
    if (type) yield* ANSWERS[type](session, readMembers(part.message), context);
  }
}

type Fields = ReadonlyMap<string, AiclValue>;
/** What the answers to a request share. */
interface Context {
  readonly reports: Reports;
  readonly signal: AbortSignal;
}

type Answer = (session: string, fields: Fields, context: Context) => AsyncGenerator<string>;

const ANSWERS: Readonly<Record<MessageTypeName, Answer>> = {
  task_request: answerTask,
  data_query: answerQuery,
  tool_call: answerCall,
  protocol_negotiate: negotiate,
  result: (session, fields, context) => takeReply(session, 'result', fields, context),
  error: (session, fields, context) => takeReply(session, 'error', fields, context),
};

async function* answerTask(session: string, fields: Fields, { reports }: Context): AsyncGenerator<string> {
  if (/\breport\b/i.test(textOf(fields, 'task'))) {
    yield reports.begin(session);
    return;
  }
  const steps = ['Read the task', 'Ask for what is missing', 'Do it', 'Report'];
  yield message(session, 'result', [
    [
      'data',
      dict([
        ['task', text(textOf(fields, 'task'))],
        ['plan', list(steps.map(text))],
      ]),
    ],
    ['metadata', dict([['agent', text('analyst')]])],
  ]);
}

async function* answerQuery(session: string, fields: Fields, { signal }: Context): AsyncGenerator<string> {
  const query = textOf(fields, 'query');
  const data = ANALYST_DATA.get(query)?.() ?? describeTool(/^tool (.*)$/.exec(query)?.[1] ?? '');
  if (query === 'stream') yield* streamNumbers(session, signal);
  else if (data) yield message(session, 'result', [['data', data]]);
  else {
    const known = [...ANALYST_DATA.keys(), 'stream'].join(', ');
    yield error(session, 5000, `There is no data '${query}'; ask for one of: ${known}`);
  }
}

const CHUNKS = 4;
const CHUNK_EVERY = 250;

/** A list in chunks (LightAICL 1.0 section 8.2), which the receiver joins. */
async function* streamNumbers(session: string, signal: AbortSignal): AsyncGenerator<string> {
  for (let chunk = 1; chunk <= CHUNKS; chunk++) {
    if (chunk > 1) await sleep(CHUNK_EVERY, undefined, { signal });
    yield message(session, 'result', [
      ['data', list([int(chunk * 2 - 1), int(chunk * 2)])],
      ['stream_id', text(`numbers_${chunk}/${CHUNKS}`)],
      ['is_final', bool(chunk === CHUNKS ? 'true' : 'false')],
    ]);
  }
}

async function* answerCall(session: string, fields: Fields, { signal }: Context): AsyncGenerator<string> {
  const name = textOf(fields, 'tool');
  const params = fields.get('params');
  const tool = ANALYST_TOOLS.get(name);
  if (!tool) {
    yield error(
      session,
      3001,
      `There is no tool '${name}'; call one of: ${[...ANALYST_TOOLS.keys()].join(', ')}`,
    );
    return;
  }
  const outcome: AiclOutcome = await tool.run(params instanceof Map ? params : new Map(), signal);
  if (outcome.ok)
    yield message(session, 'result', [
      ['data', outcome.value],
      ['metadata', dict([['tool', text(name)]])],
    ]);
  else yield error(session, outcome.code, outcome.detail);
}

async function* negotiate(session: string, fields: Fields): AsyncGenerator<string> {
  const offered = fields.get('supported');
  if (Array.isArray(offered) && offered.includes(VERSION)) {
    yield message(session, 'protocol_negotiate', [
      ['supported', list([text(VERSION)])],
      ['selected', text(VERSION)],
    ]);
  } else {
    yield error(session, 1000, `This agent speaks ${VERSION} alone; offer it in 'supported'`);
  }
}

async function* takeReply(
  session: string,
  type: 'result' | 'error',
  fields: Fields,
  { reports }: Context,
): AsyncGenerator<string> {
  yield reports.answer(session, type, fields);
}

function textOf(fields: Fields, key: string): string {
  const value = fields.get(key);
  return typeof value === 'string' ? value : '';
}
