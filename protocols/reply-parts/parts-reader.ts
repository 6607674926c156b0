import { quote } from '../../core/text/quote.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import type { HeadEvent, TraceProtocol, WireEvent } from '../../core/events/events.ts';
import { listPackings } from '../../core/events/headers.ts';
import { saidBy } from '../../core/events/said.ts';
import { A2aParts } from '../a2a/reply-parts.ts';
import { AicfParts } from '../aicf/reply-parts.ts';
import { AiclParts } from '../aicl/reply-parts.ts';
import { AioParts } from '../aio/reply-parts.ts';
import { AskedMethods } from './asked-methods.ts';
import type { BodyList, BodyParts } from './body-parts.ts';
import { finishParts, sayLeftOut, type PartDraft } from './draft.ts';
import type { ReplyParts } from './part.ts';
import { JsonParts } from './json-parts.ts';
import { PieceTimes } from './piece-times.ts';
import { ResponseParts } from './response-parts.ts';
import { RpcParts } from './rpc-parts.ts';
import { TakenParts } from './taken-parts.ts';
import { Utf8Reader } from './utf8-reader.ts';

/** A head begins a body. */
interface OpenBody {
  readonly parts: BodyParts | undefined;
  readonly text: Utf8Reader;
  /** How it is compressed, by its head. */
  readonly packing: string | undefined;
  /** True once something of it came compressed that nobody unpacked: what follows cannot be read either. */
  isUnread: boolean;
  /** The first line of its head. */
  readonly line: string;
  /** When the last of it came. */
  at: number;
  readonly times: PieceTimes;
}

/**
 * Reads what came back for a call, part by part: the messages and contents of a response, the artifacts and states of a task,
 * progress, chunks. Each part knows when its pieces came, and what is odd about it stands in its notes. However the bytes are
 * cut, the parts are the same but for times. Total, and linear in the bytes.
 */
export class PartsReader {
  readonly #protocol: TraceProtocol;
  readonly #bodies: OpenBody[] = [];
  readonly #asked = new AskedMethods();
  readonly #out = new Utf8Reader();

  constructor(protocol: TraceProtocol) {
    this.#protocol = protocol;
  }

  /** Takes the next event of the call's payload. */
  push(event: HeadEvent | WireEvent): void {
    if (event.type === 'head') this.#asked.cut();
    if (event.type === 'head' && event.direction === 'out') this.#asked.listens = /^GET /.test(event.line);
    if (event.direction === 'out' && event.type === 'wire' && ASKS_IN_RPC.has(this.#protocol))
      this.#asked.push(this.#out.push(saidBy(event)), event.at);
    if (event.direction !== 'in') return;
    if (event.type === 'head') {
      runAtOnce(this.#closeSteps());
      this.#bodies.push(this.#open(event));
      return;
    }
    const body = this.#bodies.at(-1) ?? this.#open(undefined);
    if (this.#bodies.length === 0) this.#bodies.push(body);
    body.at = event.at;
    body.times.add({ at: event.at, until: event.at });
    body.isUnread ||= body.packing !== undefined && !event.unpacked && 'base64' in event.bytes;
    const said = body.isUnread ? '' : body.text.push(saidBy(event));
    if (said !== '') body.parts?.push(said, event.at);
  }

  /** The call has ended: nothing more comes. */
  end(): void {
    runAtOnce(this.endSteps());
  }

  /** The same in slices: a body that is one value is read then. */
  endSteps(): Generator<undefined, void> {
    return this.#closeSteps();
  }

  /** The parts as they stand. A connection may ask something before it sends the request: what came for that is a part each. */
  list(): ReplyParts {
    const lists = this.#bodies.map(({ parts }) => parts?.list() ?? { parts: [], notes: [] });
    const main = lists.findLastIndex(each => each.parts.length > 0);
    const earlier = this.#bodies.slice(0, Math.max(0, main)).flatMap((body, index) => {
      const list = lists[index];
      return list && body.times.pieces > 0 ? [draftEarlier(body, index, list)] : [];
    });
    const own = lists.slice(Math.max(0, main));
    const { parts, leftOut } = finishParts([...earlier, ...own.flatMap(each => each.parts)]);
    const packings = new Set(
      this.#bodies.flatMap(({ packing, isUnread }) => (isUnread ? (packing ?? []) : [])),
    );
    const notes = [
      ...own.flatMap(each => each.notes),
      ...[...packings].map(
        packing => `The reply came compressed as ${quote(packing)}: its parts are not read`,
      ),
      ...(leftOut === 0 ? [] : [sayLeftOut(leftOut)]),
    ];
    return { parts, notes: [...new Set(notes)] };
  }

  #open(head: HeadEvent | undefined): OpenBody {
    return {
      parts: this.#openParts(head),
      text: new Utf8Reader(),
      packing: listPackings(head?.headers ?? []).join(', ') || undefined,
      isUnread: false,
      line: head?.line ?? '',
      at: 0,
      times: new PieceTimes(),
    };
  }

  /** A server of MCP that answers over another stream only says that it took the message. */
  #openParts(head: HeadEvent | undefined): BodyParts | undefined {
    const parts = openParts(this.#protocol, this.#asked);
    return parts && this.#protocol === 'mcp' && head?.line.startsWith('202') ? new TakenParts(parts) : parts;
  }

  *#closeSteps(): Generator<undefined, void> {
    const last = this.#bodies.at(-1);
    if (!last) return;
    const rest = last.text.end();
    if (rest !== '') last.parts?.push(rest, last.at);
    if (last.parts) yield* last.parts.endSteps();
  }
}

/** The parts of a whole payload; `call` says whether more of it may come. */
export function readParts(
  protocol: TraceProtocol,
  payload: readonly (HeadEvent | WireEvent)[],
  call: 'open' | 'ended',
): ReplyParts {
  const reader = new PartsReader(protocol);
  for (const event of payload) reader.push(event);
  if (call === 'ended') reader.end();
  return reader.list();
}

/** Protocols whose requests tell what their replies are: most of their connections greet an agent first. */
const ASKS_IN_RPC: ReadonlySet<TraceProtocol> = new Set(['mcp', 'json-rpc', 'aio', 'a2a']);

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

function openParts(protocol: TraceProtocol, asked: AskedMethods): BodyParts | undefined {
  switch (protocol) {
    case 'agent-api':
    case 'responses':
      return new JsonParts(new ResponseParts(protocol));
    case 'a2a':
      return new JsonParts(new A2aParts(asked));
    case 'mcp':
    case 'json-rpc':
      return new JsonParts(new RpcParts(asked));
    case 'aio':
      return new JsonParts(new AioParts(asked));
    case 'aicf':
      return new AicfParts();
    case 'aicl':
      return new AiclParts();
    case 'other':
      return undefined;
  }
}
