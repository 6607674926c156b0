import {
  CallHierarchyIncomingCallsRequest,
  CallHierarchyOutgoingCallsRequest,
  CallHierarchyPrepareRequest,
  SymbolKind,
  type CallHierarchyIncomingCall,
  type CallHierarchyItem,
  type CallHierarchyOutgoingCall,
} from 'vscode-languageserver';
import type { Exchange } from '../../../language/feature-results.ts';
import { touchesOffset } from '../../../core/text/span.ts';
import { isShape, isString, type Guard } from '../../../core/guard.ts';
import { listCalls, nodeKey, nodeOf, sessionNode, type Call, type CallNode } from '../calls.ts';
import { guardRequest } from '../guard.ts';
import { toOffset, toRange } from '../lsp.ts';
import type { WorkspaceFile } from '../workspace.ts';
import { requestFeature, type Feature, type FeatureHost } from './feature.ts';

/** Maximum number of ranges shown for one caller. */
const MAX_RANGES = 1_000;

const KIND: Readonly<Record<CallNode['kind'], SymbolKind>> = {
  session: SymbolKind.Module,
  task: SymbolKind.Event,
  call: SymbolKind.Function,
  query: SymbolKind.Property,
};

const prepared = requestFeature({
  name: 'callHierarchy',
  type: CallHierarchyPrepareRequest.type,
  capabilities: () => ({ callHierarchyProvider: true }),
  neutral: null,
  answer(snapshot, params) {
    const { document, uri } = snapshot;
    const offset = toOffset(document, params.position);
    const exchange = document
      .exchanges()
      .find(({ span, replies }) => [span, ...replies].some(part => touchesOffset(part, offset)));
    const name = document.nameAt(offset);
    if (exchange && name?.kind === 'session') return [toItem(snapshot, sessionNode(name.name), exchange)];
    return exchange ? [toItem(snapshot, nodeOf(uri, exchange), exchange)] : null;
  },
});

/**
 * The call hierarchy of `listCalls`. On a request or a reply to it, the item is the callee; on a session name
 * it is the session. Incoming calls come from all files, outgoing calls from the file of the item.
 */
export const callHierarchy: Feature = {
  name: 'callHierarchy',
  capabilities: prepared.capabilities,
  register(host) {
    prepared.register(host);
    host.connection.onRequest(CallHierarchyIncomingCallsRequest.type, ({ item }, token) =>
      guardRequest<CallHierarchyIncomingCall[], void>(host, workOn(item), [], token, () =>
        findIncoming(host, item),
      ),
    );
    host.connection.onRequest(CallHierarchyOutgoingCallsRequest.type, ({ item }, token) =>
      guardRequest<CallHierarchyOutgoingCall[], void>(host, workOn(item), [], token, () =>
        findOutgoing(host, item),
      ),
    );
  },
};

function workOn({ uri }: CallHierarchyItem) {
  return { feature: 'callHierarchy', uri };
}

async function findIncoming(
  host: FeatureHost,
  item: CallHierarchyItem,
): Promise<CallHierarchyIncomingCall[]> {
  if (!isCallNode(item.data)) return [];
  const wanted = nodeKey(item.data);
  return (await host.workspace.files()).flatMap(file => {
    const calls = listCalls(file).filter(({ callee }) => nodeKey(callee) === wanted);
    return group(calls, ({ caller }) => caller).map(([{ caller, callerAt }, made]) => ({
      from: toItem(file, caller, callerAt),
      fromRanges: toRanges(host, file, made),
    }));
  });
}

async function findOutgoing(
  host: FeatureHost,
  item: CallHierarchyItem,
): Promise<CallHierarchyOutgoingCall[]> {
  const file = (await host.workspace.files()).find(({ uri }) => uri === item.uri);
  if (!file || !isCallNode(item.data)) return [];
  const wanted = nodeKey(item.data);
  const calls = listCalls(file).filter(({ caller }) => nodeKey(caller) === wanted);
  return group(calls, ({ callee }) => callee).map(([{ callee, exchange }, made]) => ({
    to: toItem(file, callee, exchange),
    fromRanges: toRanges(host, file, made),
  }));
}

/** Groups calls by one of their ends, in the order of first occurrence; each group comes with its first call. */
function group(
  calls: readonly Call[],
  endOf: (call: Call) => CallNode,
): readonly (readonly [Call, readonly Call[]])[] {
  const groups = new Map<string, [Call, Call[]]>();
  for (const call of calls) {
    const key = nodeKey(endOf(call));
    const found = groups.get(key);
    if (found) found[1].push(call);
    else groups.set(key, [call, [call]]);
  }
  return [...groups.values()];
}

function toRanges(host: FeatureHost, { uri, document }: WorkspaceFile, calls: readonly Call[]) {
  if (calls.length > MAX_RANGES)
    host.reportOnce(uri, `only the first ${MAX_RANGES} calls of one caller are shown`);
  return calls.slice(0, MAX_RANGES).map(({ exchange }) => toRange(document, exchange.nameSpan));
}

/** Creates an item at a request. Its node is sent to the client as data and comes back with the next request. */
function toItem({ uri, document }: WorkspaceFile, node: CallNode, at: Exchange): CallHierarchyItem {
  const parts = [node.session, node.agent === '' ? '' : `to ${node.agent}`];
  return {
    name: node.name,
    kind: KIND[node.kind],
    detail: [node.kind, ...parts.filter(part => part !== '')].join(' · '),
    uri,
    range: toRange(document, at.span),
    selectionRange: toRange(document, at.nameSpan),
    data: node,
  };
}

const isCallNode: Guard<CallNode> = isShape({
  kind: (value: unknown): value is CallNode['kind'] => isString(value) && Object.hasOwn(KIND, value),
  name: isString,
  session: isString,
  agent: isString,
});
