import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import type { Protocol } from '../../protocols/protocol.ts';
import { SERVERS } from '../../protocols/servers.ts';
import type { CallerReply, ProtocolServer, ServedAgent } from '../../protocols/serving/serving.ts';
import { RANDOM_IDS } from '../runtime.ts';
import {
  startHttpHost,
  type HostRequest,
  type HttpHost,
  type HttpHostOptions,
} from '../serving/http-host.ts';

/** The maximum number of bytes of a request to an agent that is served as bridges serve agents. */
const MAX_REQUEST = 1_000_000;

/** A host of demo agents. */
export interface DemoHost extends HttpHost {
  /** The address of each of its agents, by its name. */
  readonly addresses: Readonly<Record<string, string>>;
}

/** Serves a demo agent on a free port of the loopback interface, which callers may reach through another one. */
export async function startDemoHost(
  options: Pick<HttpHostOptions, 'maxBytes' | 'answer' | 'methods'>,
): Promise<HttpHost> {
  const started = await startHttpHost({ ...options, name: 'The demo agent', takesAnyPort: true });
  if (!started.ok) throw new Error(started.message);
  return started.host;
}

/** How a demo agent differs from one that a bridge serves. */
export interface ServedDemoOptions {
  readonly maxBytes?: number;
  /** Milliseconds since a fixed time. */
  readonly now?: () => number;
  readonly answer?: (server: ProtocolServer, request: HostRequest, reply: CallerReply) => Promise<void>;
}

/** Serves a demo agent in a protocol, as a bridge does. `name` is its name in the samples. */
export async function startServedDemo(
  protocol: Protocol,
  name: string,
  agent: ServedAgent,
  { maxBytes = MAX_REQUEST, now = Date.now, answer }: ServedDemoOptions = {},
): Promise<DemoHost> {
  // It is made once the port is known, and no request comes before.
  const served: { server?: ProtocolServer | undefined } = {};
  const host = await startDemoHost({
    maxBytes,
    methods: ['POST', 'GET', 'DELETE'],
    async answer(request, reply) {
      const { server } = served;
      if (server) await (answer ? answer(server, request, reply) : server.answer(request, reply));
    },
  });
  served.server = openServer(protocol, agent, host.origin, now);
  return { ...host, addresses: { [name]: host.origin + (served.server?.path ?? '') } };
}

/** The server of a protocol for a demo agent; `origin` is empty for a process. */
export function openServer(
  { facts }: Protocol,
  agent: ServedAgent,
  origin = '',
  now = Date.now,
): ProtocolServer | undefined {
  return SERVERS.get(facts.name)?.(agent, {
    protocols: ALL_PROTOCOLS,
    origin,
    newId: RANDOM_IDS.newTrace,
    now,
  });
}
