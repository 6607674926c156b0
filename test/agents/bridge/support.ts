import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connectAgent } from '../../../agents/all.ts';
import { openBridge, type Bridge } from '../../../agents/bridge/bridge.ts';
import { openAgent } from '../../../agents/open-agent.ts';
import type { AgentConfig } from '../../../agents/config/agent-config.ts';
import type { Variables } from '../../../agents/config/variables.ts';
import { parseAgentsFile } from '../../../agents/config/agents-file.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { isRecord } from '../../../core/guard.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { AgentApiFold } from '../../../protocols/agent-api/fold.ts';
import type { ResponsesFold } from '../../../protocols/responses/fold.ts';
import { readWrittenJson } from '../../../language/values/json-reader.ts';
import { SERVERS } from '../../../protocols/servers.ts';
import type { Serve } from '../../../protocols/serving/serving.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';

/** A bridge of a test, with the events that it emitted. */
export interface TestBridge extends Bridge {
  readonly events: readonly TraceEvent[];
}

/** An agent of the agents file. */
export function agentOf(entry: Readonly<Record<string, unknown>>, name = 'target'): AgentConfig {
  const agent = parseAgentsFile(JSON.stringify({ agents: { [name]: entry } })).agents.get(name);
  if (!agent) throw new Error(`The entry of ${name} is not one of the agents file`);
  return agent;
}

/** Serves an agent in a protocol on a free port. */
export function bridge(config: AgentConfig, as: ProtocolName): Promise<TestBridge> {
  const serve = SERVERS.get(as);
  if (!serve) throw new Error(`There is no server of ${as}`);
  return bridgeWith(config, as, serve);
}

/** The same with a server of its own. With `unobserved`, nobody receives its events; `clock` is its time. */
export async function bridgeWith(
  config: AgentConfig,
  as: ProtocolName,
  serve: Serve,
  observed: 'observed' | 'unobserved' = 'observed',
  clock: () => number = Date.now,
): Promise<TestBridge> {
  const protocol = ALL_PROTOCOLS.find(as);
  if (!protocol) throw new Error(`There is no protocol ${as}`);
  const events: TraceEvent[] = [];
  const take = (event: TraceEvent): void => void events.push(event);
  const emit = observed === 'observed' ? take : undefined;
  const target = await openAgent(config, NO_VARIABLES, emit, {
    protocols: ALL_PROTOCOLS,
    connect: connectAgent,
  });
  if (!target.ok) throw new Error(target.message);
  const options = { protocols: ALL_PROTOCOLS, as: protocol, serve, emit, clock };
  const opened = await openBridge(target, { ...options, port: 0 });
  if (!opened.ok) throw new Error(opened.message);
  const { address } = opened.bridge;
  const close = async (): Promise<void> => {
    await opened.bridge.close();
    await target.close();
  };
  return { address, close, events };
}

/** No variables, for an entry that uses none. */
export const NO_VARIABLES: Variables = {
  env: () => undefined,
  input: () => undefined,
  secret: () => undefined,
  demo: () => undefined,
  workspaceFolder: () => process.cwd(),
};

/** The notes on the calls of a bridge, in order. */
export function notesOf({ events }: TestBridge): readonly string[] {
  return events.flatMap(event => (event.type === 'note' ? [event.text] : []));
}

/** The trees of the calls in the events of a bridge: `title (agent) > …`, children in brackets. */
export function showTrees(events: readonly TraceEvent[]): readonly string[] {
  const fold = new TraceFold('counted');
  for (const event of events) fold.add(event);
  return fold.trees().flatMap(tree => tree.roots.map(showNode));
}

function showNode({ call, status, children }: CallNode): string {
  const below = children.length > 0 ? ` [${children.map(showNode).join(', ')}]` : '';
  return `${call.title} (${call.agent}, ${status})${below}`;
}

/** An agent of a test, which answers each request by a function. */
export async function startListener(
  listener: RequestListener,
): Promise<{ readonly address: string; readonly close: () => Promise<void> }> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    address: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`,
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** The text that Parley's own reader of a protocol reads in a stream, and its notes. */
export function readBack(
  fold: AgentApiFold | ResponsesFold,
  body: string,
): readonly [text: string, ...notes: readonly string[]] {
  for (const [, data = ''] of body.matchAll(/^data: (.*)$/gm)) {
    const value = readWrittenJson(data);
    assert.ok(value);
    fold.push(value);
  }
  assert.ok(fold.whole());
  fold.texts.take();
  return [fold.texts.emitted('text').join(''), ...fold.notes];
}

/** The value at a path of members and indexes in a JSON value; undefined if there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((holder, key) => {
    if (Array.isArray(holder)) return holder[Number(key)];
    return isRecord(holder) ? holder[key] : undefined;
  }, value);
}
