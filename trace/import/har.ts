import type { Protocols } from '../../protocols/protocol.ts';
import { asList, readFields, type Fields } from '../../core/text/fields.ts';
import { quote } from '../../core/text/quote.ts';
import { countOf } from '../../core/text/count.ts';
import type { HeadEvent, KeptHeader, TraceEvent, WireEvent } from '../../core/events/events.ts';
import { tellOutcome } from '../outcome.ts';
import { ReplyRecogniser } from '../../protocols/recognise/reply.ts';
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
 * Reads the entries of HAR 1.2. Each is a call to the host of its address, in one trace unless it carries a name of its own;
 * what it speaks and how it ended is read from what was said. Entries that we exported are the calls that they were. Credentials
 * are left out. Of compressed bodies HAR holds what they say, and how many bytes they were.
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
  /** When the reply began and when it was over. */
  readonly answeredAt: number;
  readonly until: number;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: readonly KeptHeader[];
  readonly asked: HarBody | undefined;
  /** 0 where no reply came. */
  readonly status: number;
  readonly statusLine: string;
  readonly replyHeaders: readonly KeptHeader[];
  readonly answered: HarBody | undefined;
  readonly envelope: Fields | undefined;
  /** What of it is told otherwise than it was, or not at all. */
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
  const saidOut = readRequestBody(request, headers, protocols);
  const saidIn = readReplyBody(response, replyHeaders, { request: saidOut, protocols });
  const redactor = new Redactor([...secrets, ...(saidOut?.secrets ?? []), ...(saidIn?.secrets ?? [])]);
  const [asked, answered] = [redactBody(saidOut, redactor), redactBody(saidIn, redactor)];
  const status = readNumber(response?.get('status')) ?? 0;
  return {
    at,
    answeredAt: at + Math.max(0, took - receive),
    until: at + took,
    method,
    url: redactUrl(url),
    requestHeaders: redactor.redactHeaders(headers),
    asked,
    status,
    statusLine: `${status} ${readText(response?.get('statusText')) ?? ''}`.trim(),
    replyHeaders: redactor.redactHeaders(replyHeaders),
    answered,
    envelope,
    notes: [asked?.note, answered?.note, noteSocket(fields)].filter(note => note !== undefined),
  };
}

/** Browsers keep what went over a WebSocket beside the exchange that opened it. */
function noteSocket(fields: Fields): string | undefined {
  const messages = fields.get('_webSocketMessages');
  return Array.isArray(messages) && messages.length > 0
    ? `${countOf(messages.length, 'message')} of this WebSocket stood in the file and ${messages.length === 1 ? 'is' : 'are'} left out`
    : undefined;
}

function readHeaders(value: unknown): readonly KeptHeader[] {
  return asList(value).flatMap(item => {
    const fields = readFields(item);
    const [name, text] = [readText(fields?.get('name')), readText(fields?.get('value'))];
    const redacted = readNumber(fields?.get('_redacted'));
    if (name === undefined || text === undefined) return [];
    return [{ name, value: text, ...(redacted === undefined ? {} : { redacted }) }];
  });
}

function eventsOfEntry(entry: HarEntry, index: number, protocols: Protocols): readonly TraceEvent[] {
  const { envelope } = entry;
  const of = readText(envelope?.get('of'));
  const restored = of === undefined && envelope ? restoreCall(Object.fromEntries(envelope), {}) : undefined;
  // The entry has what came.
  const told = restored?.filter(event => event.type !== 'wire');
  const begun = restored?.[0];
  const call = of ?? begun?.call ?? `har#${index + 1}`;
  const said = told ?? (of === undefined ? recognise(entry, call, protocols) : []);
  const notes = entry.notes.map(text => ({ type: 'note', call, at: entry.at, text }) as const);
  return [...said, ...notes, ...listExchange(entry, call)];
}

/** The heads and the bytes of an entry. */
function listExchange(entry: HarEntry, call: string): readonly TraceEvent[] {
  const { at, answeredAt, until, method, url, status, statusLine } = entry;
  const head = (
    direction: 'out' | 'in',
    time: number,
    line: string,
    headers: readonly KeptHeader[],
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
    ...wire('out', at, entry.asked),
    ...(status === 0 ? [] : [head('in', answeredAt, statusLine, entry.replyHeaders)]),
    ...wire('in', until, entry.answered),
  ];
}

/** Compressed bytes themselves are not there: only their count is. */
function toBytes({ said, packed }: HarBody): Pick<WireEvent, 'bytes' | 'redacted' | 'unpacked'> {
  if (packed === undefined) return { bytes: said };
  return { bytes: { text: REDACTED }, redacted: [{ at: 0, length: packed }], unpacked: said };
}

/** The call that an entry of another program is. */
function recognise(entry: HarEntry, call: string, protocols: Protocols): readonly TraceEvent[] {
  const { at, until, method, url, requestHeaders: headers, asked, status, answered } = entry;
  const [, agent = quote(url), path = '/'] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)([^#]*)/i.exec(url) ?? [];
  const text = asked && 'text' in asked.said ? asked.said.text : '';
  const { protocol, title, names, session, notes } = recogniseRequest(
    { method, path, headers, text },
    protocols,
  );
  const reader = new ReplyRecogniser(
    protocols.find(protocol),
    status === 0 ? undefined : { status, line: entry.statusLine, headers: entry.replyHeaders },
  );
  if (answered && 'text' in answered.said) reader.push(answered.said.text);
  const sign = reader.end();
  const common = { call, at };
  return [
    {
      type: 'call',
      ...common,
      trace: names.find(name => name.scheme === 'w3c')?.trace ?? 'har',
      agent,
      protocol,
      title,
      ...(session === undefined ? {} : { session }),
      ...(names.length === 0 ? {} : { names }),
    },
    ...[...notes, ...sign.notes].map(note => ({ type: 'note', ...common, text: note }) as const),
    {
      type: 'end',
      call,
      at: until,
      ...tellOutcome(status === 0 ? { status: 'incomplete', message: 'No reply was recorded' } : sign),
    },
  ];
}

/** Milliseconds that something took; 0 where that is not told, or told as what no clock measures. */
function readLength(value: unknown): number {
  const length = readNumber(value) ?? 0;
  return length > 0 && length <= Number.MAX_SAFE_INTEGER ? length : 0;
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
