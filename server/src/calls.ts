import type { Exchange } from '../../language/exchanges.ts';
import type { WorkspaceFile } from './workspace.ts';

/** Somebody who asks, or something that is asked for, whatever file it stands in. */
export interface CallNode {
  readonly kind: 'session' | Exchange['kind'];
  readonly name: string;
  /** Of a task its conversation; else empty: a tool is one, whoever calls it. */
  readonly session: string;
  /** Whom `# @agent` names; empty where nothing does. */
  readonly agent: string;
}

/** One request: who made it, and what for. */
export interface Call {
  readonly caller: CallNode;
  /** The request that is the caller; of a conversation its first one. */
  readonly callerAt: Exchange;
  readonly callee: CallNode;
  readonly exchange: Exchange;
}

/**
 * Who asks whom in a file. A task is given by its conversation: the AICL session, or the AICF file, which knows no
 * sessions. A call or a query is made for the last task that was given before it in its session, and by the conversation
 * itself where there is none: so a task shows the calls that it led to, and a call the tasks that needed it. One tool of
 * two agents is two.
 */
export function listCalls({ uri, document }: WorkspaceFile): readonly Call[] {
  const first = new Map<string, Exchange>();
  const tasks = new Map<string, Exchange>();
  return document.exchanges().map(exchange => {
    const session = sessionOf(uri, exchange);
    const callerAt = first.get(session) ?? exchange;
    first.set(session, callerAt);
    const task = exchange.kind === 'task' ? undefined : tasks.get(session);
    if (exchange.kind === 'task') tasks.set(session, exchange);
    return {
      caller: task ? nodeOf(uri, task) : sessionNode(session),
      callerAt: task ?? callerAt,
      callee: nodeOf(uri, exchange),
      exchange,
    };
  });
}

/** A conversation by its name. */
export function sessionNode(name: string): CallNode {
  return { kind: 'session', name, session: '', agent: '' };
}

/** What a request of a file asks for. */
export function nodeOf(uri: string, exchange: Exchange): CallNode {
  const { kind, name, agent } = exchange;
  return { kind, name, session: kind === 'task' ? sessionOf(uri, exchange) : '', agent };
}

/** The same text for the same node. */
export function nodeKey({ kind, name, session, agent }: CallNode): string {
  return JSON.stringify([kind, name, session, agent]);
}

/** A file without sessions is a conversation under its own name. */
function sessionOf(uri: string, { session }: Exchange): string {
  return session === '' ? fileName(uri) : session;
}

function fileName(uri: string): string {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
