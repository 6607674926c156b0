import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { parseJson } from '../../core/text/json.ts';
import { OTLP_PROTOBUF, OTLP_TYPES, type OtlpEncoding } from './otlp-messages.ts';

/** The maximum number of bytes of one request. */
export interface BodyLimits {
  /** As received. */
  readonly packed: number;
  /** After decompression. */
  readonly unpacked: number;
}

/** The content of a request, or the status that refuses it with a sentence for the user. */
export type Body<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly status: number; readonly message: string };

/** The encoding of a request by its `Content-Type`; undefined for types that OTLP does not have. */
export function findEncoding(type: string | undefined): OtlpEncoding | undefined {
  const media = type?.split(';', 1)[0]?.trim().toLowerCase();
  if (media === OTLP_TYPES.json) return 'json';
  return media === OTLP_TYPES.protobuf || media === 'application/protobuf' ? 'protobuf' : undefined;
}

/** Reads a request to its end and decompresses it. One that is too long is refused before it is in memory. */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Body<Buffer>> {
  const pieces: Buffer[] = [];
  let size = 0;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limits.packed) return tooLong(limits.packed, 'packed');
  try {
    for await (const piece of request) {
      if (!(piece instanceof Buffer)) continue;
      size += piece.length;
      if (size > limits.packed) return tooLong(limits.packed, 'packed');
      pieces.push(piece);
    }
  } catch {
    return { ok: false, status: 400, message: 'The request is incomplete' };
  }
  return unpack(Buffer.concat(pieces), request.headers['content-encoding'], limits.unpacked);
}

/** The message in a body, as a value of OTLP's JSON. */
export function readExport(bytes: Buffer, encoding: OtlpEncoding): Body<unknown> {
  if (encoding === 'protobuf') {
    const decoded = OTLP_PROTOBUF.decode('Export', bytes);
    return decoded.ok ? decoded : { ok: false, status: 400, message: decoded.message };
  }
  const value = parseJson(bytes.toString('utf8'));
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ok: true, value }
    : {
        ok: false,
        status: 400,
        message: 'The body is not the JSON of an export, an object with "resourceSpans"',
      };
}

const unpackers: ReadonlyMap<
  string,
  (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>
> = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
]);

async function unpack(bytes: Buffer, packing: string | undefined, longest: number): Promise<Body<Buffer>> {
  const name = packing?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity' || name === '') return { ok: true, value: bytes };
  const unpacker = unpackers.get(name);
  if (!unpacker)
    return {
      ok: false,
      status: 415,
      message: `Content-Encoding ${name} is not supported; send gzip, or no encoding`,
    };
  try {
    return { ok: true, value: await unpacker(bytes, { maxOutputLength: longest }) };
  } catch (error) {
    return error instanceof RangeError
      ? tooLong(longest, 'unpacked')
      : { ok: false, status: 400, message: `The body does not match its Content-Encoding, ${name}` };
  }
}

function tooLong(most: number, how: 'packed' | 'unpacked'): Body<Buffer> {
  const size = how === 'packed' ? `${most} bytes` : `${most} bytes after decompression`;
  return {
    ok: false,
    status: 413,
    message: `A request may have ${size}; let the exporter send smaller batches`,
  };
}
