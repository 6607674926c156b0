import type { Exchange } from '../../language/feature-results.ts';
import type { WorkspaceFile } from './workspace.ts';

/** A caller or a callee in the call hierarchy, independent of the file in which it occurs. */
export interface CallNode {
  readonly kind: 'session' | Exchange['kind'];
  readonly name: string;
  /** The session of a task; otherwise empty, because a tool or query is one node for all callers. */
  readonly session: string;
  /** The agent in `# @agent`; empty without that directive. */
  readonly agent: string;
}

/** One request with its caller and callee. */
export interface Call {
  readonly caller: CallNode;
  /** The request that represents the caller; for a session its first request. */
  readonly callerAt: Exchange;
  readonly callee: CallNode;
  readonly exchange: Exchange;
}

/**
 * The calls in a file. The caller of a task is its session: the AICL session, or the AICF file, because AICF has no
 * sessions. The caller of a call or query is the last task before it in the session, or else the session. So a task
 * shows the calls that it led to, and a tool the tasks that used it. The same tool of two agents is two nodes.
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

/** The node of a session. */
export function sessionNode(name: string): CallNode {
  return { kind: 'session', name, session: '', agent: '' };
}

/** The node of a request's task, tool or query. */
export function nodeOf(uri: string, exchange: Exchange): CallNode {
  const { kind, name, agent } = exchange;
  return { kind, name, session: kind === 'task' ? sessionOf(uri, exchange) : '', agent };
}

/** A key that is equal for equal nodes. */
export function nodeKey({ kind, name, session, agent }: CallNode): string {
  return JSON.stringify([kind, name, session, agent]);
}

/** A file without sessions counts as one session with the file's name. */
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
