import { quote } from '../../core/text/quote.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import type { ExchangeNumber, HeadEvent, WireEvent } from '../../core/events/events.ts';
import { listPackings } from '../../core/events/headers.ts';
import { payloadOf } from '../../core/events/payload.ts';
import type { Protocol } from '../protocol.ts';
import { EarlierRequests } from './earlier-requests.ts';
import type { BodyList, BodyParts } from './body-parts.ts';
import { finishParts, describeLeftOut, type PartDraft } from './draft.ts';
import type { ReplyParts } from './part.ts';
import { JsonParts } from './json-parts.ts';
import { PieceTimes } from './piece-times.ts';
import { ResponseParts } from './response-parts.ts';
import { Utf8Reader } from '../../core/events/bytes.ts';

/** A body, with data from its head. */
interface OpenBody {
  readonly parts: BodyParts | undefined;
  readonly text: Utf8Reader;
  /** Its compression, according to its head. */
  readonly packing: string | undefined;
  /** True once compressed bytes arrived without their unpacked text, so that the rest cannot be read either. */
  isUnread: boolean;
  /** The first line of its head. */
  readonly line: string;
  readonly exchange: ExchangeNumber | undefined;
  /** When its last bytes arrived. */
  at: number;
  readonly times: PieceTimes;
}

/**
 * Reads the reply of a call part by part: messages and contents of a response, artifacts and states of a
 * task, progress, chunks. Each part has the arrival times of its pieces, and notes on irregularities. How the
 * bytes are cut affects only the times. Total, and linear in the bytes.
 */
export class PartsReader {
  readonly #protocol: Protocol | undefined;
  readonly #bodies: OpenBody[] = [];
  readonly #earlier: EarlierRequests;
  /** The exchanges that are streams of messages which the server sends on its own. */
  readonly #listening = new Set<ExchangeNumber>();
  readonly #out = new Utf8Reader();

  /** Without a protocol, nothing is read. */
  constructor(protocol: Protocol | undefined) {
    this.#protocol = protocol;
    this.#earlier = new EarlierRequests(value => protocol?.requests.readUpdate?.(value) !== undefined);
  }

  /** Takes the next event of the call's payload. */
  push(event: HeadEvent | WireEvent): void {
    if (event.type === 'head') this.#earlier.cut();
    if (event.type === 'head' && event.direction === 'out') {
      this.#earlier.head = event;
      this.#earlier.listens = /^GET /.test(event.line);
      if (this.#earlier.listens && event.exchange !== undefined) this.#listening.add(event.exchange);
    }
    if (event.direction === 'out' && event.type === 'wire' && this.#protocol?.isRpc)
      this.#earlier.push(this.#out.push(payloadOf(event)), event.at);
    if (event.direction !== 'in') return;
    if (event.type === 'head') {
      const before = this.#bodies.at(-1);
      // The bodies of exchanges with numbers may go on after the head of another one.
      if (before?.exchange === undefined || before.exchange === event.exchange) runAtOnce(this.#closeSteps());
      this.#open(event, event.exchange);
      return;
    }
    const body = this.#find(event.exchange) ?? this.#open(undefined, event.exchange);
    body.at = event.at;
    body.times.add({ at: event.at, until: event.at }, event.count);
    body.isUnread ||= body.packing !== undefined && !event.unpacked && 'base64' in event.bytes;
    const added = body.isUnread ? '' : body.text.push(payloadOf(event));
    if (added !== '') body.parts?.push(added, event.at);
  }

  /** Ends the call. */
  end(): void {
    runAtOnce(this.endSteps());
  }

  /** The same in slices; a body that is a single value is read now. */
  *endSteps(): Generator<undefined, void> {
    for (const body of this.#bodies) if (body.exchange !== undefined) yield* closeBody(body);
    yield* this.#closeSteps();
  }

  /** The parts so far. Each exchange that the connection made before the request is one part. */
  list(): ReplyParts {
    const lists = this.#bodies.map(({ parts }) => parts?.list() ?? { parts: [], notes: [] });
    const main = lists.findLastIndex(each => each.parts.length > 0);
    const earlier = this.#bodies.slice(0, Math.max(0, main)).flatMap((body, index) => {
      const list = lists[index];
      if (!list || body.times.pieces === 0) return [];
      return body.exchange !== undefined && this.#listening.has(body.exchange)
        ? list.parts.map(part => ({ ...part, key: `stream ${index} ${part.key}` }))
        : [draftEarlier(body, index, list)];
    });
    const own = lists.slice(Math.max(0, main));
    const { parts, leftOut } = finishParts([...earlier, ...own.flatMap(each => each.parts)]);
    const packings = new Set(
      this.#bodies.flatMap(({ packing, isUnread }) => (isUnread ? (packing ?? []) : [])),
    );
    const notes = [
      ...own.flatMap(each => each.notes),
      ...[...packings].map(packing => `The reply is compressed as ${quote(packing)}: its parts are not read`),
      ...(leftOut === 0 ? [] : [describeLeftOut(leftOut)]),
    ];
    return { parts, notes: [...new Set(notes)] };
  }

  #open(head: HeadEvent | undefined, exchange: ExchangeNumber | undefined): OpenBody {
    const body: OpenBody = {
      exchange,
      parts: this.#openParts(head),
      text: new Utf8Reader(),
      packing: listPackings(head?.headers ?? []).join(', ') || undefined,
      isUnread: false,
      line: head?.line ?? '',
      at: 0,
      times: new PieceTimes(),
    };
    this.#bodies.push(body);
    return body;
  }

  #openParts(head: HeadEvent | undefined): BodyParts | undefined {
    const { openParts, openFold } = this.#protocol?.replies ?? {};
    if (openFold) return new JsonParts(new ResponseParts(listener => openFold('all', listener)));
    return openParts?.(this.#earlier, head);
  }

  /** The newest body of an exchange. */
  #find(exchange: ExchangeNumber | undefined): OpenBody | undefined {
    return exchange === undefined
      ? this.#bodies.at(-1)
      : this.#bodies.findLast(body => body.exchange === exchange);
  }

  *#closeSteps(): Generator<undefined, void> {
    const last = this.#bodies.at(-1);
    if (last) yield* closeBody(last);
  }
}

function* closeBody({ text, parts, at }: OpenBody): Generator<undefined, void> {
  const rest = text.end();
  if (rest !== '') parts?.push(rest, at);
  if (parts) yield* parts.endSteps();
}

/** The parts of a whole payload; more of it may follow if `call` is `open`. */
export function readParts(
  protocol: Protocol | undefined,
  payload: readonly (HeadEvent | WireEvent)[],
  call: 'open' | 'ended',
): ReplyParts {
  const reader = new PartsReader(protocol);
  for (const event of payload) reader.push(event);
  if (call === 'ended') reader.end();
  return reader.list();
}

function draftEarlier({ times, line }: OpenBody, index: number, { parts, notes }: BodyList): PartDraft {
  const [only, ...others] = parts;
  if (only?.kind === 'exchange' && others.length === 0 && notes.length === 0)
    return { ...only, key: `earlier ${index}` };
  return {
    key: `earlier ${index}`,
    kind: 'exchange',
    title: line,
    status: 'ok',
    times,
    notes,
    children: parts,
  };
}
