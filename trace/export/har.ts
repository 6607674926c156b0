import { defined } from '../../core/text/fields.ts';
import { PRODUCT } from '../../core/catalog/product.ts';
import { countOf, showCount } from '../../core/text/count.ts';
import { printDate } from '../date.ts';
import type { HeadEvent, StoredHeader } from '../../core/events/events.ts';
import { findHeader } from '../../core/events/headers.ts';
import type { CallNode } from '../fold/tree.ts';
import { sizeOf } from '../../core/events/payload.ts';
import { envelopeOf } from './envelope.ts';
import { listExchanges, type HttpExchange } from './har-exchanges.ts';
import { joinPayload } from './payload-text.ts';
import { walkCalls, type ExportSource } from './source.ts';

/**
 * Exports the HTTP exchanges of traces as HAR 1.2. `_parley` has what HAR cannot express in the first
 * exchange of a call, and the call's id in its others. Compressed bodies are written unpacked. Calls over
 * other transports are left out; the comment of the log has their number.
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
      : `,"comment":"Left out because they do not use HTTP: ${showCount(leftOut)} of ${countOf(count, 'call')}"`;
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
  return defined({
    method: line.slice(0, space),
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers.map(toHeader),
    queryString: listQuery(url),
    postData: body && { mimeType, ...('text' in body ? body : { text: body.base64, _encoding: 'base64' }) },
    headersSize: -1,
    bodySize: countBytes(exchange, 'out'),
  });
}

function toResponse(exchange: HttpExchange): object {
  const { line, headers } = exchange.response ?? NO_RESPONSE;
  const [, status = '0', statusText = ''] = /^(?:HTTP\/[\d.]+ )?(\d{3})(?: (.*))?$/s.exec(line) ?? [];
  const body = joinPayload(exchange.wire, 'in');
  const bodySize = countBytes(exchange, 'in');
  const isPacked = exchange.wire.some(({ direction, unpacked }) => direction === 'in' && unpacked);
  const size = isPacked ? countReplyBytes(exchange) : bodySize;
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

/** HAR's form of a missing reply: the status 0. */
const NO_RESPONSE: Pick<HeadEvent, 'line' | 'headers'> = { line: '', headers: [] };

function toHeader({ name, value, redacted }: StoredHeader): object {
  return defined({ name, value, _redacted: redacted });
}

function countBytes({ wire }: HttpExchange, direction: 'out' | 'in'): number {
  return wire.reduce((sum, event) => sum + (event.direction === direction ? sizeOf(event) : 0), 0);
}

/** The bytes of an unpacked reply; a redacted secret counts with its original length. */
function countReplyBytes({ wire }: HttpExchange): number {
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
