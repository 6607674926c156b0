import { PRODUCT } from '../../core/catalog/product.ts';
import { findHeader } from '../../core/events/headers.ts';
import { defined, readFields, readText } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { Discovered, Discovery, Probe, ProbeReply } from '../discovery.ts';
import { findEndpoint } from './endpoint.ts';

/** The newest version with a handshake, which all servers answer with one that they support. */
const VERSION = '2025-11-25';
/** The version without a handshake. */
const MODERN = '2026-07-28';

/** How MCP servers are found at an address: by its stream of the older transport, by `initialize`, and by `server/discover`. */
export const MCP_DISCOVERY: Discovery = {
  probes: address => [
    openStream(address),
    ...listAddresses(address).flatMap(each => [greet(each), discover(each)]),
  ],
};

/** The address, and `/mcp` of a host without a path. */
function listAddresses(address: string): readonly string[] {
  const [, origin] = /^(https?:\/\/[^/?#]+)\/?$/i.exec(address) ?? [];
  return origin === undefined ? [address] : [`${origin}/mcp`, address];
}

function openStream(address: string): Probe {
  return {
    method: 'GET',
    url: address,
    headers: [['Accept', 'text/event-stream']],
    read: ({ headers, body }) => (findEndpoint(headers, body) ? { address } : undefined),
  };
}

function greet(address: string): Probe {
  const params = { protocolVersion: VERSION, capabilities: {}, clientInfo: CLIENT };
  return {
    ...post(address, { method: 'initialize', params }),
    end: ({ headers }) => {
      const session = findHeader(headers, 'mcp-session-id');
      return session === undefined ? undefined : { method: 'DELETE', headers: [['Mcp-Session-Id', session]] };
    },
  };
}

const CLIENT = { name: PRODUCT.name, title: PRODUCT.title, version: PRODUCT.version };

function discover(address: string): Probe {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const probe = post(address, { method: 'server/discover', params: { _meta } });
  const headers = [
    ...probe.headers,
    ['MCP-Protocol-Version', MODERN],
    ['Mcp-Method', 'server/discover'],
  ] as const;
  return { ...probe, headers };
}

function post(address: string, message: object): Probe {
  return {
    method: 'POST',
    url: address,
    headers: [
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, text/event-stream'],
    ],
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    read: reply => readGreeting(reply, address),
  };
}

function readGreeting({ status, headers, body }: ProbeReply, address: string): Discovered | undefined {
  // A server that wants a sign-in says where its metadata is (MCP, "Authorization").
  const isLocked =
    status === 401 && /\bresource_metadata=/.test(findHeader(headers, 'www-authenticate') ?? '');
  if (isLocked) return { address, isLocked };
  const text = /^data: ?(\{.*)$/m.exec(body)?.[1] ?? body;
  const result = readFields(readFields(parseJson(text))?.get('result'));
  if (!result?.has('protocolVersion') && !result?.has('supportedVersions')) return undefined;
  return defined({ address, name: readText(readFields(result.get('serverInfo'))?.get('name')) });
}
