import { listPackings } from '../../../core/events/headers.ts';
import { HttpFramer } from './http-framer.ts';
import { frameReply, statusOf } from './http-framing.ts';
import type { MessageHead } from './http-head.ts';
import { unpackAtOnce } from '../../unpack.ts';

/** A reply after its addresses were replaced, if there were any. */
export interface RewrittenCard {
  readonly bytes: Buffer;
  /** One sentence: what was replaced, or why nothing could be; undefined if there was nothing to replace. */
  readonly note?: string;
}

/**
 * Replaces an A2A agent's own addresses in its card by the recording's, so that callers that follow the card pass
 * through the recording. `bytes` begin with the reply; bytes behind it stay unchanged. A changed reply is neither
 * chunked nor compressed, which every caller understands. A reply without an address of the agent stays unchanged.
 */
export function rewriteCard(bytes: Buffer, agent: URL, recording: string): RewrittenCard {
  const reply = readReply(bytes);
  if (!reply || statusOf(reply.head.line) !== 200) return { bytes };
  const { head, body, start, end } = reply;
  const packings = listPackings(head.headers);
  const plain = packings.length === 0 ? body : unpackAtOnce(body, packings);
  if (!plain)
    return {
      bytes,
      note: `${LEFT}: its reply is compressed as ${packings.join(', ')}, which cannot be read`,
    };
  const card = plain.toString('latin1');
  const written = namesOf(agent).reduce((text, origin) => replaceOrigin(text, origin, recording), card);
  if (written === card) return { bytes };
  if (reply.hasTrailers) return { bytes, note: `${LEFT}: its reply ends with trailers, which would be lost` };
  const changed = Buffer.from(sizeHead(head, written.length) + written, 'latin1');
  return {
    bytes: Buffer.concat([bytes.subarray(0, start), changed, bytes.subarray(end)]),
    note: `The addresses of the agent in its card were replaced by ${recording}; the original card is recorded here`,
  };
}

const LEFT = 'The agent card was forwarded unchanged, with the addresses of the agent';

interface CardReply {
  readonly head: MessageHead;
  readonly body: Buffer;
  /** The offset of its head: interim replies may precede it. */
  readonly start: number;
  readonly end: number;
  readonly hasTrailers: boolean;
}

/** The first reply that is not an interim one; undefined if there is none or it is incomplete. */
function readReply(bytes: Buffer): CardReply | undefined {
  const body: Buffer[] = [];
  let head: MessageHead | undefined;
  let [start, end] = [0, 0];
  let [isOver, hasTrailers] = [false, false];
  const framer = new HttpFramer('replies', {
    head(found) {
      if (isOver) return { framing: 'tunnel' };
      start = bytes.indexOf(found.bytes, end);
      end = start + found.bytes.length;
      head = found;
      return frameReply(found, 'GET');
    },
    raw: piece => void (end += isOver ? 0 : piece.length),
    body: piece => void body.push(piece),
    trailers: () => void (hasTrailers = true),
    over: () => void (isOver ||= head !== undefined && statusOf(head.line) >= 200),
    noHead: () => undefined,
    foreign: () => undefined,
    broken: () => undefined,
  });
  framer.push(bytes);
  framer.end();
  return head && isOver ? { head, body: Buffer.concat(body), start, end, hasTrailers } : undefined;
}

/** The head for a body of this length that is neither chunked nor compressed. */
function sizeHead({ bytes }: MessageHead, length: number): string {
  const [first = '', ...lines] = bytes.toString('latin1').trimEnd().split(/\r?\n/);
  const stored = lines.filter(line => !/^(?:content-encoding|content-length|transfer-encoding):/i.test(line));
  return [first, ...stored, `Content-Length: ${length}`, '', ''].join('\r\n');
}

/** The host names under which an agent on this computer is reached. */
const HERE = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0'];

/** The origins under which an agent may know itself. */
export function namesOf({ origin, protocol, hostname, port }: URL): readonly string[] {
  if (!HERE.includes(hostname)) return [origin];
  const end = port === '' ? '' : `:${port}`;
  return HERE.map(name => `${protocol}//${name}${end}`);
}

/** Replaces an origin only where it is complete: `http://a:8080` does not contain the origin `http://a:80`. */
function replaceOrigin(text: string, origin: string, by: string): string {
  const parts = text.split(origin);
  return parts.reduce((done, part) => done + (/^[/"\\?#]/.test(part) ? by : origin) + part);
}
