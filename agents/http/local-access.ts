import { defined } from '../../core/text/fields.ts';
import type { StoredHeader } from '../../core/events/events.ts';
import { quote } from '../../core/text/quote.ts';
import { headerValues } from '../../core/events/headers.ts';
import { createServer, type Server } from 'node:net';

/** The interface that only programs on this computer can reach. */
export const LOOPBACK = '127.0.0.1';

export type Listening =
  | { readonly ok: true; readonly port: number }
  | {
      readonly ok: false;
      /** A sentence for the user. */
      readonly message: string;
      /** A port that was free just now, if the requested one is not. */
      readonly freePort?: number;
    };

/**
 * Makes a server listen on a port of the loopback interface; 0 means any free port. If the port is taken, the
 * result has a free one.
 */
export async function listenLoopback(server: Server, port: number): Promise<Listening> {
  const code = await listen(server, port);
  if (code === undefined) return { ok: true, port: portOf(server) };
  if (code !== 'EADDRINUSE')
    return { ok: false, message: `Port ${port} cannot be listened on (${code}); choose another one` };
  const freePort = await findFreePort();
  const advice = freePort === undefined ? 'choose another one' : `port ${freePort} is free`;
  return defined({ ok: false, message: `Port ${port} is taken by another program; ${advice}`, freePort });
}

/** Returns the code of the error; undefined once it listens. */
function listen(server: Server, port: number): Promise<string | undefined> {
  return new Promise(resolve => {
    // The handler stays: a later error, for example too many open files, must not end the process.
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, LOOPBACK, () => resolve(undefined));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

async function findFreePort(): Promise<number | undefined> {
  const server = createServer();
  const free = (await listen(server, 0)) === undefined ? portOf(server) : undefined;
  await new Promise<void>(resolve => server.close(() => resolve()));
  return free;
}

/** Which requests a server on the loopback interface admits. */
export interface LocalAccess {
  /** The port that it listens on. */
  readonly port: number;
  /** Origins whose web pages may send requests, as `readOrigin` writes them. */
  readonly origins?: ReadonlySet<string>;
  /** Other names under which callers reach it, in lower case and with or without a port. */
  readonly hosts?: ReadonlySet<string>;
}

/** Why a request may not pass. */
export interface AccessFault {
  /** A foreign name of this server, or a web page. */
  readonly kind: 'host' | 'page';
  /** The name, or the origin of the page; empty if the request does not have it. */
  readonly who: string;
  readonly message: string;
}

/** Names of this computer, as they are in a Host header. */
const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::(\d{1,5}))?$/i;

/** The port of a Host header without one. */
const DEFAULT_PORT = 80;

/** Values of Sec-Fetch-Site that a browser sends for pages of this server, and for addresses that the user types. */
const OWN_SITE: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** Why a request is refused because of its origin or the host that it names; undefined if it may pass. */
export function findAccessFault(
  headers: readonly StoredHeader[],
  access: LocalAccess,
  host: 'once' | 'not' = 'once',
): AccessFault | undefined {
  return (host === 'once' ? findHostFault(headers, access) : undefined) ?? findPageFault(headers, access);
}

/**
 * A page in a browser can reach us under its own name if that resolves to 127.0.0.1 (DNS rebinding).
 * Therefore only names of this computer with our port, and names that the user allowed, pass.
 */
function findHostFault(headers: readonly StoredHeader[], access: LocalAccess): AccessFault | undefined {
  const { port, hosts = [] } = access;
  const [host = '', ...others] = headerValues(headers, 'host');
  const count = host === '' ? 0 : others.length + 1;
  if (count !== 1)
    return {
      kind: 'host',
      who: '',
      message: `A request must have one Host header, and this one has ${count} Host headers; send one, 'Host: 127.0.0.1:${port}'`,
    };
  const name = host.toLowerCase();
  const isAllowed = [name, name.replace(/:\d+$/, '')].some(each => access.hosts?.has(each));
  if (isAllowed || isOwnHost(host, port)) return undefined;
  const names = [`127.0.0.1:${port}`, `localhost:${port}`, ...hosts];
  return {
    kind: 'host',
    who: name,
    message: `This recording accepts requests for ${names.join(' and ')} only, and the request names the host ${quote(host)}`,
  };
}

/**
 * A browser sends the origin of the page in all requests that can change something and in those that a script
 * reads; in all others, Sec-Fetch-Site describes the page. An origin is foreign unless it is that of this
 * server or was allowed. The origin `null`, which any page can have, is always foreign.
 */
function findPageFault(headers: readonly StoredHeader[], access: LocalAccess): AccessFault | undefined {
  const origins = headerValues(headers, 'origin');
  const [origin = ''] = origins;
  if (origins.length === 1 && access.origins?.has(readOrigin(origin) ?? '')) return undefined;
  const isOwn = origins.every(each => each.startsWith('http://') && isOwnHost(each.slice(7), access.port));
  const sites = headerValues(headers, 'sec-fetch-site').map(site => site.toLowerCase());
  if (isOwn && origins.length <= 1 && sites.every(site => OWN_SITE.has(site))) return undefined;
  const who = origins.join(', ');
  const whose = who === '' ? 'another site' : quote(who, 200);
  return {
    kind: 'page',
    who,
    message: `This recording accepts no requests from web pages, and a page of ${whose} sent this one; the origin can be allowed where the recording is started`,
  };
}

function isOwnHost(host: string, port: number): boolean {
  const match = LOOPBACK_NAME.exec(host);
  return match !== null && Number(match[1] ?? DEFAULT_PORT) === port;
}

/**
 * An origin as browsers write it, in lower case and without the default port of its scheme; undefined if it
 * is not one.
 */
export function readOrigin(text: string): string | undefined {
  const origin = text.toLowerCase();
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\]+$/.test(origin) || !URL.canParse(origin)) return undefined;
  const url = new URL(origin);
  return url.origin === 'null' ? origin : url.origin;
}

/** A host name with or without a port, in lower case; undefined if it is not one. */
export function readHostName(text: string): string | undefined {
  const host = text.toLowerCase();
  const isName = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.test(host);
  return isName && URL.canParse(`http://${host}`) ? host : undefined;
}

/** A request that a recording refused by itself. */
export interface RefusedRequest {
  readonly kind: AccessFault['kind'] | 'framing';
  /** The origin of a page, the host that was named, or the fault of the framing; empty if unknown. */
  readonly who: string;
  /** A sentence without a full stop. */
  readonly message: string;
}

/** The maximum number of reports of one recording: a page can invent any number of origins. */
const MAX_REPORTS = 20;

/** Reports each kind of refused request once, up to a limit. */
export function reportOnce(report: (refused: RefusedRequest) => void): (refused: RefusedRequest) => void {
  const known = new Set<string>();
  return refused => {
    const key = `${refused.kind} ${refused.who}`;
    if (known.has(key) || known.size === MAX_REPORTS) return;
    known.add(key);
    report(
      known.size < MAX_REPORTS
        ? refused
        : { ...refused, message: `${refused.message}; from here on refused requests are not reported` },
    );
  };
}

/** The origin that the user could allow after a report; undefined if there is none. */
export function originOf({ kind, who }: RefusedRequest): string | undefined {
  return kind === 'page' ? readOrigin(who) : undefined;
}
