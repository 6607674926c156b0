import { setImmediate } from 'node:timers/promises';
import { PRODUCT } from '../../core/catalog/product.ts';
import type { ProtocolRow } from '../../core/catalog/protocols.ts';
import { isPublished } from '../../protocols/convert/calls/answer.ts';
import type { Protocols } from '../../protocols/protocol.ts';
import { answers, writeConverted } from '../../protocols/convert/calls/convertible-request.ts';
import { message } from '../../core/message/message.ts';
import { quote } from '../../core/text/quote.ts';
import { findHeader } from '../../core/events/headers.ts';
import type { Redactor } from '../../core/secrets/redact.ts';
import type { ResolvedAgent, ResolvedHttpAgent } from '../config/resolve-agent.ts';
import { SILENT, type Connect, type Connection, type Reply, type WireListener } from '../connection.ts';
import { discover } from '../discovery/discover.ts';
import { findMistake } from '../discovery/mistaken.ts';
import { exchangeHttp } from '../http/exchange.ts';
import type { SignInHost } from '../sign-in-host.ts';
import { isUnreachable } from '../unreachable.ts';
import { failed, passed, skipped, type DoctorStep } from './diagnosis.ts';
import { keepQuiet } from './quiet-sign-in.ts';

/** What the steps with a request need. */
export interface ReplyVisit {
  readonly connect: Connect;
  readonly protocols: Protocols;
  readonly agent: ResolvedAgent;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  /** The maximum number of milliseconds for a step. */
  readonly limit: number;
  /** The stored sign-ins. */
  readonly signIn: SignInHost | undefined;
  /** Receives each secret that the connection obtains itself. */
  learnSecret(value: string): void;
}

/** What was observed during the request. */
interface Observed {
  /** True while replies belong to the agent's own path: a sign-in uses other paths. */
  isOwn: boolean;
  /** The head of the last reply; undefined if none arrived. */
  status: string | undefined;
  contentType: string | undefined;
  stderr: string;
}

/** The steps once the agent is known to be reachable. If one fails, the agent may speak another protocol. */
export async function* tryReply(visit: ReplyVisit): AsyncGenerator<DoctorStep> {
  for await (const step of tryOwn(visit)) {
    const isExplained = step.status !== 'failed' || step.name === 'Authorization' || step.name === 'Start';
    yield isExplained ? step : await explain(step, visit);
  }
}

async function explain(step: DoctorStep, visit: ReplyVisit): Promise<DoctorStep> {
  const { agent, protocols, connect, signal } = visit;
  const own = protocols.find(agent.protocol);
  const mistake = own && (await findMistake(agent, own, { protocols, connect }, signal));
  return mistake ? failed(step.name, mistake.finding, mistake.advice) : step;
}

/** The agent is asked for its tools or its card, or its page is requested. */
async function* tryOwn(visit: ReplyVisit): AsyncGenerator<DoctorStep> {
  const { agent, redactor, signal, limit } = visit;
  const observed: Observed = { isOwn: true, status: undefined, contentType: undefined, stderr: '' };
  const signIn = visit.signIn && keepQuiet(visit.signIn);
  const connection = visit.connect(agent, signIn ? { signIn: signIn.host } : {});
  const { facts } = connection.protocol;
  try {
    if (agent.type === 'http' && !answers(connection.protocol, 'list')) {
      yield* isPublished(connection.protocol, 'list') && (await findsCard(connection, visit))
        ? judgeCard(connection)
        : tryPage(agent, facts, visit);
      return;
    }
    const { text } = writeConverted(message('list', {}), connection.protocol, {
      isComplete: false,
      tools: new Map(),
    });
    const outgoing = { wireText: text, timeout: limit, redactor, warningPolicy: 'send' } as const;
    const reply = await connection.send(outgoing, listenTo(observed, visit), signal);
    // Error output that a process wrote before its answer may be read just after the answer.
    if (agent.type !== 'http') await setImmediate();
    if (signIn?.isWanted) yield SIGN_IN_WANTED;
    else
      yield* agent.type === 'http' ? judgeHttp(facts, observed, reply, limit) : judgeProcess(observed, reply);
    yield judgeVersion(connection);
    yield judgeReply(facts, reply);
  } finally {
    await connection.close();
  }
}

const SIGN_IN_WANTED = failed(
  'Authorization',
  'The agent requires a sign-in, and it accepts none of the stored ones',
  `run '${PRODUCT.title} Agents: Connect…' and sign in with the browser that opens`,
);

function listenTo(observed: Observed, visit: ReplyVisit): WireListener {
  const { agent } = visit;
  return {
    head(direction, line, headers) {
      if (direction === 'out' && agent.type === 'http')
        observed.isOwn = URL.parse(line.slice(line.indexOf(' ') + 1))?.pathname === agent.url.pathname;
      if (direction === 'out' || !observed.isOwn) return;
      observed.status = line;
      observed.contentType = findHeader(headers, 'content-type');
    },
    bytes(direction, bytes) {
      if (direction === 'stderr')
        observed.stderr = `${observed.stderr}${new TextDecoder().decode(bytes)}`.slice(-LONGEST);
    },
    note: () => undefined,
    progress: () => undefined,
    secret: value => visit.learnSecret(value),
  };
}

const LONGEST = 2_000;

function* judgeHttp(
  facts: ProtocolRow,
  observed: Observed,
  reply: Reply,
  limit: number,
): Generator<DoctorStep> {
  const { status, contentType } = observed;
  if (status === undefined) {
    const finding =
      reply.code === 'TIMEOUT' ? `No answer began within ${limit / 1000} s` : 'No HTTP response came';
    yield failed('Path', finding, adviceOf(reply, "look at the agent's own log"));
    return;
  }
  yield judgeAccess(status);
  yield judgeStatus(status, reply);
  yield judgeType(facts, contentType, reply);
}

/** Accepts a readable reply, whatever its content type. An unreadable one is explained by what it is instead. */
function judgeType(
  { title, replyTypes }: ProtocolRow,
  contentType: string | undefined,
  reply: Reply,
): DoctorStep {
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
    `The reply is ${contentType}${given === 'text/html' ? ', a web page' : ''}; ${usual}`,
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

/** Agents report errors with any status: only a reply outside the protocol says something about the path. */
function judgeStatus(status: string, reply: Reply): DoctorStep {
  if (reply.isProtocol || /^2\d\d\b/.test(status)) return passed('Path', `The agent answered ${status}`);
  return failed(
    'Path',
    `The agent answered ${status}`,
    adviceOf(reply, "correct the path of the agent's url"),
  );
}

function* judgeProcess({ stderr }: Observed, reply: Reply): Generator<DoctorStep> {
  const { code = '', message: finding = '' } = reply;
  const words = stderr.trim();
  const isStarted = !/^(?:ENOENT|EACCES|EPERM|E2BIG|ENOEXEC)$/.test(code);
  if (!isStarted) {
    yield failed('Start', finding, "correct the agent's 'command'");
    return;
  }
  yield passed('Start', 'The process was started');
  const hasEnded = isUnreachable(reply) && /^(?:EXIT \d+|SIG[A-Z0-9]+|EPIPE)$/.test(code);
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

function judgeReply({ title }: ProtocolRow, reply: Reply): DoctorStep {
  if (reply.status === 'ok') return passed('First reply', `The agent answered in ${title}`);
  if (reply.isProtocol && reply.status === 'error') {
    const finding = reply.message ?? reply.code ?? 'an error';
    return passed('First reply', `The agent answered in ${title}, with an error of its own: ${finding}`);
  }
  const advice = adviceOf(reply, `check that an agent of ${title} runs there`);
  const finding = reply.message ?? 'No complete reply came';
  return failed(
    'First reply',
    finding.endsWith(`; ${advice}`) ? finding.slice(0, -advice.length - 2) : finding,
    advice,
  );
}

/**
 * The advice at the end of a sentence on a failure: after the last semicolon, or after the description of a
 * reply outside the protocol, because the advice may then contain a semicolon itself.
 */
function adviceOf({ message: finding }: Reply, other: string): string {
  if (finding === undefined) return other;
  const foreign = / and no [^;]* reply; /.exec(finding);
  const at = foreign ? foreign.index + foreign[0].length : finding.lastIndexOf('; ') + 2;
  return at < 2 ? other : finding.slice(at);
}

/** True if the document is there that an agent publishes instead of a list of tools, which is free. */
async function findsCard(connection: Connection, { limit, redactor, signal }: ReplyVisit): Promise<boolean> {
  const known = { isComplete: false, tools: new Map() };
  const { text } = writeConverted(message('list', {}), connection.protocol, known);
  const outgoing = { wireText: text, timeout: limit, redactor } as const;
  return (await connection.send(outgoing, SILENT, signal)).status === 'ok';
}

function* judgeCard(connection: Connection): Generator<DoctorStep> {
  const { title } = connection.protocol.facts;
  yield passed('Authorization', 'The agent asks for no credentials before it describes itself');
  yield judgeVersion(connection);
  yield passed('First reply', `The agent answered in ${title} with its description of itself`);
}

/** For agents without a list of tools: any answer to a GET shows that the path exists, and has no cost. */
async function* tryPage(
  agent: ResolvedHttpAgent,
  facts: ProtocolRow,
  { protocols, signal, limit }: ReplyVisit,
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
  const { found } = await discover(agent, protocols, signal, { first: facts.name, limit });
  if (found?.isSure) {
    yield found.protocol.facts.name === facts.name
      ? passed('First reply', `The agent answered a request of ${facts.title} that is free of cost`)
      : failed('First reply', 'The agent does not answer in its protocol', 'correct its entry');
    return;
  }
  yield skipped(
    'First reply',
    `Agents of ${facts.title} have no request that is free of cost; send a request to test it`,
  );
}
