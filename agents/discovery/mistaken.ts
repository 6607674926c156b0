import { NOT_SENT } from '../../core/events/events.ts';
import { message } from '../../core/message/message.ts';
import { answers, writeConverted } from '../../protocols/convert/calls/convertible-request.ts';
import type { Protocol, Protocols } from '../../protocols/protocol.ts';
import type { ResolvedAgent } from '../config/resolve-agent.ts';
import {
  SILENT,
  type Connect,
  type Mistake,
  type Outgoing,
  type Reply,
  type Send,
  type WireListener,
} from '../connection.ts';
import { isUnreachable } from '../unreachable.ts';
import { discover, type DiscoverOptions } from './discover.ts';

/** What is needed to find out which protocol an agent speaks. */
export interface MistakenOptions {
  readonly protocols: Protocols;
  readonly connect: Connect;
}

/** Milliseconds of silence before the agent is asked in other protocols. */
const SILENCE = 1_000;
/** A process may need to be installed first. */
const PROCESS_LIMIT = 30_000;

/** The agents that answered in their protocol, by their connections. */
const VERIFIED = new WeakSet<object>();

/**
 * Sends as `send` does. If the first answer of an agent is silence or in another protocol than its entry says, finds out
 * which protocol it speaks, and replies with that. The agent is asked in other protocols by requests that change nothing.
 */
export function watchProtocol(
  send: Send,
  agent: ResolvedAgent,
  { key, protocol }: { readonly key: object; readonly protocol: Protocol },
  options: MistakenOptions,
): Send {
  return async (request, listener, signal) => {
    if (VERIFIED.has(key)) return send(request, listener, signal);
    const stop = new AbortController();
    const silence = new Silence();
    const looked = new AbortController();
    const both = AbortSignal.any([signal, stop.signal]);
    const sent = send(request, silence.listen(listener), both);
    const look = silence.lasts.then(() =>
      findMistake(agent, protocol, { ...options, only: 'GET' }, AbortSignal.any([looked.signal, signal])),
    );
    const early = await Promise.race([sent.then(() => undefined), look]);
    silence.end();
    if (early) {
      stop.abort();
      await sent;
      return toReply(early);
    }
    const reply = await sent;
    looked.abort();
    if (reply.status === 'ok' && !reply.isRefused) VERIFIED.add(key);
    if (!isDoubtful(reply, protocol, silence)) return reply;
    const found = await findMistake(agent, protocol, options, signal);
    return found ? toReply(found, reply) : reply;
  };
}

/** True for a reply that an agent of another protocol may have sent. */
function isDoubtful(reply: Reply, { isRpc }: Protocol, { isOver }: Silence): boolean {
  if (reply.isRefused) return true;
  if (reply.status !== 'error' || isUnreachable(reply)) return false;
  // A request is also held for what the agent answered before it.
  if (reply.code === NOT_SENT) return isOver;
  return !reply.isProtocol || isRpc === true;
}

/** Finds the protocol of an agent, if it is another one than its entry says. */
export async function findMistake(
  agent: ResolvedAgent,
  own: Protocol,
  { protocols, connect, only }: MistakenOptions & Pick<DiscoverOptions, 'only'>,
  signal: AbortSignal,
): Promise<Mistake | undefined> {
  if (agent.type === 'http') {
    const { found } = await discover(agent, protocols, signal, {
      first: own.facts.name,
      ...(only ? { only } : {}),
    });
    if (!found || !found.isSure || found.protocol === own) return undefined;
    return describe(found.protocol, found.address, found.name);
  }
  const others = protocols.list.filter(
    protocol => protocol !== own && protocol.facts.types.includes('stdio') && answers(protocol, 'list'),
  );
  const stop = new AbortController();
  const limited = AbortSignal.any([signal, stop.signal, AbortSignal.timeout(PROCESS_LIMIT)]);
  const asked = others.map(async protocol => {
    const connection = connect({ ...agent, protocol: protocol.facts.name });
    try {
      const reply = await connection.send(listRequest(protocol), SILENT, limited);
      if (reply.status !== 'ok' || !reply.isProtocol) throw new Error('another protocol');
      return describe(protocol, undefined, connection.peer?.name);
    } finally {
      // The process may take a while to end; what it said is known.
      void connection.close();
    }
  });
  const found = await Promise.any(asked).catch(() => undefined);
  stop.abort();
  return found;
}

function listRequest(protocol: Protocol): Outgoing {
  const known = { isComplete: false, tools: new Map() };
  return { wireText: writeConverted(message('list', {}), protocol, known).text, warningPolicy: 'send' };
}

function describe({ facts }: Protocol, address: string | undefined, name: string | undefined): Mistake {
  const { label } = facts.offer;
  // An abbreviation is read letter by letter.
  const article = (/^[A-Z][A-Z\d]/.test(label) ? /^[AEFHILMNORSX]/ : /^[AEIOU]/).test(label) ? 'an' : 'a';
  const what = `This is ${article} ${label}${name ? ` (${name})` : ''}`;
  return {
    protocol: facts.name,
    label,
    ...(address === undefined ? {} : { address }),
    finding: `${what}: its entry in the agents file names another protocol`,
    advice: `change 'protocol' to '${facts.name}'`,
  };
}

function toReply(mistake: Mistake, { text }: Pick<Reply, 'text'> = { text: '' }): Reply {
  return {
    status: 'error',
    text,
    code: 'WRONG_PROTOCOL',
    message: `${mistake.finding}; ${mistake.advice}`,
    isProtocol: false,
    mistake,
  };
}

/** Notices that nothing arrives. */
class Silence {
  /** Resolves once it has lasted too long. */
  readonly lasts: Promise<void>;
  /** True once anything came from the agent. */
  isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.lasts = new Promise(resolve => {
      this.#timer = setTimeout(resolve, SILENCE);
    });
  }

  /** The same listener, whose first bytes of the agent end the silence. */
  listen(listener: WireListener): WireListener {
    return {
      messages: listener.messages,
      step: step => listener.step?.(step),
      secret: value => listener.secret?.(value),
      learn: facts => listener.learn?.(facts),
      head: (...given) => {
        if (given[0] === 'in') this.#break();
        listener.head(...given);
      },
      bytes: (...given) => {
        if (given[0] === 'in') this.#break();
        listener.bytes(...given);
      },
      note: text => listener.note(text),
      progress: added => listener.progress(added),
    };
  }

  #break(): void {
    this.isOver = true;
    this.end();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
