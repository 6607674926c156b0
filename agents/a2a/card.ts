import { asList, readFields, type Fields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import { redactUrl } from '../../core/secrets/redact.ts';
import { NOT_SENT } from '../../core/events/events.ts';
import { isLoopbackName } from '../address.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { Peer } from '../connection.ts';
import { tried } from '../http/failure.ts';
import { HttpError } from '../http/fetch.ts';
import { isCard, listCardAddresses } from '../../protocols/a2a/card.ts';
import type * as Library from './library.ts';
import { describeLibraryError } from '../library-error.ts';

/** An agent, described by its card. */
export interface FoundAgent {
  /** Has only the interfaces that we may use. */
  readonly card: Library.AgentCard;
  /** The card's description of the agent; undefined if there is no card. */
  readonly peer: Omit<Peer, 'version'> | undefined;
  /** The card as received; undefined if there is none. */
  readonly text: string | undefined;
}

export type CardFinding =
  | { readonly ok: true; readonly agent: FoundAgent; readonly note?: string }
  | {
      readonly ok: false;
      readonly status: 'error' | 'cancelled';
      readonly code: string;
      readonly message: string;
    };

/**
 * Finds an agent's card (A2A 1.0, section 8): the agent's url is the address of the card, the address below
 * which it is, or the endpoint itself. An agent without a card is called at its url, in version 1.0.
 */
export async function findAgent(
  agent: ResolvedHttpAgent,
  fetch: typeof globalThis.fetch,
  library: typeof Library,
): Promise<CardFinding> {
  const isAddressOfCard = listCardAddresses(agent.url.href).includes(agent.url.href);
  let seen = '';
  for (const address of listCardAddresses(agent.url.href)) {
    const url = new URL(address);
    try {
      const response = await fetch(url, { headers: { Accept: 'application/json', 'A2A-Version': '1.0' } });
      const text = await response.text();
      const raw = readFields(parseJson(text));
      seen = `${response.status} ${response.statusText}`.trimEnd();
      if (response.ok && raw && isCard(raw)) return readCard({ raw, text, url }, agent, library);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const { kind, code, message } = error.failure;
      // A redirect leads to no card of this agent. An agent that was not reached is unreachable at its other
      // addresses too.
      if (kind !== 'not-http') return refuse(code, message, kind === 'cancelled' ? 'cancelled' : 'error');
      seen = code;
    }
  }
  if (isAddressOfCard)
    return refuse(
      NOT_SENT,
      `${tried({ method: 'GET', url: agent.url })}: ${seen}, but no agent card; set the agent's url to the address of the agent or of its card`,
    );
  return {
    ok: true,
    agent: { card: cardOf(agent, [interfaceAt(agent.url)], 'plain'), peer: undefined, text: undefined },
    note: 'The agent has no card at its address, so the request was sent to its url in version 1.0 of A2A',
  };
}

interface FetchedCard {
  readonly raw: Fields;
  readonly text: string;
  readonly url: URL;
}

function readCard(
  { raw, text, url }: FetchedCard,
  agent: ResolvedHttpAgent,
  library: typeof Library,
): CardFinding {
  let card: Library.AgentCard;
  try {
    card = new library.DefaultAgentCardResolver({ legacyCompat: { enabled: true } }).normalizeAgentCard(
      withLists(raw),
    );
  } catch (error) {
    const reported = describeLibraryError(error);
    return refuse(
      NOT_SENT,
      `The agent card at ${redactUrl(url.href)} cannot be read: ${reported}; correct the agent's card`,
    );
  }
  const listed = asList(card.supportedInterfaces).map(readFields);
  const interfaces = listed.flatMap(each => (each ? [readInterface(each)] : []));
  const spoken = interfaces.filter(({ protocolBinding }) => protocolBinding.toUpperCase() === 'JSONRPC');
  const ours = spoken.flatMap(each => {
    const address = atOrigin(each.url, url, agent.url);
    return address ? [{ ...each, url: address.href }] : [];
  });
  if (ours.length === 0) return refuse(NOT_SENT, describeUnusable(interfaces, spoken, url));
  const doesStream = readFields(raw.get('capabilities'))?.get('streaming') === true;
  return {
    ok: true,
    agent: { card: cardOf(agent, ours, doesStream ? 'streams' : 'plain'), peer: readPeer(raw), text },
  };
}

/** Adds members that the library requires although cards omit them. */
function withLists(raw: Fields): object {
  return {
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    ...Object.fromEntries(raw),
    skills: asList(raw.get('skills')).map(skill => ({
      tags: [],
      ...Object.fromEntries(readFields(skill) ?? []),
    })),
  };
}

type Interface = Library.AgentCard['supportedInterfaces'][number];

function readInterface(fields: Fields): Interface {
  const text = (key: string): string => {
    const value = fields.get(key);
    return typeof value === 'string' ? value : '';
  };
  return {
    url: text('url'),
    protocolBinding: text('protocolBinding'),
    // Messages had this form before version 0.3 too.
    protocolVersion: /^0\./.test(text('protocolVersion')) ? '0.3' : text('protocolVersion') || '1.0',
    tenant: text('tenant'),
  };
}

/** An address in the card, if it is at the origin that the user has named; this computer has several names. */
function atOrigin(address: string, card: URL, own: URL): URL | undefined {
  const url = URL.parse(address, card.href);
  if (!url) return undefined;
  if (url.origin === own.origin) return url;
  const areHere = isLoopbackName(url.hostname) && isLoopbackName(own.hostname);
  const isSame = areHere && url.port === own.port && url.protocol === own.protocol;
  return isSame ? new URL(`${url.pathname}${url.search}`, own) : undefined;
}

function describeUnusable(all: readonly Interface[], spoken: readonly Interface[], card: URL): string {
  const place = `The agent card at ${redactUrl(card.href)}`;
  const [first] = spoken;
  if (first)
    return `Not sent: ${place.replace('The', 'the')} names the address ${quote(redactUrl(first.url), LONGEST)}, which is at another origin than the agent's url; put that address into the agent's url if you trust it`;
  const bindings = all.map(({ protocolBinding }) => quote(protocolBinding, LONGEST)).join(', ');
  return bindings === ''
    ? `${place} names no address for requests; correct the agent's card`
    : `${place} offers ${bindings} but not JSON-RPC, the only A2A binding that Parley supports; use an agent that offers it`;
}

/** The maximum number of characters of the agent's own words in a sentence. */
const LONGEST = 200;

function readPeer(raw: Fields): Omit<Peer, 'version'> {
  const name = ['name', 'version'].map(key => raw.get(key)).filter(text => typeof text === 'string');
  const skills = asList(raw.get('skills')).map(skill => readFields(skill));
  const capabilities = skills.map(skill => skill?.get('name') ?? skill?.get('id'));
  const [agent, version] = name;
  return {
    name: name.join(' ').trim(),
    ...(agent === undefined || version === undefined ? {} : { product: { name: agent, version } }),
    capabilities: capabilities.filter(each => typeof each === 'string'),
  };
}

function interfaceAt(url: URL): Interface {
  return { url: url.href, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' };
}

/** The card as the library needs it. Other parts, such as how to sign in, have another form there and are left out. */
function cardOf(
  { name }: ResolvedHttpAgent,
  supportedInterfaces: Interface[],
  replies: 'streams' | 'plain',
): Library.AgentCard {
  return {
    name,
    description: '',
    version: '',
    provider: undefined,
    capabilities: { extensions: [], streaming: replies === 'streams', pushNotifications: false },
    supportedInterfaces,
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    signatures: [],
  };
}

function refuse(code: string, message: string, status: 'error' | 'cancelled' = 'error'): CardFinding {
  return { ok: false, status, code, message };
}
