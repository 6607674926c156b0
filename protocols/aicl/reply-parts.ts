import { growsTotal, parseStreamId, type StreamId } from '../../language/aicl/unit.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import { AiclFramer, type AiclFrame } from '../../language/aicl/replies/frames.ts';
import { readAiclPairs, findCutMessage } from '../../language/aicl/replies/reply.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { joinValues } from '../event-stream/joined.ts';
import type { BodyList, BodyParts } from '../reply-parts/body-parts.ts';
import { showValue } from '../../language/values/json-printer.ts';
import { describeGaps } from './chunk-gaps.ts';
import { MAX_PARTS, UNSHOWN_PART, type PartDraft } from '../reply-parts/draft.ts';
import { PieceTimes, timesOf, type TimeSpan } from '../reply-parts/piece-times.ts';

/**
 * The parts of a LightAICL reply for display: its messages, with the chunks of a stream below it (reading of
 * LightAICL, 3.3).
 */
export class AiclParts implements BodyParts {
  readonly #framer = new AiclFramer();
  readonly #parts: (PartDraft | ChunkStream)[] = [];
  readonly #streams = new Map<string, ChunkStream>();
  #begunAt: number | undefined;
  #until = 0;
  #isOver = false;

  push(text: string, at: number): void {
    this.#begunAt ??= at;
    this.#until = at;
    for (const frame of this.#framer.push(text)) {
      this.#takeFrame(frame, { at: this.#begunAt, until: at });
      this.#begunAt = at;
    }
    if (this.#framer.openStart === undefined) this.#begunAt = undefined;
  }

  // Everything else was read in `push`.
  *endSteps(): Generator<undefined, void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const span = { at: this.#begunAt ?? this.#until, until: this.#until };
    const frames = this.#framer.end();
    const cut = findCutMessage(frames);
    for (const frame of cut ? frames.slice(0, -1) : frames) this.#takeFrame(frame, span);
    if (!cut) return;
    this.#parts.push({
      key: String(this.#parts.length),
      kind: 'message',
      status: 'incomplete',
      times: timesOf(span),
      text: cut.text,
      notes: ['It was cut off: some of its brackets are not closed'],
    });
  }

  list(): BodyList {
    const body = this.#isOver ? 'over' : 'open';
    return {
      parts: this.#parts.map(part => (part instanceof ChunkStream ? part.draft(body) : part)),
      notes: this.#framer.hasForeignText
        ? ['The reply holds text outside of its messages, which AICL forbids']
        : [],
    };
  }

  #takeFrame({ text, isForeign }: AiclFrame, span: TimeSpan): void {
    if (isForeign) return;
    const { fault } = readAiclPairs(text);
    const value = readAiclPieces(text).pieces[0]?.value;
    const id = textIn(findEntry(value, 'stream_id'));
    const place = id === undefined ? undefined : parseStreamId(id);
    const type = textIn(findEntry(value, 'msg_type')) ?? '';
    if (value && place && type === 'result') return this.#takeChunk(value, place, { text, span });
    const key = String(this.#parts.length);
    const isShown = this.#parts.length < MAX_PARTS;
    this.#parts.push(
      isShown
        ? { key, ...withFault(draftMessage(value, type, text), fault), times: timesOf(span) }
        : UNSHOWN_PART,
    );
  }

  #takeChunk(
    value: Value,
    place: StreamId,
    { text, span }: { readonly text: string; readonly span: TimeSpan },
  ): void {
    const name = JSON.stringify([textIn(findEntry(value, 'session_id')), place.stream]);
    const known = this.#streams.get(name);
    const isMore = known !== undefined && !(known.isWhole && place.k === 1);
    const stream = isMore ? known : new ChunkStream(String(this.#parts.length), place);
    if (!isMore) {
      this.#streams.set(name, stream);
      this.#parts.push(stream);
    }
    stream.take(value, place, { data: dataOf(value), text, span });
  }
}

/** The chunks with one name in one session. After the stream is complete, its name may be used again. */
class ChunkStream {
  readonly #key: string;
  readonly #first: StreamId;
  readonly #times = new PieceTimes();
  readonly #chunks: PartDraft[] = [];
  readonly #seen = new Set<number>();
  /** The data of its chunks. */
  readonly #values: Value[] = [];
  /** Their sum when there were `count` of them. */
  #joined: { readonly count: number; readonly text: string | undefined } | undefined;
  /** The number of chunks that the latest one declares. */
  #total: number;
  #last = 0;
  #isFinal = false;

  constructor(key: string, first: StreamId) {
    this.#key = key;
    this.#first = first;
    this.#total = first.n;
  }

  /** True once all of its chunks arrived. */
  get isWhole(): boolean {
    return this.#seen.size >= this.#total;
  }

  take(
    value: Value,
    { k, n }: StreamId,
    {
      data,
      text,
      span,
    }: { readonly data: Value | undefined; readonly text: string; readonly span: TimeSpan },
  ): void {
    if (data) this.#values.push(data);
    if (growsTotal(this.#seen.size, this.#total, { stream: this.#first.stream, k, n })) this.#total = n;
    const notes = [
      ...(this.#seen.has(k) ? [`Chunk ${k} came before: number each chunk once`] : []),
      ...(k < this.#last && !this.#seen.has(k) ? [`It came after chunk ${this.#last}`] : []),
      ...(n === this.#total ? [] : [`It declares ${n} chunks, the first one declared ${this.#first.n}`]),
      ...(this.#isFinal ? ['It came after the chunk that was the last one'] : []),
    ];
    const final = findEntry(value, 'is_final');
    this.#isFinal ||= final?.kind === 'bool' ? final.bool : k === n;
    this.#seen.add(k);
    this.#last = k;
    this.#times.add(span);
    if (this.#chunks.length >= MAX_PARTS) {
      this.#chunks.push(UNSHOWN_PART);
      return;
    }
    const key = String(this.#chunks.length);
    this.#chunks.push({
      key,
      kind: 'chunk',
      title: `${k} of ${n}`,
      status: 'ok',
      times: timesOf(span),
      text: showValue(data) ?? text,
      notes,
    });
  }

  draft(body: 'open' | 'over'): PartDraft {
    const isOver = body === 'over' || this.#isFinal;
    const status = this.#isFinal ? 'ok' : isOver ? 'incomplete' : 'open';
    return {
      key: this.#key,
      kind: 'stream',
      title: this.#first.stream,
      status,
      times: this.#times,
      text: this.#join(),
      notes: [
        ...(isOver ? describeGaps(this.#seen) : []),
        ...(status === 'incomplete' ? ['Its last chunk did not arrive'] : []),
      ],
      children: this.#chunks,
    };
  }

  /** The data of all chunks as one text; undefined if they cannot be joined. */
  #join(): string | undefined {
    const count = this.#values.length;
    if (this.#joined?.count !== count) this.#joined = { count, text: showValue(joinValues(this.#values)) };
    return this.#joined.text;
  }
}

type DraftFields = Pick<PartDraft, 'kind' | 'title' | 'status' | 'text' | 'notes'>;

/** Adds a note to a message that the grammar does not accept. */
function withFault(draft: DraftFields, fault: string | undefined): DraftFields {
  return fault === undefined || draft.notes ? draft : { ...draft, notes: [`It is not valid AICL: ${fault}`] };
}

function draftMessage(value: Value | undefined, type: string, source: string): DraftFields {
  if (!value) return { kind: 'message', status: 'ok', text: source, notes: ['It is not valid AICL'] };
  const text = showValue(dataOf(value)) ?? source;
  if (type === 'error') {
    const stated = [showValue(findEntry(value, 'reason')), showValue(findEntry(value, 'detail'))];
    const title = showValue(findEntry(value, 'code'));
    return { kind: 'error', title, status: 'error', text: stated.filter(Boolean).join('\n') };
  }
  return type === 'result'
    ? { kind: 'result', status: 'ok', text }
    : { kind: 'message', title: type, status: 'ok', text };
}

/** The `data` or `content` of a message. */
function dataOf(value: Value): Value | undefined {
  return findEntry(value, 'data') ?? findEntry(value, 'content');
}
