import type { Protocol, Protocols } from '../../protocols/protocol.ts';
import type { ProtocolServer, Serve } from '../../protocols/serving/serving.ts';
import type { OpenedAgent } from '../open-agent.ts';
import { Recorder, type Recording } from '../proxy/recording/recorder.ts';
import { now, RANDOM_IDS } from '../runtime.ts';
import { startHttpHost } from '../serving/http-host.ts';
import { serveStdio, type StdioHostOptions } from '../serving/stdio-host.ts';
import type { Tracking } from '../tracked.ts';
import { BridgedAgent } from './bridged-agent.ts';
import { recordCallers } from './record-callers.ts';
import { recordLines } from './record-lines.ts';

/** The maximum number of bytes of a caller's request. */
const MAX_REQUEST = 64 * 2 ** 20;

/** How an agent is served. */
export interface BridgeOptions {
  readonly protocols: Protocols;
  /** The protocol in which the agent is served, and its server. */
  readonly as: Protocol;
  readonly serve: Serve;
  /** Receives the events of the calls of callers and of those to the agent; undefined if nobody does. */
  readonly emit: Tracking['emit'];
  /** Returns milliseconds since 1970; the time of the system if missing. */
  readonly clock?: () => number;
}

/** How an agent is served over HTTP. */
export interface HttpBridgeOptions extends BridgeOptions {
  /** The port; 0 for any free one. */
  readonly port: number;
}

/** How an agent is served to the caller that has started the process. */
export type StdioBridgeOptions = BridgeOptions & Omit<StdioHostOptions, 'longest' | 'observer'>;

/** An agent that is served to callers of another protocol. */
export interface Bridge {
  /** The address for callers: `http://127.0.0.1:PORT/mcp`. */
  readonly address: string;
  /** Ends open calls and closes the port. The connection to the agent stays open. */
  close(): Promise<void>;
}

export type OpenedBridge =
  | { readonly ok: true; readonly bridge: Bridge }
  /** A sentence for the user. */
  | { readonly ok: false; readonly message: string };

/** Serves an opened agent over HTTP, on the loopback interface, until the bridge is closed. */
export async function openBridge(opened: OpenedAgent, options: HttpBridgeOptions): Promise<OpenedBridge> {
  const { protocols, port, clock = Date.now } = options;
  const agent = new BridgedAgent(opened, options);
  const recorder = new Recorder(describeRecording(opened, options));
  // Both are known once the port is, and no request comes before.
  const served: { origin: string; server?: ProtocolServer } = { origin: '' };
  const started = await startHttpHost({
    name: `The bridge to ${opened.agent.name}`,
    port,
    maxBytes: MAX_REQUEST,
    methods: ['POST', 'GET', 'DELETE'],
    observe: recordCallers(recorder, () => served.origin, options.emit ? 'exchanges' : 'requests'),
    answer: async (request, reply) => served.server?.answer(request, reply),
  });
  if (!started.ok) return started;
  const { host } = started;
  const { origin } = host;
  const server = options.serve(agent, { protocols, origin, newId: RANDOM_IDS.newTrace, now: clock });
  Object.assign(served, { origin, server });
  const bridge: Bridge = {
    address: origin + server.path,
    async close() {
      agent.stop();
      await host.close();
      await recorder.stop(CLOSED);
    },
  };
  return { ok: true, bridge };
}

const CLOSED = { status: 'cancelled', code: 'CLOSED', message: 'The bridge was closed' } as const;

/** Serves an opened agent to one caller over standard input and output, until its input ends. */
export async function serveOverStdio(opened: OpenedAgent, options: StdioBridgeOptions): Promise<void> {
  const { protocols, serve, clock = Date.now } = options;
  const agent = new BridgedAgent(opened, options);
  const observer = recordLines(describeRecording(opened, options));
  const server = serve(agent, { protocols, origin: '', newId: RANDOM_IDS.newTrace, now: clock });
  await serveStdio(server, { ...options, longest: MAX_REQUEST, observer });
  agent.stop();
  observer.end();
}

/** How the calls of callers are recorded, in which the agent's secrets may be repeated. */
function describeRecording(
  { agent, redactor }: OpenedAgent,
  { protocols, as, emit }: BridgeOptions,
): Recording {
  return {
    protocols,
    agent: `${agent.name} as ${as.facts.short}`,
    protocol: as.facts.name,
    emit,
    now,
    ids: RANDOM_IDS,
    redactor,
  };
}
