import { listPackings } from '../../core/events/headers.ts';
import { HttpFramer } from './http-framer.ts';
import { frameReply, statusOf } from './http-framing.ts';
import type { MessageHead } from './http-head.ts';
import { unpackAtOnce } from './unpack.ts';

/** A reply as a recording may change it, where it was asked to. */
export interface RewrittenCard {
  readonly bytes: Buffer;
  /** What was done, or why nothing could be, a sentence; undefined where there was nothing to do. */
  readonly note?: string;
}

/**
 * The reply with an A2A agent's card, in which addresses of the agent itself become those of the recording, so that callers who
 * follow the card pass it. `bytes` begin with the reply; what comes behind it stays. It goes on in one piece and without
 * compression, which every caller takes; a reply that names no address of the agent stays as it is.
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
    note: `The addresses of the agent in its card were replaced by ${recording}; what is kept here is the card as it came`,
  };
}

const LEFT = 'The agent card passed as it came, with the addresses of the agent';

interface CardReply {
  readonly head: MessageHead;
  readonly body: Buffer;
  /** Where its head begins: interim replies may stand before it. */
  readonly start: number;
  readonly end: number;
  readonly hasTrailers: boolean;
}

/** The first reply that is no interim one; undefined where there is none. */
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

/** The head with the length of a body that is neither in chunks nor compressed. */
function sizeHead({ bytes }: MessageHead, length: number): string {
  const [first = '', ...lines] = bytes.toString('latin1').trimEnd().split(/\r?\n/);
  const kept = lines.filter(line => !/^(?:content-encoding|content-length|transfer-encoding):/i.test(line));
  return [first, ...kept, `Content-Length: ${length}`, '', ''].join('\r\n');
}

/** What agents on this computer call it. */
const HERE = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0'];

/** The origins under which an agent may know itself. */
export function namesOf({ origin, protocol, hostname, port }: URL): readonly string[] {
  if (!HERE.includes(hostname)) return [origin];
  const end = port === '' ? '' : `:${port}`;
  return HERE.map(name => `${protocol}//${name}${end}`);
}

/** Where an origin is a whole one: `http://a:80` is none in `http://a:8080`. */
function replaceOrigin(text: string, origin: string, by: string): string {
  const parts = text.split(origin);
  return parts.reduce((done, part) => done + (/^[/"\\?#]/.test(part) ? by : origin) + part);
}
