import { PRODUCT } from '../../core/catalog/product.ts';
import { countOf, showCount } from '../../core/text/count.ts';
import { printDate } from '../date.ts';
import type { HeadEvent, KeptHeader } from '../../core/events/events.ts';
import { findHeader } from '../../core/events/headers.ts';
import type { CallNode } from '../fold/tree.ts';
import { sizeOf } from '../../core/events/marks.ts';
import { envelopeOf } from './envelope.ts';
import { listExchanges, type HttpExchange } from './har-exchanges.ts';
import { joinPayload } from './payload-text.ts';
import { walkCalls, type ExportSource } from './source.ts';

/**
 * The HTTP exchanges of traces as HAR 1.2. `_parley` of a call's first exchange keeps what HAR has no word for, and of its other
 * ones the call's id. Compressed bodies are told as what they say. What went another way, as over standard input, is left out, and the comment of the log says how many calls.
 */
export async function* exportHar(source: ExportSource): AsyncGenerator<string, void> {
  const creator = { name: PRODUCT.title, version: PRODUCT.version };
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`;
  let separator = '\n';
  let leftOut = 0;
  let count = 0;
  for (const node of walkCalls(source.trees)) {
    count++;
    const exchanges = listExchanges(await source.payload(node.call.call));
    if (exchanges.length === 0) leftOut++;
    for (const [index, exchange] of exchanges.entries()) {
      yield separator + JSON.stringify(toEntry(exchange, index, node));
      separator = ',\n';
    }
  }
  const comment =
    leftOut === 0
      ? ''
      : `,"comment":"Left out for not going over HTTP: ${showCount(leftOut)} of ${countOf(count, 'call')}"`;
  yield `\n]${comment}}}\n`;
}

function toEntry(exchange: HttpExchange, index: number, node: CallNode): object {
  const { request, response, until } = exchange;
  const wait = Math.max(0, (response?.at ?? until) - request.at);
  const receive = Math.max(0, until - request.at - wait);
  const { call } = node.call;
  return {
    startedDateTime: printDate(request.at),
    time: wait + receive,
    request: toRequest(exchange),
    response: toResponse(exchange),
    cache: {},
    timings: { send: 0, wait, receive },
    _parley: index === 0 ? { ...envelopeOf(node), at: request.at } : { of: call, at: request.at },
  };
}

function toRequest(exchange: HttpExchange): object {
  const { line, headers } = exchange.request;
  const space = line.indexOf(' ');
  const url = line.slice(space + 1);
  const body = joinPayload(exchange.wire, 'out');
  const mimeType = findHeader(headers, 'content-type') ?? '';
  return {
    method: line.slice(0, space),
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers.map(toHeader),
    queryString: listQuery(url),
    ...(body
      ? { postData: { mimeType, ...('text' in body ? body : { text: body.base64, _encoding: 'base64' }) } }
      : {}),
    headersSize: -1,
    bodySize: countBytes(exchange, 'out'),
  };
}

function toResponse(exchange: HttpExchange): object {
  const { line, headers } = exchange.response ?? NO_RESPONSE;
  const [, status = '0', statusText = ''] = /^(?:HTTP\/[\d.]+ )?(\d{3})(?: (.*))?$/s.exec(line) ?? [];
  const body = joinPayload(exchange.wire, 'in');
  const bodySize = countBytes(exchange, 'in');
  const isPacked = exchange.wire.some(({ direction, unpacked }) => direction === 'in' && unpacked);
  const size = isPacked ? countSaid(exchange) : bodySize;
  const encoded = body && ('text' in body ? body : { text: body.base64, encoding: 'base64' });
  return {
    status: Number(status),
    statusText,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers.map(toHeader),
    content: {
      size,
      ...(isPacked ? { compression: size - bodySize } : {}),
      mimeType: findHeader(headers, 'content-type') ?? '',
      ...encoded,
    },
    redirectURL: findHeader(headers, 'location') ?? '',
    headersSize: -1,
    bodySize,
  };
}

/** What HAR has for a reply that never came: the status 0. */
const NO_RESPONSE: Pick<HeadEvent, 'line' | 'headers'> = { line: '', headers: [] };

function toHeader({ name, value, redacted }: KeptHeader): object {
  return { name, value, ...(redacted === undefined ? {} : { _redacted: redacted }) };
}

function countBytes({ wire }: HttpExchange, direction: 'out' | 'in'): number {
  return wire.reduce((sum, event) => sum + (event.direction === direction ? sizeOf(event) : 0), 0);
}

/** The bytes of a reply once it is unpacked; a secret counts as long as it was. */
function countSaid({ wire }: HttpExchange): number {
  return wire.reduce((sum, { unpacked, ...event }) => {
    if (event.direction !== 'in') return sum;
    return sum + sizeOf(unpacked ? { ...event, bytes: unpacked, redacted: unpacked.redacted ?? [] } : event);
  }, 0);
}

function listQuery(url: string): readonly object[] {
  const query = /\?([^#]*)/.exec(url)?.[1] ?? '';
  return query
    .split('&')
    .filter(pair => pair !== '')
    .map(pair => {
      const equals = pair.indexOf('=');
      return equals === -1
        ? { name: pair, value: '' }
        : { name: pair.slice(0, equals), value: pair.slice(equals + 1) };
    });
}
