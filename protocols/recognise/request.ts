import { defined } from '../../core/text/fields.ts';
import type { TraceProtocol } from '../../core/events/events.ts';
import { splitObjectList } from '../../core/text/json.ts';
import { findEntry, textValue, type Value } from '../../core/values/value.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import { readJsonPieces, readWrittenJson } from '../../language/values/json-reader.ts';
import { findLayer, type TextLayerName, recogniseValue } from './detect.ts';
import type { Protocol, Protocols } from '../protocol.ts';
import type { ObservedRequest, RequestKind } from '../request-recognition.ts';
import { pathOf } from './head.ts';
import { printId, readNames, type CarriedNames } from './names.ts';
import { shortenTitle } from './title.ts';

/** The maximum number of characters of a body that are read. */
export const LONGEST_READ = 2 ** 20;

/** The title of a request that ends a session of MCP. */
export const END_SESSION = 'end session';

/** The title of a request for the card of an A2A agent. */
export const AGENT_CARD = 'agent card';

/** A request with its protocol, title, kind and names. */
export interface RecognisedRequest extends CarriedNames {
  readonly protocol: TraceProtocol;
  /** The tool, query or method; `POST /path` if none is known. */
  readonly title: string;
  readonly kind: RequestKind;
  /** True for an update that an agent pushes to its client about an earlier call: no agent is called by it. */
  readonly isUpdate?: true;
  /** True for a request for which an agent logs nothing, and asks its caller nothing. */
  readonly isLookup?: true;
  /** Its id among the messages of its connection. */
  readonly id?: string;
  readonly session?: string;
  /** The token by which the agent reports progress (MCP). */
  readonly progressToken?: string;
  /** The messages of a JSON-RPC batch, if all of them are requests or notifications of a known protocol. */
  readonly batch?: readonly BatchMessage[];
}

export interface BatchMessage {
  /** Its source text. */
  readonly text: string;
  readonly request: RecognisedRequest;
}

/**
 * Recognises a request: its protocol by its form, and its title, session and names. Total, and linear in the
 * text, of which the first `LONGEST_READ` characters are read.
 */
export function recogniseRequest(request: ObservedRequest, protocols: Protocols): RecognisedRequest {
  return new Recogniser(request, protocols).recognise();
}

class Recogniser {
  readonly #request: ObservedRequest;
  readonly #protocols: Protocols;
  readonly #known: Protocol | undefined;

  constructor(request: ObservedRequest, protocols: Protocols) {
    this.#request = request;
    this.#protocols = protocols;
    this.#known = protocols.find(request.known);
  }

  recognise(): RecognisedRequest {
    const text = this.#request.text.slice(0, LONGEST_READ);
    const layer = findLayer(text);
    const readBody = (): Value | undefined => (layer === 'json' ? readJson(text) : undefined);
    for (const protocol of this.#protocols.list) {
      const framed = protocol.requests.frame?.(this.#request, readBody);
      if (framed) return { ...this.#readMessage(protocol, framed), kind: 'request' };
    }
    const ofLanguage = this.#protocols.ofLanguage(layer);
    if (ofLanguage) return this.#readMessage(ofLanguage, readMessageText(layer, text));
    const value = readBody();
    if (value?.kind === 'list') return this.#readBatch(text, value.items);
    const protocol = value && this.#protocolOf(value);
    if (protocol) return this.#readMessage(protocol, value);
    return (value && this.#readUpdate(value)) ?? this.#readByHead(value);
  }

  #protocolOf(value: Value): Protocol | undefined {
    const found = recogniseValue(this.#protocols, value, undefined);
    if (!found) return undefined;
    const { isRpc, isPlain, requests } = found;
    const mayBeOther = isPlain?.(value) === true || (isRpc === true && !findEntry(value, 'method'));
    if (mayBeOther) {
      const claiming = this.#protocols.list.find(({ requests }) => requests.claims?.(this.#request.headers));
      if (claiming) return claiming;
      // A message that several protocols share belongs to the agent's configured protocol.
      if (this.#known?.isRpc) return this.#known;
    }
    return requests.isLoose && this.#known?.replies.openFold ? this.#known : found;
  }

  #readMessage(protocol: Protocol, value: Value | undefined): RecognisedRequest {
    const { requests } = protocol;
    const { name } = protocol.facts;
    if (!value) return { ...this.#readByHead(undefined), protocol: name };
    const { headers } = this.#request;
    const carried = readNames(headers, value);
    const id = printId(findEntry(value, 'id'));
    const session = requests.session?.(headers, value);
    const kind = requests.kind?.(value) ?? 'request';
    const meta = findEntry(findEntry(value, 'params'), '_meta');
    const progressToken = printId(findEntry(meta, 'progressToken'));
    return {
      protocol: name,
      title:
        shortenTitle(requests.title(value)) ?? (kind === 'answer' ? 'answer' : titleOfHead(this.#request)),
      kind,
      ...carried,
      names: [...carried.names, ...(requests.names?.(value) ?? [])],
      ...(requests.isLookup?.(value) === true ? { isLookup: true } : {}),
      ...(id === undefined ? {} : { id }),
      ...(session === undefined ? {} : { session }),
      ...(progressToken === undefined ? {} : { progressToken }),
    };
  }

  #readBatch(text: string, items: readonly Value[]): RecognisedRequest {
    const requests = items.slice(0, MAX_OF_BATCH).map(item => {
      const protocol = this.#protocolOf(item);
      return protocol && this.#readMessage(protocol, item);
    });
    const first = requests.find(request => request !== undefined);
    if (!first) return this.#readByHead(undefined);
    const kinds = new Set(requests.map(request => request?.kind));
    return defined({
      ...readNames(this.#request.headers, items[0]),
      batch: this.#readMessages(text),
      protocol: first.protocol,
      title: `${items.length} messages, first ${first.title}`,
      kind: kinds.size === 1 ? first.kind : 'request',
      session: first.session,
    });
  }

  #readMessages(text: string): readonly BatchMessage[] | undefined {
    const texts = splitObjectList(text) ?? [];
    if (texts.length < 2 || texts.length > MAX_OF_BATCH) return undefined;
    const messages = texts.map(each => ({
      text: each,
      request: recogniseRequest({ ...this.#request, text: each }, this.#protocols),
    }));
    const isCall = ({ protocol, kind }: RecognisedRequest): boolean =>
      this.#protocols.find(protocol)?.isRpc === true && kind !== 'answer';
    return messages.every(({ request }) => isCall(request)) ? messages : undefined;
  }

  /** Reads an update that an agent pushes to a URL of its client. */
  #readUpdate(value: Value): RecognisedRequest | undefined {
    if (this.#request.method !== 'POST') return undefined;
    for (const { facts, requests } of this.#protocols.list) {
      const update = requests.readUpdate?.(value);
      if (!update) continue;
      const { headers } = this.#request;
      const carried = readNames(headers, value);
      return defined({
        protocol: facts.name,
        title: update.title,
        kind: 'notification',
        isUpdate: true,
        ...carried,
        names: [...carried.names, ...(requests.names?.(update.message) ?? [])],
        session: requests.session?.(headers, update.message),
      });
    }
    return undefined;
  }

  /** Reads the head alone. */
  #readByHead(message: Value | undefined): RecognisedRequest {
    const { headers } = this.#request;
    const carried = readNames(headers, message);
    const session = this.#protocols.list
      .map(({ requests }) => requests.session?.(headers, undefined))
      .find(each => each !== undefined);
    const base = defined({ kind: 'request', ...carried, session });
    for (const { facts, requests } of this.#protocols.list) {
      const found = requests.byHead?.(this.#request);
      if (found) return { ...base, protocol: facts.name, title: found.title };
    }
    return { ...base, protocol: 'other', title: titleOfHead(this.#request) };
  }
}

/** The first message in a text of AICL or AICF. */
function readMessageText(layer: TextLayerName | undefined, text: string): Value | undefined {
  if (layer === 'aicl') return readAiclPieces(text).pieces[0]?.value;
  const [line = ''] = text.split(/\r\n|\r|\n/).filter(each => each.trim() !== '' && !each.startsWith('#'));
  return textValue(line.replace(/^\s*Request:\s*/, ''));
}

/** The value of a JSON text; if it was cut, the part that can be read. */
function readJson(text: string): Value | undefined {
  return readWrittenJson(text) ?? readJsonPieces(text).pieces[0]?.value;
}

/** The maximum number of messages of a batch that are read one by one; a longer batch is one call. */
const MAX_OF_BATCH = 100;

function titleOfHead({ method, path = '', text }: ObservedRequest): string {
  if (method !== undefined) return `${method} ${pathOf(path)}`;
  return text.trim() === '' ? 'nothing' : 'a message of no known protocol';
}
