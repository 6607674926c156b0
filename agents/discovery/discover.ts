import type { Protocol, Protocols } from '../../protocols/protocol.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import { exchangeHttp, type HttpHead } from '../http/exchange.ts';

/** An agent that was found at an address, with its protocol. */
export interface FoundProtocol extends Discovered {
  readonly protocol: Protocol;
  /** False if only the path of the address says so. */
  readonly isSure: boolean;
}

/** What probes of an address showed. */
export interface Discovery {
  /** Undefined if no known protocol was found. */
  readonly found: FoundProtocol | undefined;
  /** True if something answered there, in any protocol. */
  readonly isReached: boolean;
  /** Why nothing answered, or what answered, as a sentence without its full stop. */
  readonly words: string;
}

type Probe = ReturnType<NonNullable<Protocol['discovery']>['probes']>[number];
type Discovered = NonNullable<ReturnType<Probe['read']>>;
type Target = Pick<ResolvedHttpAgent, 'url' | 'headers' | 'tls'>;

export interface DiscoverOptions {
  /** The maximum number of milliseconds for each probe. */
  readonly limit?: number;
  /** `GET` sends no other requests: an agent that is only slow must not get one more message. */
  readonly only?: 'GET';
  /** The protocol that is tried before the others. */
  readonly first?: string;
}

const LIMIT = 2_000;
/** The beginning of a body that is read; lists of models are long. */
const MAX_BYTES = 2 ** 20;

/**
 * Finds out which protocol an agent at an address speaks. The requests change nothing and cost nothing: first those by GET,
 * such as for agent cards and lists of models, then the others. They go to the origin of the address only. Never throws.
 */
export async function discover(
  target: Target,
  protocols: Protocols,
  signal: AbortSignal,
  { limit = LIMIT, first, only }: DiscoverOptions = {},
): Promise<Discovery> {
  const ordered = protocols.list.toSorted(
    (one, other) => Number(other.facts.name === first) - Number(one.facts.name === first),
  );
  const probes = ordered.flatMap(protocol =>
    (protocol.discovery?.probes(target.url.href) ?? [])
      .filter(({ url }) => URL.parse(url)?.origin === target.url.origin)
      .map(probe => ({ protocol, probe })),
  );
  const visit = new Visit(target, limit, signal);
  const gets = probes.filter(({ probe }) => probe.method === 'GET');
  const seen = await Promise.all(gets.map(({ probe }) => visit.try(probe)));
  const at = seen.findIndex(found => found !== undefined);
  const [byGet, own] = [gets[at], seen[at]];
  if (byGet && own) return visit.found(byGet.protocol, own);
  for (const { protocol, probe } of probes) {
    if (probe.method === 'GET' || only === 'GET' || signal.aborted || !visit.isReached) continue;
    const found = await visit.try(probe);
    if (found) return visit.found(protocol, found);
  }
  return visit.end(protocols);
}

/** The probes of one address. */
class Visit {
  readonly #target: Target;
  readonly #limit: number;
  readonly #signal: AbortSignal;
  #head: HttpHead | undefined;
  #failure: string | undefined;

  constructor(target: Target, limit: number, signal: AbortSignal) {
    this.#target = target;
    this.#limit = limit;
    this.#signal = signal;
  }

  get isReached(): boolean {
    return this.#head !== undefined || this.#failure === undefined;
  }

  /** Sends a probe and reads its reply. */
  async try(probe: Probe): Promise<Discovered | undefined> {
    const decoder = new TextDecoder();
    let body = '';
    let head: HttpHead | undefined;
    const read = (): Discovered | undefined =>
      head && probe.read({ status: head.status, headers: head.headers, body });
    const { failure } = await this.#send(probe.method, probe.url, probe.headers, probe.body, {
      head: came => (head = came),
      body(bytes) {
        body += decoder.decode(bytes, { stream: true });
        // A stream of events does not end by itself.
        return /\r?\n\r?\n$/.test(body) && read() ? 'enough' : 'more';
      },
    });
    this.#head ??= head;
    if (!head) this.#failure ??= failure;
    const found = read();
    const last = head && probe.end?.({ status: head.status, headers: head.headers, body });
    if (last)
      await this.#send(last.method, probe.url, last.headers, undefined, {
        head: () => undefined,
        body: () => 'enough',
      });
    return found;
  }

  async #send(
    method: 'GET' | 'POST' | 'DELETE',
    address: string,
    headers: Probe['headers'],
    body: string | undefined,
    listener: { head(head: HttpHead): unknown; body(bytes: Uint8Array): 'more' | 'enough' },
  ): Promise<{ readonly failure: string | undefined }> {
    const given = new Set([...this.#target.headers.keys()].map(name => name.toLowerCase()));
    const own = headers.filter(([name]) => !given.has(name.toLowerCase()));
    const { failure } = await exchangeHttp(
      {
        method,
        url: new URL(address),
        headers: new Map([...own, ...this.#target.headers]),
        body: body === undefined ? undefined : new TextEncoder().encode(body),
        limits: { connect: this.#limit, idle: this.#limit, total: this.#limit },
        maxBytes: MAX_BYTES,
        tls: this.#target.tls,
      },
      {
        requestHead: () => undefined,
        requestBody: () => undefined,
        replyHead: head => void listener.head(head),
        replyBody: bytes => listener.body(bytes),
      },
      this.#signal,
    );
    return { failure: failure?.message };
  }

  found(protocol: Protocol, found: Discovered): Discovery {
    return { found: { ...found, protocol, isSure: true }, isReached: true, words: '' };
  }

  /** Without an answer that a probe knows, the path of the address may say what its agent speaks. */
  end(protocols: Protocols): Discovery {
    const head = this.#head;
    if (!head) return { found: undefined, isReached: false, words: this.#failure ?? 'Nothing answered' };
    const { href, pathname } = this.#target.url;
    const protocol = protocols.list.find(({ requests }) => requests.endpoint?.test(pathname));
    return {
      found: protocol && { protocol, address: href, isSure: false },
      isReached: true,
      words: `The server there answered ${head.line}, in no protocol that Parley finds by itself`,
    };
  }
}
