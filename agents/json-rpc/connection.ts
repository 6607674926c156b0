import { JSON_RPC } from '../../protocols/json-rpc/protocol.ts';
import { PRODUCT } from '../../core/catalog/product.ts';
import { asList, readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { Connection, Outgoing, Peer, Reply, WireListener } from '../connection.ts';
import { Greeting } from '../greeting.ts';
import { HttpConnection, type HttpLimits } from '../http/http-connection.ts';

/**
 * A connection to the JSON-RPC endpoint of an AIP server, which exists beside the AICF one (AICF-RPC 1.0,
 * "Dual Protocol Support"): `aip.handshake` once, then one request per POST. The handshake may fail, so any
 * JSON-RPC server over HTTP can be called.
 */
export function connectJsonRpc(agent: ResolvedHttpAgent, limits?: HttpLimits): Connection {
  return new JsonRpcConnection(agent, limits);
}

const METHOD = 'aip.handshake';

const HANDSHAKE = JSON.stringify({
  jsonrpc: '2.0',
  id: 'handshake',
  method: METHOD,
  params: {
    version: '1.0.0',
    client: { name: PRODUCT.title, version: PRODUCT.version, capabilities: ['tool', 'context'] },
  },
});

class JsonRpcConnection extends HttpConnection {
  readonly #greeting: Greeting<Peer | undefined>;

  constructor(agent: ResolvedHttpAgent, limits: HttpLimits | undefined) {
    super(agent, JSON_RPC, limits, HANDSHAKE);
    this.#greeting = new Greeting({
      text: () => HANDSHAKE,
      read: reply => readPeer(reply.text),
      send: (...request) => super.send(...request),
      timeout: agent.timeout,
    });
  }

  get peer(): Peer | undefined {
    return this.#greeting.answer;
  }

  override async send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    if (readFields(parseJson(request.wireText))?.get('method') === METHOD) {
      const reply = await super.send(request, listener, signal);
      this.#greeting.learn(reply);
      return reply;
    }
    const greeted = await this.#greeting.before(request, listener, signal);
    return greeted.ok ? super.send(greeted.request, listener, signal) : greeted.reply;
  }
}

/** A server's description of itself in its answer to the handshake. */
function readPeer(text: string): Peer | undefined {
  const result = readFields(readFields(parseJson(text))?.get('result'));
  if (!result) return undefined;
  const server = readFields(result.get('server'));
  const version = result.get('version');
  const name = [server?.get('name'), server?.get('version')].filter(part => typeof part === 'string');
  const listed = server?.get('capabilities');
  const capabilities = asList(listed);
  return {
    ...(typeof version === 'string' ? { version } : {}),
    ...(name.length > 0 ? { name: name.join(' ') } : {}),
    capabilities: capabilities.filter(each => typeof each === 'string'),
  };
}
