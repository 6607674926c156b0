import type { BodyKind, Protocol } from '../../protocols/protocol.ts';
import { isAicfReply } from '../../language/aicf/reply-stream.ts';
import { quote } from '../../core/text/quote.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { findHeader } from '../../core/events/headers.ts';
import { redactUrl, type Redactor } from '../../core/secrets/redact.ts';
import type { HttpHead } from './exchange.ts';
import { tried } from './failure.ts';

/** The number of characters of a body that are examined to describe it. */
const LOOK = 100_000;

/** A reply that is not in its agent's protocol. */
export interface ForeignReply {
  readonly protocol: Protocol;
  readonly url: URL;
  readonly head: HttpHead;
  readonly body: string;
  /** Replaces secrets in what is quoted, before it is shortened: a shortened secret would not be recognised. */
  readonly redactor: Redactor;
}

/**
 * The sentence about a reply that is not in the agent's protocol: what was tried, what was received, and
 * which address or setting would have been right.
 */
export function describeForeignReply(reply: ForeignReply): string {
  const { protocol, url, head, redactor } = reply;
  const start = redactor.redactStart(reply.body, LOOK);
  const kind = findKind(start);
  const detail = findDetail(kind, start);
  // The escapes of JSON may have hidden a secret.
  const body = describeBody(kind, detail === undefined ? undefined : redactor.redactText(detail));
  const { title } = protocol.facts;
  const came = `${head.line} came with ${body} and no ${title} reply`;
  return `${tried({ method: 'POST', url })}: ${came}; ${adviseOnHead(reply) ?? adviseOnBody(protocol, kind, url)}`;
}

/** True for a status that means failure. */
export function isFailedStatus({ status }: HttpHead): boolean {
  return status < 200 || status > 299;
}

/** The sentence about a reply in its agent's protocol that has a status of failure. */
export function describeFailedStatus(reply: Omit<ForeignReply, 'body'>): string {
  const { protocol, url, head } = reply;
  const advice = adviseOnHead({ ...reply, body: '' }) ?? "look at the reply and at the agent's own log";
  return `${tried({ method: 'POST', url })}: ${head.line} came with a reply of ${protocol.facts.title}, and this status means failure; ${advice}`;
}

function findKind(start: string): BodyKind {
  const text = start.replace(/^\u{feff}/u, '').trimStart();
  if (text === '') return 'empty';
  if (/^<(?:!doctype|html|head|body|\?xml)/i.test(text)) return 'html';
  if (text.startsWith('[d:')) return 'aicl';
  if (isAicfReply(text)) return 'aicf';
  if (/^(?:data|event|id|retry):/.test(text)) return 'events';
  if (/^(?:\{\s*["}]|\[\s*["{[\d\]])/.test(text)) return /"jsonrpc"\s*:/.test(text) ? 'rpc' : 'json';
  return 'text';
}

const BODY_NAMES: Readonly<Record<BodyKind, string>> = {
  empty: 'an empty body',
  html: 'an HTML page',
  rpc: 'a JSON-RPC reply',
  json: 'JSON',
  aicl: 'an AICL message',
  aicf: 'an AICF reply',
  events: 'an event stream',
  text: 'the text',
};

function describeBody(kind: BodyKind, detail: string | undefined): string {
  if (detail === undefined) return BODY_NAMES[kind];
  return kind === 'text' ? `${BODY_NAMES.text} ${quote(detail)}` : `${BODY_NAMES[kind]} (${quote(detail)})`;
}

/** The few words of a body that are most informative. */
function findDetail(kind: BodyKind, start: string): string | undefined {
  if (kind === 'text') return start.trim();
  if (kind === 'html') {
    const shown = /<pre[^<>]*>([^<]+)/i.exec(start)?.[1] ?? /<title[^<>]*>([^<]+)/i.exec(start)?.[1];
    return shown?.trim() || undefined;
  }
  return kind === 'json' || kind === 'rpc' ? findJsonDetail(start) : undefined;
}

function findJsonDetail(start: string): string | undefined {
  const fields = readFields(parseJson(start));
  const error = fields?.get('error') ?? fields?.get('message') ?? fields?.get('detail');
  const text = readFields(error)?.get('message') ?? error;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Advice by the status, whatever the body is. */
function adviseOnHead({ head, url, redactor }: ForeignReply): string | undefined {
  const location = findHeader(head.headers, 'location');
  if (head.status >= 300 && head.status < 400 && location !== undefined) {
    const target = redactor.redactText(redactUrl(resolveUrl(location, url)));
    return `it redirects to ${quote(target)}, and redirects are not followed; put that address into the agent's url if you trust it`;
  }
  if (head.status === 401 || head.status === 403) {
    return "it requires other credentials; set the agent's 'headers', such as Authorization";
  }
  if (head.status === 413) return 'the request is too long for this agent; send less';
  const wait = findHeader(head.headers, 'retry-after');
  if (head.status === 429)
    return `it accepts no more requests for now; try again ${wait ? describeWait(redactor.redactText(wait)) : 'later'}`;
  return undefined;
}

/** Seconds or a date, the only values of `Retry-After` (RFC 9110). */
const WAIT = /^(?:\d{1,10}|[A-Za-z]{3}, \d\d [A-Za-z]{3} \d{4} \d\d:\d\d:\d\d GMT)$/;

/** When an agent that refused a request may be asked again, by its own word; another text is not passed on. */
export function findWait(head: Pick<HttpHead, 'status' | 'headers'> | undefined): {
  readonly retryAfter?: string;
} {
  const wait = head && head.status >= 400 ? findHeader(head.headers, 'retry-after') : undefined;
  return wait !== undefined && WAIT.test(wait) ? { retryAfter: wait } : {};
}

/** Seconds or a date (RFC 9110, "Retry-After"). */
function describeWait(wait: string): string {
  return /^\d+$/.test(wait) ? `in ${wait} s` : `after ${quote(wait)}`;
}

function adviseOnBody(protocol: Protocol, kind: BodyKind, url: URL): string {
  if (kind === 'aicl' || kind === 'aicf') return `set the agent's "protocol" to "${kind}"`;
  return (
    protocol.advise?.(kind, url) ?? `check that an agent of ${protocol.facts.title} runs at this address`
  );
}

function resolveUrl(location: string, base: URL): string {
  return URL.canParse(location, base.href) ? new URL(location, base).href : location;
}
