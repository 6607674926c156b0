import { setTimeout as sleep } from 'node:timers/promises';
import { message, type Message } from '../../core/message/message.ts';
import { Report } from '../../core/message/report.ts';
import { intValue, listValue, textIn, textValue } from '../../core/values/value.ts';
import { printAicl } from '../../language/values/aicl-printer.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import { TextSink } from '../../language/values/text-layer.ts';
import type { CallerReply, CallOptions, ServedAgent, ServedReply } from '../../protocols/serving/serving.ts';
import { Reports } from './aicl-report.ts';
import { ANALYST_DATA, ANALYST_TOOLS, OFFERED_TOOLS } from './aicl-tools.ts';
import { dict, failAicl } from './aicl-values.ts';
import { AICL } from '../../protocols/aicl/protocol.ts';
import { startServedDemo, type DemoHost } from './demo-host.ts';
import { reply, serveDemo, toValue } from './served.ts';

const MAX_BODY = 16 * 2 ** 20;

/**
 * Starts the demo agent `analyst`: an AICL receiver that follows LightAICL 1.0 strictly. For a report it asks back. Its
 * messages are laid out for the user, with a line for each field. `now` gives milliseconds.
 */
export function startAiclAgent(now?: () => number): Promise<DemoHost> {
  return startServedDemo(AICL, 'analyst', makeAnalyst(), {
    maxBytes: MAX_BODY,
    ...(now ? { now } : {}),
    answer: (server, request, given) => server.answer(request, layOut(given)),
  });
}

function layOut(given: CallerReply): CallerReply {
  return {
    ...given,
    send: (status, type, body, headers) => given.send(status, type, pretty(body), headers),
    write: (type, piece, headers) => given.write(type, pretty(piece), headers),
  };
}

/** The message in a text, laid out as by the formatter; any other text as it is. */
function pretty(text: string): string {
  const [piece] = readAiclPieces(text).pieces;
  if (piece?.value.kind !== 'dict') return text;
  const sink = new TextSink();
  printAicl(piece.value, sink, 'pretty', new Report());
  return `${text.startsWith('\n') ? '\n' : ''}${sink.toString()}`;
}

function makeAnalyst(): ServedAgent {
  const reports = new Reports();
  const offer = {
    name: 'analyst',
    description: 'Counts, draws and plans',
    tools: OFFERED_TOOLS,
    takesTasks: true,
  };
  return serveDemo(AICL, offer, (asked, options, signal) => {
    const { session = '' } = options;
    switch (asked.kind) {
      case 'task':
        return Promise.resolve(takeTask(asked, reports, session));
      case 'query':
        return answerQuery(textIn(asked.fields.query) ?? '', options, signal);
      case 'call':
        return callTool(asked, signal);
      default:
        return Promise.resolve(reports.answer(session, asked));
    }
  });
}

function takeTask({ fields }: Message, reports: Reports, session: string): ServedReply {
  const task = textIn(fields.task) ?? '';
  if (/\breport\b/i.test(task)) return reports.begin(session);
  const plan = ['Read the task', 'Ask for what is missing', 'Do it', 'Report'];
  return reply(message('result', { data: toValue({ task, plan }), metadata: toValue({ agent: 'analyst' }) }));
}

async function answerQuery(query: string, options: CallOptions, signal: AbortSignal): Promise<ServedReply> {
  if (query === 'stream') return streamNumbers(options, signal);
  const data = ANALYST_DATA.get(query)?.();
  if (data) return reply(message('result', { data }));
  const known = [...ANALYST_DATA.keys(), 'tools', 'stream'].join(', ');
  return failAicl(5000, `There is no data '${query}'; ask for one of: ${known}`);
}

const CHUNKS = 4;
const CHUNK_EVERY = 250;

/** A list in chunks (LightAICL 1.0 section 8.2), which the receiver joins. */
async function streamNumbers({ take }: CallOptions, signal: AbortSignal): Promise<ServedReply> {
  for (let chunk = 1; chunk <= CHUNKS; chunk++) {
    if (chunk > 1) await sleep(CHUNK_EVERY, undefined, { signal });
    take?.([message('chunk', { data: toValue([chunk * 2 - 1, chunk * 2]) })]);
  }
  const all = Array.from({ length: CHUNKS * 2 }, (_, index) => intValue(index + 1));
  return reply(message('result', { data: listValue(all) }));
}

async function callTool({ fields }: Message, signal: AbortSignal): Promise<ServedReply> {
  const name = textIn(fields.tool) ?? '';
  const tool = ANALYST_TOOLS.get(name);
  if (!tool) {
    const known = [...ANALYST_TOOLS.keys()].join(', ');
    return failAicl(3001, `There is no tool '${name}'; call one of: ${known}`);
  }
  const outcome = await tool.run(fields.arguments, signal);
  return outcome.ok
    ? reply(message('result', { data: outcome.value, metadata: dict({ tool: textValue(name) }) }))
    : failAicl(5000, outcome.detail);
}
