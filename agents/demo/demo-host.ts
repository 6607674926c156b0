import type { ProtocolName } from '../../core/catalog/protocols.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import { SERVERS } from '../../protocols/servers.ts';
import type { ProtocolServer, ServedAgent } from '../../protocols/serving/serving.ts';
import { RANDOM_IDS } from '../runtime.ts';
import { startHttpHost, type HttpHost, type HttpHostOptions } from '../serving/http-host.ts';

/** The maximum number of bytes of a request to an agent that is served as bridges serve agents. */
const MAX_REQUEST = 1_000_000;

/** Serves a demo agent on a free port of the loopback interface, which callers may reach through another one. */
export async function startDemoHost(
  options: Pick<HttpHostOptions, 'maxBytes' | 'answer' | 'read' | 'methods'>,
): Promise<HttpHost> {
  const started = await startHttpHost({ ...options, name: 'The demo agent', takesAnyPort: true });
  if (!started.ok) throw new Error(started.message);
  return started.host;
}

/** Serves a demo agent in a protocol, as a bridge does. */
export async function startServedDemo(as: ProtocolName, agent: ServedAgent): Promise<HttpHost> {
  // It is made once the port is known, and no request comes before.
  const served: { server?: ProtocolServer | undefined } = {};
  const host = await startDemoHost({
    maxBytes: MAX_REQUEST,
    methods: ['POST', 'GET', 'DELETE'],
    answer: async (request, reply) => served.server?.answer(request, reply),
  });
  const options = {
    protocols: ALL_PROTOCOLS,
    origin: host.origin,
    newId: RANDOM_IDS.newTrace,
    now: Date.now,
  };
  served.server = SERVERS.get(as)?.(agent, options);
  return host;
}
