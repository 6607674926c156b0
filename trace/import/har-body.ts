import type { Protocols } from '../../protocols/protocol.ts';
import { decodeBase64 } from '../../core/text/base64.ts';
import { countOf } from '../../core/text/count.ts';
import { readFields, type Fields } from '../../core/text/fields.ts';
import { bodyKindOf, listPackings } from '../../core/events/headers.ts';
import { decodeUtf8 } from '../../core/events/bytes.ts';
import type { BodyKind } from '../../core/secrets/credential-scanner.ts';
import type { StoredBytes, StoredHeader } from '../../core/events/events.ts';
import { asksForToken, findFormTokens, findTokens, GRANT } from '../../protocols/recognise/tokens.ts';
import { REDACTED } from '../../core/secrets/redact-stream.ts';
import type { Redactor } from '../../core/secrets/redact.ts';
import { isSecretName } from '../../core/secrets/secret-name.ts';

/** The body of a request or reply in a HAR entry. */
export interface HarBody {
  readonly stored: StoredBytes;
  /** The number of compressed bytes; undefined if it was not compressed. */
  readonly packed: number | undefined;
  /** An irregularity of the body. */
  readonly note: string | undefined;
  /** The credentials in the body. */
  readonly secrets: readonly string[];
  readonly kind: BodyKind;
  /** True for a sign-in request, whose reply has credentials. */
  readonly isSignIn: boolean;
}

type ReadBody = Omit<HarBody, 'packed'>;

/** The context of a body. */
interface BodyFacts {
  readonly headers: readonly StoredHeader[];
  readonly protocols: Protocols;
  /** True for the reply to a sign-in. */
  readonly isSignIn?: boolean | undefined;
}

/** The body of a request, with its credentials; undefined if none is stored. */
export function readRequestBody(
  request: Fields,
  headers: readonly StoredHeader[],
  protocols: Protocols,
): HarBody | undefined {
  const posted = readFields(request.get('postData'));
  const body = readInputs(posted, posted?.get('_encoding'), { headers, protocols }) ?? readForm(posted);
  if (!body) return undefined;
  return { ...body, packed: findPacked(request, headers) };
}

/** The body of the reply to a request, with its credentials; undefined if none is stored. */
export function readReplyBody(
  response: Fields | undefined,
  headers: readonly StoredHeader[],
  { request, protocols }: { readonly request: HarBody | undefined; readonly protocols: Protocols },
): HarBody | undefined {
  const content = readFields(response?.get('content'));
  const isSignIn = request?.isSignIn;
  const body = readInputs(content, content?.get('encoding'), { headers, protocols, isSignIn });
  return body && { ...body, packed: findPacked(response, headers) };
}

/** The body with all secrets of a redactor removed. */
export function redactBody(body: HarBody | undefined, redactor: Redactor): HarBody | undefined {
  if (!body || !('text' in body.stored)) return body;
  return { ...body, stored: { text: redactor.redactBody(body.stored.text, body.kind) } };
}

function findPacked(message: Fields | undefined, headers: readonly StoredHeader[]): number | undefined {
  const size = message?.get('bodySize');
  const isPacked = listPackings(headers).length > 0;
  return isPacked && typeof size === 'number' && Number.isFinite(size) && size > 0 ? size : undefined;
}

function readInputs(
  holder: Fields | undefined,
  encoding: unknown,
  { headers, protocols, isSignIn = false }: BodyFacts,
): ReadBody | undefined {
  const text = holder?.get('text');
  if (!holder || typeof text !== 'string' || text === '') return undefined;
  const typed = withType(headers, holder.get('mimeType'));
  const kind = bodyKindOf(typed, isSignIn);
  const report = (reported: string, note?: string): ReadBody => {
    const secrets = findTokens(reported, typed, protocols);
    return {
      stored: { text: reported },
      note,
      secrets,
      kind,
      isSignIn: isSignIn || asksForToken(reported, typed),
    };
  };
  if (encoding !== 'base64') return report(text);
  const bytes = decodeBase64(text);
  if (!bytes) return report(text, 'A body is declared as Base64 and is not: it is shown as in the file');
  const decoded = decodeUtf8(bytes);
  return decoded === undefined
    ? { stored: { base64: text }, note: undefined, secrets: [], kind, isSignIn }
    : report(decoded);
}

/** Adds HAR's own media type, because some programs leave out headers. */
function withType(headers: readonly StoredHeader[], mimeType: unknown): readonly StoredHeader[] {
  return typeof mimeType === 'string' ? [...headers, { name: 'content-type', value: mimeType }] : headers;
}

/** Reads a form that HAR stores as fields instead of text. */
function readForm(posted: Fields | undefined): ReadBody | undefined {
  const params = posted?.get('params');
  if (!Array.isArray(params) || params.length === 0) return undefined;
  const form = params.map(param => {
    const fields = readFields(param);
    const [name, value] = [fields?.get('name'), fields?.get('value') ?? fields?.get('fileName')];
    return { name: textOf(name), value: textOf(value) };
  });
  // The values are decoded and may contain field separators, so secrets are removed before joining.
  const text = form
    .map(({ name, value }) => `${name}=${value !== '' && isSecretName(name, 'other') ? REDACTED : value}`)
    .join('&');
  return {
    stored: { text },
    kind: 'any',
    note: `The file keeps ${countOf(params.length, 'field')} of a form instead of the request's text: they are shown as one text`,
    secrets: findFormTokens(form),
    isSignIn: form.some(({ name }) => name === GRANT),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
