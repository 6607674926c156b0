import type { Protocols } from '../../protocols/protocol.ts';
import { decodeBase64 } from '../../core/text/base64.ts';
import { countOf } from '../../core/text/count.ts';
import { readFields, type Fields } from '../../core/text/fields.ts';
import { bodyKindOf } from '../../core/events/body-kind.ts';
import { decodeUtf8 } from '../../core/events/bytes.ts';
import type { BodyKind } from '../../core/secrets/credential-scanner.ts';
import type { KeptBytes, KeptHeader } from '../../core/events/events.ts';
import { listPackings } from '../../core/events/headers.ts';
import { asksForToken, findFormTokens, findTokens, GRANT } from '../../protocols/recognise/tokens.ts';
import { REDACTED } from '../../core/secrets/redact-stream.ts';
import type { Redactor } from '../../core/secrets/redact.ts';
import { isSecretName } from '../../core/secrets/secret-name.ts';

/** What was said in one direction of an entry of HAR. */
export interface HarBody {
  readonly said: KeptBytes;
  /** How many bytes it was where it went compressed. */
  readonly packed: number | undefined;
  /** What is odd about it. */
  readonly note: string | undefined;
  /** The credentials that it carries. */
  readonly secrets: readonly string[];
  readonly kind: BodyKind;
  /** True where it is of a sign-in: the reply to it has credentials. */
  readonly isSignIn: boolean;
}

type Said = Omit<HarBody, 'packed'>;

/** What is known of a body besides its text. */
interface BodyFacts {
  readonly headers: readonly KeptHeader[];
  readonly protocols: Protocols;
  /** True for the reply to a sign-in. */
  readonly isSignIn?: boolean | undefined;
}

/** The body of a request, with its credentials; undefined where none was kept. */
export function readRequestBody(
  request: Fields,
  headers: readonly KeptHeader[],
  protocols: Protocols,
): HarBody | undefined {
  const posted = readFields(request.get('postData'));
  const said = readSaid(posted, posted?.get('_encoding'), { headers, protocols }) ?? readForm(posted);
  if (!said) return undefined;
  return { ...said, packed: findPacked(request, headers) };
}

/** The body of the reply to a request, with its credentials; undefined where none was kept. */
export function readReplyBody(
  response: Fields | undefined,
  headers: readonly KeptHeader[],
  { request, protocols }: { readonly request: HarBody | undefined; readonly protocols: Protocols },
): HarBody | undefined {
  const content = readFields(response?.get('content'));
  const isSignIn = request?.isSignIn;
  const said = readSaid(content, content?.get('encoding'), { headers, protocols, isSignIn });
  return said && { ...said, packed: findPacked(response, headers) };
}

/** A body without what a redactor knows. */
export function redactBody(body: HarBody | undefined, redactor: Redactor): HarBody | undefined {
  if (!body || !('text' in body.said)) return body;
  return { ...body, said: { text: redactor.redactText(body.said.text, body.kind) } };
}

function findPacked(message: Fields | undefined, headers: readonly KeptHeader[]): number | undefined {
  const size = message?.get('bodySize');
  const isPacked = listPackings(headers).length > 0;
  return isPacked && typeof size === 'number' && Number.isFinite(size) && size > 0 ? size : undefined;
}

function readSaid(
  holder: Fields | undefined,
  encoding: unknown,
  { headers, protocols, isSignIn = false }: BodyFacts,
): Said | undefined {
  const text = holder?.get('text');
  if (!holder || typeof text !== 'string' || text === '') return undefined;
  const typed = withType(headers, holder.get('mimeType'));
  const kind = bodyKindOf(typed, isSignIn);
  const tell = (told: string, note?: string): Said => {
    const secrets = findTokens(told, typed, protocols);
    return { said: { text: told }, note, secrets, kind, isSignIn: isSignIn || asksForToken(told, typed) };
  };
  if (encoding !== 'base64') return tell(text);
  const bytes = decodeBase64(text);
  if (!bytes)
    return tell(text, 'A body is said to be Base64 and is not: it stands here as it stood in the file');
  const decoded = decodeUtf8(bytes);
  return decoded === undefined
    ? { said: { base64: text }, note: undefined, secrets: [], kind, isSignIn }
    : tell(decoded);
}

/** HAR tells what a body is beside it, too: some programs leave out headers. */
function withType(headers: readonly KeptHeader[], mimeType: unknown): readonly KeptHeader[] {
  return typeof mimeType === 'string' ? [...headers, { name: 'content-type', value: mimeType }] : headers;
}

/** What HAR keeps of a form in place of its text. */
function readForm(posted: Fields | undefined): Said | undefined {
  const params = posted?.get('params');
  if (!Array.isArray(params) || params.length === 0) return undefined;
  const form = params.map(param => {
    const fields = readFields(param);
    const [name, value] = [fields?.get('name'), fields?.get('value') ?? fields?.get('fileName')];
    return { name: textOf(name), value: textOf(value) };
  });
  // Values stand here decoded: they may hold what separates fields.
  const text = form
    .map(({ name, value }) => `${name}=${value !== '' && isSecretName(name, 'other') ? REDACTED : value}`)
    .join('&');
  return {
    said: { text },
    kind: 'any',
    note: `The file keeps ${countOf(params.length, 'field')} of a form in place of the request's text: they stand here as one text`,
    secrets: findFormTokens(form),
    isSignIn: form.some(({ name }) => name === GRANT),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
