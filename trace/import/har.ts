import type { Protocols } from '../../protocols/protocol.ts';
import { defined, asList, readFields, type Fields, readNumber, readText } from '../../core/text/fields.ts';
import { quote } from '../../core/text/quote.ts';
import { countOf } from '../../core/text/count.ts';
import type { HeadEvent, StoredHeader, TraceEvent, WireEvent } from '../../core/events/events.ts';
import { outcomeFields } from '../outcome.ts';
import { ReplyReading } from '../../protocols/recognise/reply.ts';
import { recogniseRequest } from '../../protocols/recognise/request.ts';
import { REDACTED } from '../../core/secrets/redact-stream.ts';
import { findCredentials, redactUrl, Redactor } from '../../core/secrets/redact.ts';
import { readDate } from './dates.ts';
import { restoreCall } from './envelope.ts';
import { readReplyBody, readRequestBody, redactBody, type HarBody } from './har-body.ts';
import { ImportNotes, type ImportedTrace } from './imported.ts';

/** The entries of a HAR document; undefined for any other value. */
export function findHarEntries(value: unknown): readonly unknown[] | undefined {
  const entries = readFields(readFields(value)?.get('log'))?.get('entries');
  return Array.isArray(entries) ? entries : undefined;
}

/**
 * Reads the entries of HAR 1.2. Each is a call to the host of its URL; without a trace name of its own it is in one
 * trace with the others. Protocol and outcome are recognised from the payload. Entries that we exported are restored.
 * Credentials are removed. For compressed bodies, HAR has the unpacked text and the number of bytes.
 */
export function* harSteps(
  entries: readonly unknown[],
  protocols: Protocols,
): Generator<undefined, ImportedTrace> {
  const notes = new ImportNotes();
  const events: TraceEvent[] = [];
  for (const [index, value] of entries.entries()) {
    const entry = readEntry(value, protocols);
    if (!entry) notes.add(`Entry ${index + 1} has no request or no time; it is left out`);
    else for (const event of eventsOfEntry(entry, index, protocols)) events.push(event);
    yield;
  }
  return { ok: true, events, notes: notes.all };
}

interface HarEntry {
  readonly at: number;
  /** When the reply began; `until` is when it ended. */
  readonly answeredAt: number;
  readonly until: number;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: readonly StoredHeader[];
  readonly requestBody: HarBody | undefined;
  /** 0 if no reply came. */
  readonly status: number;
  readonly statusLine: string;
  readonly replyHeaders: readonly StoredHeader[];
  readonly answered: HarBody | undefined;
  readonly envelope: Fields | undefined;
  /** Notes on data that is changed or left out. */
  readonly notes: readonly string[];
}

function readEntry(value: unknown, protocols: Protocols): HarEntry | undefined {
  const fields = readFields(value);
  const request = readFields(fields?.get('request'));
  const response = readFields(fields?.get('response'));
  const envelope = readFields(fields?.get('_parley'));
  const [method, url] = [readText(request?.get('method')), readText(request?.get('url'))];
  const at = readNumber(envelope?.get('at')) ?? readDate(readText(fields?.get('startedDateTime')) ?? '');
  if (!fields || !request || method === undefined || url === undefined || at === undefined) return undefined;
  const took = readLength(fields.get('time'));
  const receive = readLength(readFields(fields.get('timings'))?.get('receive'));
  const headers = readHeaders(request.get('headers'));
  const secrets = findCredentials(
    url,
    headers.map(header => [header.name, header.value] as const),
  );
  const replyHeaders = readHeaders(response?.get('headers'));
  const bodyOut = readRequestBody(request, headers, protocols);
  const bodyIn = readReplyBody(response, replyHeaders, { request: bodyOut, protocols });
  const redactor = new Redactor([...secrets, ...(bodyOut?.secrets ?? []), ...(bodyIn?.secrets ?? [])]);
  const [requestBody, answered] = [redactBody(bodyOut, redactor), redactBody(bodyIn, redactor)];
  const status = readNumber(response?.get('status')) ?? 0;
  return {
    at,
    answeredAt: at + Math.max(0, took - receive),
    until: at + took,
    method,
    url: redactUrl(url),
    requestHeaders: redactor.redactHeaders(headers),
    requestBody,
    status,
    statusLine: `${status} ${readText(response?.get('statusText')) ?? ''}`.trim(),
    replyHeaders: redactor.redactHeaders(replyHeaders),
    answered,
    envelope,
    notes: [requestBody?.note, answered?.note, noteSocket(fields)].filter(note => note !== undefined),
  };
}

/** Notes the messages of a WebSocket, which browsers store in the entry that opened it. */
function noteSocket(fields: Fields): string | undefined {
  const messages = fields.get('_webSocketMessages');
  return Array.isArray(messages) && messages.length > 0
    ? `${countOf(messages.length, 'message')} of this WebSocket were in the file and ${messages.length === 1 ? 'is' : 'are'} left out`
    : undefined;
}

function readHeaders(value: unknown): readonly StoredHeader[] {
  return asList(value).flatMap(item => {
    const fields = readFields(item);
    const [name, text] = [readText(fields?.get('name')), readText(fields?.get('value'))];
    if (name === undefined || text === undefined) return [];
    return [defined({ name, value: text, redacted: readNumber(fields?.get('_redacted')) })];
  });
}

function eventsOfEntry(entry: HarEntry, index: number, protocols: Protocols): readonly TraceEvent[] {
  const { envelope } = entry;
  const of = readText(envelope?.get('of'));
  const restored = of === undefined && envelope ? restoreCall(Object.fromEntries(envelope), {}) : undefined;
  // Payload events come from the entry itself.
  const reported = restored?.filter(event => event.type !== 'wire');
  const begun = restored?.[0];
  const call = of ?? begun?.call ?? `har#${index + 1}`;
  const events = reported ?? (of === undefined ? recognise(entry, call, protocols) : []);
  const notes = entry.notes.map(text => ({ type: 'note', call, at: entry.at, text }) as const);
  return [...events, ...notes, ...listExchange(entry, call)];
}

/** The heads and the bytes of an entry. */
function listExchange(entry: HarEntry, call: string): readonly TraceEvent[] {
  const { at, answeredAt, until, method, url, status, statusLine } = entry;
  const head = (
    direction: 'out' | 'in',
    time: number,
    line: string,
    headers: readonly StoredHeader[],
  ): HeadEvent => ({
    type: 'head',
    call,
    at: time,
    direction,
    line,
    headers,
  });
  const wire = (direction: 'out' | 'in', time: number, body: HarBody | undefined): readonly WireEvent[] =>
    body ? [{ type: 'wire', call, at: time, direction, ...toBytes(body) }] : [];
  return [
    head('out', at, `${method} ${url}`, entry.requestHeaders),
    ...wire('out', at, entry.requestBody),
    ...(status === 0 ? [] : [head('in', answeredAt, statusLine, entry.replyHeaders)]),
    ...wire('in', until, entry.answered),
  ];
}

/** A body as payload; for a compressed one, whose bytes HAR lacks, with their number only. */
function toBytes({ stored, packed }: HarBody): Pick<WireEvent, 'bytes' | 'redacted' | 'unpacked'> {
  if (packed === undefined) return { bytes: stored };
  return { bytes: { text: REDACTED }, redacted: [{ at: 0, length: packed }], unpacked: stored };
}

/** Recognises the call in an entry of another program. */
function recognise(entry: HarEntry, call: string, protocols: Protocols): readonly TraceEvent[] {
  const { at, until, method, url, requestHeaders: headers, requestBody, status, answered } = entry;
  const [, agent = quote(url), path = '/'] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)([^#]*)/i.exec(url) ?? [];
  const text = requestBody && 'text' in requestBody.stored ? requestBody.stored.text : '';
  const { protocol, title, names, session, notes } = recogniseRequest(
    { method, path, headers, text },
    protocols,
  );
  const reader = new ReplyReading(
    protocols.find(protocol),
    status === 0 ? undefined : { status, line: entry.statusLine, headers: entry.replyHeaders },
    'requests',
    title,
  );
  if (answered && 'text' in answered.stored) reader.push(answered.stored.text);
  const sign = reader.end();
  const common = { call, at };
  return [
    defined({
      type: 'call',
      ...common,
      trace: names.find(name => name.scheme === 'w3c')?.trace ?? 'har',
      agent,
      protocol,
      title,
      session,
      ...(names.length === 0 ? {} : { names }),
    }),
    ...[...notes, ...sign.notes].map(note => ({ type: 'note', ...common, text: note }) as const),
    {
      type: 'end',
      call,
      at: until,
      ...outcomeFields(status === 0 ? { status: 'incomplete', message: 'No reply was recorded' } : sign),
    },
  ];
}

/** A duration in milliseconds; 0 if it is missing or unrealistic. */
function readLength(value: unknown): number {
  const length = readNumber(value) ?? 0;
  return length > 0 && length <= Number.MAX_SAFE_INTEGER ? length : 0;
}
