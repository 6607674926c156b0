import { decodeBase64 } from '../../text/base64.ts';
import { countOf } from '../../text/count.ts';
import { readFields, type Fields } from '../../text/fields.ts';
import { decodeUtf8 } from '../bytes.ts';
import type { KeptBytes, KeptHeader } from '../events.ts';
import { findHeader } from '../recognise/names.ts';
import { redactUrl, type Redactor } from '../redact.ts';

/** What was said in one direction of an entry of HAR. */
export interface HarBody {
  readonly said: KeptBytes;
  /** How many bytes it was where it went compressed. */
  readonly packed: number | undefined;
  /** What is odd about it. */
  readonly note: string | undefined;
}

type Said = Pick<HarBody, 'said' | 'note'>;

/** The body of a request; undefined where none was kept. */
export function readRequestBody(
  request: Fields,
  headers: readonly KeptHeader[],
  redactor: Redactor,
): HarBody | undefined {
  const posted = readFields(request.get('postData'));
  const said = readSaid(posted, posted?.get('_encoding'), redactor) ?? readForm(posted, redactor);
  return said && { ...said, packed: findPacked(request, headers) };
}

/** The body of a reply; undefined where none was kept. */
export function readReplyBody(
  response: Fields | undefined,
  headers: readonly KeptHeader[],
  redactor: Redactor,
): HarBody | undefined {
  const content = readFields(response?.get('content'));
  const said = readSaid(content, content?.get('encoding'), redactor);
  return said && { ...said, packed: findPacked(response, headers) };
}

function findPacked(message: Fields | undefined, headers: readonly KeptHeader[]): number | undefined {
  const size = message?.get('bodySize');
  const packing = findHeader(headers, 'content-encoding');
  const isPacked = packing !== undefined && packing.trim().toLowerCase() !== 'identity';
  return isPacked && typeof size === 'number' && Number.isFinite(size) && size > 0 ? size : undefined;
}

function readSaid(holder: Fields | undefined, encoding: unknown, redactor: Redactor): Said | undefined {
  const text = holder?.get('text');
  if (typeof text !== 'string' || text === '') return undefined;
  if (encoding !== 'base64') return { said: { text: redactor.redactText(text) }, note: undefined };
  const bytes = decodeBase64(text);
  if (!bytes)
    return {
      said: { text: redactor.redactText(text) },
      note: 'A body is said to be Base64 and is not: it stands here as it stood in the file',
    };
  const decoded = decodeUtf8(bytes);
  const said = decoded === undefined ? { base64: text } : { text: redactor.redactText(decoded) };
  return { said, note: undefined };
}

/** What HAR keeps of a form in place of its text. */
function readForm(posted: Fields | undefined, redactor: Redactor): Said | undefined {
  const params = posted?.get('params');
  if (!Array.isArray(params) || params.length === 0) return undefined;
  const pairs = params.map(param => {
    const fields = readFields(param);
    return [fields?.get('name'), fields?.get('value') ?? fields?.get('fileName')]
      .map(part => (typeof part === 'string' ? part : ''))
      .join('=');
  });
  const text = redactUrl(`?${pairs.join('&')}`).slice(1);
  return {
    said: { text: redactor.redactText(text) },
    note: `The file keeps ${countOf(params.length, 'field')} of a form in place of the request's text: they stand here as one text`,
  };
}
