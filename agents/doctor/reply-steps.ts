import { setImmediate } from 'node:timers/promises';
import { PRODUCT } from '../../core/catalog/product.ts';
import { protocolRow, type ProtocolName } from '../../core/catalog/protocols.ts';
import { answers, writeAsked } from '../../protocols/convert/calls/asked-request.ts';
import { message } from '../../core/message/message.ts';
import { quote } from '../../core/text/quote.ts';
import { findHeader } from '../../core/events/headers.ts';
import type { Redactor } from '../../core/secrets/redact.ts';
import type { ResolvedAgent, ResolvedHttpAgent } from '../config/resolve-agent.ts';
import { connectAgent } from '../connect.ts';
import type { Connection, Reply, WireListener } from '../connection.ts';
import { exchangeHttp } from '../http/exchange.ts';
import type { SignInHost } from '../mcp/auth/host.ts';
import { isUnreached } from '../unreached.ts';
import { failed, passed, skipped, type DoctorStep } from './diagnosis.ts';
import { keepQuiet } from './quiet-sign-in.ts';

/** What asking an agent needs. */
export interface ReplyVisit {
  readonly agent: ResolvedAgent;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  /** Milliseconds that a step may take. */
  readonly limit: number;
  /** What is kept of sign-ins. */
  readonly signIn: SignInHost | undefined;
  /** Hears each secret that the connection comes by itself. */
  learnSecret(value: string): void;
}

/** What was heard while an agent was asked. */
interface Heard {
  /** True while what comes answers a request to the agent's own path: a sign-in asks at others. */
  isOwn: boolean;
  /** The head of the last reply; undefined where none came. */
  status: string | undefined;
  contentType: string | undefined;
  stderr: string;
}

/** What is tried once the way to an agent is known to be open: it is asked for its tools, or its page is looked at. */
export async function* tryReply(visit: ReplyVisit): AsyncGenerator<DoctorStep> {
  const { agent, redactor, signal, limit } = visit;
  const heard: Heard = { isOwn: true, status: undefined, contentType: undefined, stderr: '' };
  const signIn = visit.signIn && keepQuiet(visit.signIn);
  const connection = connectAgent(agent, signIn ? { signIn: signIn.host } : {});
  try {
    if (agent.type === 'http' && !answers(connection.protocol, 'list')) {
      yield* tryPage(agent, signal, limit);
      return;
    }
    const { text } = writeAsked(message('list', {}), connection.protocol, {
      isComplete: false,
      tools: new Map(),
    });
    const outgoing = { wireText: text, timeout: limit, redactor, doubtful: 'send' } as const;
    const reply = await connection.send(outgoing, listenTo(heard, visit), signal);
    // What a process wrote to its error output before it answered may be read just after the answer.
    if (agent.type !== 'http') await setImmediate();
    if (signIn?.isWanted) yield SIGN_IN_WANTED;
    else yield* agent.type === 'http' ? judgeHttp(agent, heard, reply, limit) : judgeProcess(heard, reply);
    yield judgeVersion(connection);
    yield judgeReply(agent, reply);
  } finally {
    await connection.close();
  }
}

const SIGN_IN_WANTED = failed(
  'Authorization',
  'The agent wants you to sign in, and no sign-in that is kept is taken',
  `run '${PRODUCT.title}: Connect Agent' and sign in with the browser that opens`,
);

function listenTo(heard: Heard, visit: ReplyVisit): WireListener {
  const { agent } = visit;
  return {
    head(direction, line, headers) {
      if (direction === 'out' && agent.type === 'http')
        heard.isOwn = URL.parse(line.slice(line.indexOf(' ') + 1))?.pathname === agent.url.pathname;
      if (direction === 'out' || !heard.isOwn) return;
      heard.status = line;
      heard.contentType = findHeader(headers, 'content-type');
    },
    bytes(direction, bytes) {
      if (direction === 'stderr')
        heard.stderr = `${heard.stderr}${new TextDecoder().decode(bytes)}`.slice(-LONGEST);
    },
    note: () => undefined,
    progress: () => undefined,
    secret: value => visit.learnSecret(value),
  };
}

const LONGEST = 2_000;

function* judgeHttp(
  { protocol }: ResolvedHttpAgent,
  heard: Heard,
  reply: Reply,
  limit: number,
): Generator<DoctorStep> {
  const { status, contentType } = heard;
  if (status === undefined) {
    const said =
      reply.code === 'TIMEOUT' ? `No answer began within ${limit / 1000} s` : 'No answer of HTTP came';
    yield failed('Path', said, adviceOf(reply, "look at the agent's own log"));
    return;
  }
  yield judgeAccess(status);
  yield judgeStatus(status, reply);
  yield judgeType(protocol, contentType, reply);
}

/** A reply that can be read is one, whatever it calls itself; one that cannot is explained by what it is instead. */
function judgeType(protocol: ProtocolName, contentType: string | undefined, reply: Reply): DoctorStep {
  const { title, replyTypes } = protocolRow(protocol);
  const [type = ''] = (contentType ?? '').split(';');
  const given = type.trim().toLowerCase();
  const usual = `${title} is ${replyTypes.join(' or ')}`;
  if (contentType === undefined || given === '')
    return passed('Content type', `The reply names none; ${usual}`);
  if (replyTypes.some(each => each === given)) return passed('Content type', contentType);
  if (reply.status === 'ok' || reply.isProtocol)
    return passed('Content type', `${contentType}; ${usual}, but the reply could be read`);
  return failed(
    'Content type',
    `The reply is ${contentType}${given === 'text/html' ? ', a page for people' : ''}; ${usual}`,
    adviceOf(reply, `check that an agent of ${title} runs at this address`),
  );
}

function judgeAccess(status: string): DoctorStep {
  const isRefused = /^(?:401|403|407)\b/.test(status);
  return isRefused
    ? failed(
        'Authorization',
        `The agent refused the request: ${status}`,
        "set the agent's 'headers', such as Authorization with ${secret:NAME}, or sign in",
      )
    : passed('Authorization', 'The agent did not ask for other credentials');
}

/** Agents answer errors of their own with any status: only one that is no reply of the protocol tells of the path. */
function judgeStatus(status: string, reply: Reply): DoctorStep {
  if (reply.isProtocol || /^2\d\d\b/.test(status)) return passed('Path', `The agent answered ${status}`);
  return failed(
    'Path',
    `The agent answered ${status}`,
    adviceOf(reply, "correct the path of the agent's url"),
  );
}

function* judgeProcess({ stderr }: Heard, reply: Reply): Generator<DoctorStep> {
  const { code = '', message: said = '' } = reply;
  const words = stderr.trim();
  const isStarted = !/^(?:ENOENT|EACCES|EPERM|E2BIG|ENOEXEC)$/.test(code);
  if (!isStarted) {
    yield failed('Start', said, "correct the agent's 'command'");
    return;
  }
  yield passed('Start', 'The process was started');
  const hasEnded = isUnreached(reply) && /^(?:EXIT \d+|SIG[A-Z0-9]+|EPIPE)$/.test(code);
  if (hasEnded) {
    const advice =
      words === ''
        ? 'start it in a terminal to see why it ends'
        : 'look at what it wrote to its error output';
    yield failed('Exit', `It ended (${code}) before it answered${quoteWords(words)}`, advice);
    return;
  }
  yield passed('Exit', 'It still runs');
  yield words === ''
    ? skipped('Error output', 'It wrote nothing there')
    : passed('Error output', `It wrote ${quote(words, LONGEST)}`);
}

function quoteWords(words: string): string {
  return words === ''
    ? ' and wrote nothing to its error output'
    : `; its error output: ${quote(words, LONGEST)}`;
}

function judgeVersion({ peer, protocol }: Connection): DoctorStep {
  const { title } = protocol.facts;
  if (peer?.version === undefined) return skipped('Version', `${title} names none before a request`);
  return passed(
    'Version',
    `Both speak ${peer.version}${peer.name === undefined ? '' : `; the agent is ${peer.name}`}`,
  );
}

function judgeReply({ protocol }: ResolvedAgent, reply: Reply): DoctorStep {
  const { title } = protocolRow(protocol);
  if (reply.status === 'ok') return passed('First reply', `The agent answered in ${title}`);
  if (reply.isProtocol && reply.status === 'error') {
    const said = reply.message ?? reply.code ?? 'an error';
    return passed('First reply', `The agent answered in ${title}, with an error of its own: ${said}`);
  }
  const advice = adviceOf(reply, `check that an agent of ${title} runs there`);
  const said = reply.message ?? 'No whole reply came';
  return failed(
    'First reply',
    said.endsWith(`; ${advice}`) ? said.slice(0, -advice.length - 2) : said,
    advice,
  );
}

/**
 * What to do, with which the sentence on a failure ends: after the last semicolon, or after all that came where that was no
 * reply of the protocol, because an address may be named before it is said what to do with it.
 */
function adviceOf({ message: said }: Reply, other: string): string {
  if (said === undefined) return other;
  const foreign = / and no [^;]* reply; /.exec(said);
  const at = foreign ? foreign.index + foreign[0].length : said.lastIndexOf('; ') + 2;
  return at < 2 ? other : said.slice(at);
}

/** Agents without a list of tools: what answers a GET there shows that the path exists, and costs nobody anything. */
async function* tryPage(
  agent: ResolvedHttpAgent,
  signal: AbortSignal,
  limit: number,
): AsyncGenerator<DoctorStep> {
  const { url, headers, tls } = agent;
  const { head, failure } = await exchangeHttp(
    {
      method: 'GET',
      url,
      headers,
      body: undefined,
      limits: { connect: limit, idle: limit, total: limit },
      maxBytes: 1 << 20,
      tls,
    },
    {
      requestHead: () => undefined,
      requestBody: () => undefined,
      replyHead: () => undefined,
      replyBody: () => 'enough',
    },
    signal,
  );
  if (!head) {
    yield failed('Path', failure?.message ?? 'No answer came', "look at the agent's own log");
    return;
  }
  const access = judgeAccess(head.line);
  yield access;
  if (access.status === 'failed') return;
  yield head.status === 404 || head.status === 410
    ? failed('Path', `The agent answered ${head.line}`, "correct the path of the agent's url")
    : passed('Path', `The agent answered ${head.line} to a GET, so the path is there`);
  yield skipped(
    'First reply',
    `Agents of ${protocolRow(agent.protocol).title} answer nothing that would cost nothing; send a request`,
  );
}
