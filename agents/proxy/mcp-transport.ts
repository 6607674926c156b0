import type { KeptHeader } from '../../core/events/events.ts';
import { isEventStream } from '../../core/events/headers.ts';
import type { RecognisedRequest } from '../../protocols/recognise/request.ts';
import { END_SESSION, LISTENING } from '../../protocols/recognise/titles.ts';
import type { ExchangeOutcome } from './exchange.ts';

/** An endpoint is the first that a server of MCP of 2024-11-05 tells in its stream; it stands in so many characters. */
export const LONGEST_LOOK = 4096;

/** The address for messages that such a server names; undefined where it names none. `body` is what came so far. */
export function findEndpoint(headers: readonly KeptHeader[], body: string): string | undefined {
  if (!isEventStream(headers)) return undefined;
  return /^event: ?endpoint\r?\ndata: ?(\S+)(?=[\r\n])/m.exec(body.slice(0, LONGEST_LOOK))?.[1];
}

/** An endpoint as the path that requests to it have. `path` is that of the request for the stream. */
export function pathOfEndpoint(endpoint: string, path: string): string | undefined {
  const base = `http://recording${path}`;
  if (!URL.canParse(endpoint, base)) return undefined;
  const { pathname, search } = new URL(endpoint, base);
  return pathname + search;
}

/**
 * What comes of a request for something that a server of MCP may lack: one without a stream of its own, or that lets no caller
 * end sessions, says so by 405 (MCP, transports), which is no failure. Undefined for all other exchanges.
 */
export function judgeOffer(sign: RecognisedRequest | undefined, status: number): ExchangeOutcome | undefined {
  const mayLack = sign?.protocol === 'mcp' && (sign.title === LISTENING || sign.title === END_SESSION);
  return mayLack && status === 405 ? { status: 'ok' } : undefined;
}
