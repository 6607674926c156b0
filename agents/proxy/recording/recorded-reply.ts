import type { Protocols } from '../../../protocols/protocol.ts';
import type { StoredHeader } from '../../../core/events/events.ts';
import { ReplyReading } from '../../../protocols/recognise/reply.ts';
import type { StreamMessage } from '../../../protocols/recognise/reply-facts.ts';
import type { RecognisedRequest } from '../../../protocols/recognise/request.ts';
import { findTokens } from '../../../protocols/recognise/tokens.ts';
import type { CallTracker } from '../../call-tracker.ts';
import { LONGEST_LOOK } from './by-reply.ts';
import { PackedReply, type PackedPiece } from './packed-reply.ts';

/** The number of characters of a reply that are searched for addresses and tokens. */
const MAX_SEARCHED = 256 * 1024;

/** The head of a reply. */
export interface ReplyHead {
  readonly status: number;
  readonly line: string;
  readonly headers: readonly StoredHeader[];
}

/** How a reply is recorded. */
interface RecordingOptions {
  readonly protocols: Protocols;
  readonly protocol: RecognisedRequest['protocol'];
  /** The title of the request, if that was recognised. */
  readonly title: string | undefined;
  /** Which messages of a stream are reported in addition to the reply. */
  readonly reports: 'requests' | 'requests and answers';
  /** True if the reply is emitted only when it is complete, because it contains tokens. */
  readonly isHeld: boolean;
}

/** Bytes of a reply with their time and, if they are compressed, their content. */
export interface ReplyPiece {
  readonly bytes: Uint8Array;
  readonly at: number;
  /** The number of chunks in which they arrived. */
  readonly chunks: number;
  readonly packed?: PackedPiece;
}

/** A reply while it arrives: its bytes are emitted and read. */
export class RecordedReply {
  readonly head: ReplyHead;
  readonly reader: ReplyReading;
  readonly #tracker: CallTracker;
  readonly #protocols: Protocols;
  readonly #decoder = new TextDecoder();
  readonly #packed: PackedReply | undefined;
  #retained = '';
  #isBeginning = true;
  /** Bytes that are emitted at the end. */
  #held: ReplyPiece[] | undefined;

  constructor(
    tracker: CallTracker,
    head: ReplyHead,
    { protocols, protocol, title, reports, isHeld }: RecordingOptions,
  ) {
    this.#tracker = tracker;
    this.#protocols = protocols;
    this.head = head;
    this.reader = new ReplyReading(protocols.find(protocol), head, reports, title);
    this.#packed = PackedReply.of(head.headers);
    this.#held = isHeld ? [] : undefined;
  }

  /** The beginning of its text. */
  get stored(): string {
    return this.#retained;
  }
  /** True while the text that was read last is near the beginning. */
  get isBeginning(): boolean {
    return this.#isBeginning;
  }

  /** True if its head says that it is compressed. */
  get isPacked(): boolean {
    return this.#packed !== undefined;
  }

  /** Decompresses the next bytes, in pieces. This takes time, in which other work runs. */
  async *unpack(bytes: Uint8Array): AsyncGenerator<PackedPiece, void> {
    if (this.#packed) yield* this.#packed.read(bytes);
  }

  /** Emits bytes and reads them. Returns the messages in them that are not the reply. */
  take(piece: ReplyPiece): readonly StreamMessage[] {
    const { bytes, packed } = piece;
    if (packed?.note !== undefined) this.#tracker.note(packed.note);
    if (this.#held) this.#held.push({ ...piece, bytes: Buffer.from(bytes) });
    else this.#report(piece);
    const content = packed && !packed.isPlain ? packed.content : bytes;
    if (!content || !this.reader.wantsMore) return [];
    return this.#read(this.#decoder.decode(content, { stream: true }));
  }

  /** The reply is over: reads what was cut off at its end. */
  end(): readonly StreamMessage[] {
    return this.#read(this.#decoder.decode());
  }

  /** Emits what was held back, without the tokens in it. */
  release(): void {
    const held = this.#held;
    if (!held) return;
    for (const secret of findTokens(this.#retained, this.head.headers, this.#protocols))
      this.#tracker.secret(secret);
    this.#tracker.withholdPacked();
    for (const piece of held) this.#report(piece);
    this.#held = undefined;
  }

  /** Stops decompressing. */
  close(): void {
    this.#packed?.close();
  }

  #read(text: string): readonly StreamMessage[] {
    this.#isBeginning = this.#retained.length <= LONGEST_LOOK;
    if (this.#retained.length < MAX_SEARCHED) this.#retained += text;
    return this.reader.push(text);
  }

  #report({ bytes, at, chunks, packed }: ReplyPiece): void {
    if (packed && !packed.isPlain) this.#tracker.packedBytes('in', bytes, packed.content, { at, chunks });
    else this.#tracker.bytes('in', bytes, { at, chunks });
  }
}
