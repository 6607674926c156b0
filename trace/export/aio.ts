import { MESSAGE_SCHEME } from '../../core/catalog/trace-names.ts';
import type { CallStatus, WireEvent } from '../../core/events/events.ts';
import type { TracePart } from '../../protocols/reply-parts/part.ts';
import type { CallNode, TraceTree } from '../fold/tree.ts';
import { envelopeOf } from './envelope.ts';
import { findMethod, joinPayload, printAnswered, printAsked, type PayloadText } from './payload-text.ts';
import { findReplyParts } from './reply-parts.ts';
import { findOwnExchange } from '../own-exchange.ts';
import { walkCalls, type ExportSource } from './source.ts';

/** The status of a call in AIO's graph; the exact one is in the envelope. */
export const AIO_STATUS = {
  open: 'pending',
  ok: 'ok',
  error: 'error',
  cancelled: 'error',
  incomplete: 'error',
} as const satisfies Record<CallStatus, string>;

/**
 * Exports traces as AIO's graph (AIO-MCP, section 7; reading of AIO-MCP, section 4): `{trace_id, calls: [{id,
 * agent, method, input, output, status}]}`, a list of graphs for several traces. The extra members are
 * `protocol`, `type`, `partial`, `parent` (the id of the parent call), and `parley` with everything that the graph
 * cannot express.
 */
export async function* exportAio(source: ExportSource): AsyncGenerator<string, void> {
  const several = source.trees.length !== 1;
  if (several) yield '[';
  for (const [index, tree] of source.trees.entries()) {
    if (index > 0) yield ',\n';
    yield* exportGraph(tree, source);
  }
  yield several ? ']\n' : '\n';
}

async function* exportGraph(tree: TraceTree, source: ExportSource): AsyncGenerator<string, void> {
  const trace = findTask(tree) ?? tree.trace;
  const ids = numberCalls(tree, trace);
  yield `{"trace_id":${JSON.stringify(trace)},"calls":[`;
  let separator = '\n';
  for (const node of walkCalls([tree])) {
    yield separator;
    yield* printCall(node, ids, source);
    separator = ',\n';
  }
  yield '\n]}';
}

/** The kinds of agents, as JSON. */
const KINDS: ReadonlySet<string> = new Set(['"stdio"', '"http"', '"mcp"']);

/** Yields a call member by member, so that other work gets a turn between long ones. */
async function* printCall(node: CallNode, ids: CallIds, source: ExportSource): AsyncGenerator<string, void> {
  const { call, status, parent } = node;
  const payload = await source.payload(call.call);
  const own = findOwnExchange(payload, source.protocols.find(call.protocol));
  const joined = joinPayload(own.request, 'out');
  const method = (joined && methodOf(joined)) ?? call.title;
  const members: readonly (readonly [name: string, print: () => string | undefined])[] = [
    ['id', () => ids.get(node)],
    ['parent', () => parent && ids.get(parent)],
    ['protocol', () => JSON.stringify(call.protocol)],
    // The kind of the agent, in a graph that was imported.
    ['type', () => node.attributes.find(({ name, json }) => name === 'type' && KINDS.has(json))?.json],
    ['agent', () => JSON.stringify(call.agent)],
    ['method', () => JSON.stringify(method)],
    ['input', () => joined && printAsked(joined)],
    ['output', () => printReply(own.reply)],
    ['status', () => JSON.stringify(AIO_STATUS[status])],
    ['partial', () => (status === 'incomplete' ? 'true' : undefined)],
    [
      'parley',
      () =>
        JSON.stringify({
          ...envelopeOf(node),
          // The title of the call is restored where the graph still has this method.
          ...(method === call.title ? {} : { method }),
          ...describeReply(node, payload, source.protocols),
        }),
    ],
  ];
  let separator = '{';
  for (const [name, printMember] of members) {
    const json = printMember();
    if (json === undefined) continue;
    yield `${separator}"${name}":${json}`;
    separator = ',';
  }
  yield '}';
}

/** The method as it was sent, without the agent before it, which the graph names beside it. */
function methodOf(asked: PayloadText): string | undefined {
  return findMethod(asked)?.replace(/^[^:]*::/, '');
}

function printReply(reply: readonly WireEvent[]): string | undefined {
  const joined = joinPayload(reply, 'in');
  return joined && printAnswered(joined);
}

/** The parts of a reply with several of them, because the graph has only one output; our import reads the output. */
function describeReply(
  node: CallNode,
  payload: Parameters<typeof findReplyParts>[1],
  protocols: ExportSource['protocols'],
): { readonly reply?: readonly object[] } {
  const reply = findReplyParts(node, payload, protocols);
  return reply ? { reply: reply.parts.map(describePart) } : {};
}

function describePart({ kind, title, status, at, text, notes, children }: TracePart): object {
  return {
    kind,
    ...(title === '' ? {} : { title }),
    ...(text === undefined ? {} : { text }),
    status,
    at,
    ...(notes.length === 0 ? {} : { notes }),
    ...(children.length === 0 ? {} : { parts: children.map(describePart) }),
  };
}

/** The id of the task that a trace belongs to in AIO: that of its first call that has one. */
export function findTask(tree: TraceTree): string | undefined {
  for (const node of walkCalls([tree])) {
    const name = findAioName(node);
    if (name) return name.trace;
  }
  return undefined;
}

/** The AIO name of a call: the last one, because requests that the connection sent before it have names, too. */
function findAioName(
  node: CallNode,
  trace?: string,
): { readonly trace: string; readonly id?: string } | undefined {
  return node.names.findLast(
    name => name.scheme === MESSAGE_SCHEME && (trace === undefined || name.trace === trace),
  );
}

/** The id of each call as JSON. */
type CallIds = ReadonlyMap<CallNode, string>;

/** Assigns ids: calls retain their id in AIO's trace, `trace_id#id`; others get the free numbers. */
function numberCalls(tree: TraceTree, trace: string): CallIds {
  const taken = new Map<string, CallNode>();
  for (const node of walkCalls([tree])) {
    const id = findAioName(node, trace)?.id;
    if (id !== undefined && !taken.has(id)) taken.set(id, node);
  }
  const ids = new Map([...taken].map(([id, node]) => [node, isNumber(id) ? id : JSON.stringify(id)]));
  let next = 1;
  for (const node of walkCalls([tree])) {
    if (ids.has(node)) continue;
    while (taken.has(String(next))) next++;
    ids.set(node, String(next++));
  }
  return ids;
}

function isNumber(id: string): boolean {
  return /^(?:0|[1-9]\d{0,14})$/.test(id);
}
