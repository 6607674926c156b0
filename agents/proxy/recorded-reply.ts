import type { Protocols } from '../../protocols/protocol.ts';
import type { KeptHeader } from '../../core/events/events.ts';
import { ReplyRecogniser, type StreamMessage } from '../../protocols/recognise/reply.ts';
import type { RecognisedRequest } from '../../protocols/recognise/request.ts';
import { findTokens } from '../../protocols/recognise/tokens.ts';
import type { CallTracker } from '../call-tracker.ts';
import { LONGEST_LOOK } from './mcp-transport.ts';
import { PackedReply, type PackedPiece } from './packed-reply.ts';

/** So much of a reply is looked at for addresses and tokens, in characters. */
const LONGEST_KEPT = 256 * 1024;

/** The head of a reply. */
export interface ReplyHead {
  readonly status: number;
  readonly line: string;
  readonly headers: readonly KeptHeader[];
}

/** How a reply is read. */
export interface ReplyReading {
  readonly protocols: Protocols;
  readonly protocol: RecognisedRequest['protocol'];
  /** What is told of what a stream says beside the reply. */
  readonly hears: 'requests' | 'requests and answers';
  /** True where it is told when all of it is there, because it brings tokens. */
  readonly isHeld: boolean;
}

/** Bytes of a reply with their time, and what they say where they are compressed. */
export interface ReplyPiece {
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly packed?: PackedPiece;
}

/** A reply as it comes: its bytes are told, and read. */
export class RecordedReply {
  readonly head: ReplyHead;
  readonly reader: ReplyRecogniser;
  readonly #tracker: CallTracker;
  readonly #protocols: Protocols;
  readonly #decoder = new TextDecoder();
  readonly #packed: PackedReply | undefined;
  #kept = '';
  #isBeginning = true;
  /** Bytes that are told in the end. */
  #held: ReplyPiece[] | undefined;

  constructor(tracker: CallTracker, head: ReplyHead, { protocols, protocol, hears, isHeld }: ReplyReading) {
    this.#tracker = tracker;
    this.#protocols = protocols;
    this.head = head;
    this.reader = new ReplyRecogniser(protocols.find(protocol), head, hears);
    this.#packed = PackedReply.of(head.headers);
    this.#held = isHeld ? [] : undefined;
  }

  /** The beginning of its text. */
  get kept(): string {
    return this.#kept;
  }
  /** True while what was read last stands near its beginning. */
  get isBeginning(): boolean {
    return this.#isBeginning;
  }

  /** True where its head says that it is compressed. */
  get isPacked(): boolean {
    return this.#packed !== undefined;
  }

  /** What its next bytes say, by pieces: to unpack them takes a while, in which others have their turn. */
  async *unpack(bytes: Uint8Array): AsyncGenerator<PackedPiece, void> {
    if (this.#packed) yield* this.#packed.read(bytes);
  }

  /** Tells bytes and reads them. Answers what the agent says in them beside the reply. */
  take(piece: ReplyPiece): readonly StreamMessage[] {
    const { bytes, packed } = piece;
    if (packed?.note !== undefined) this.#tracker.note(packed.note);
    if (this.#held) this.#held.push({ ...piece, bytes: Buffer.from(bytes) });
    else this.#tell(piece);
    const said = packed && !packed.isPlain ? packed.said : bytes;
    if (!said || !this.reader.wantsMore) return [];
    return this.#read(this.#decoder.decode(said, { stream: true }));
  }

  /** It is over: reads what was cut at its end. */
  end(): readonly StreamMessage[] {
    return this.#read(this.#decoder.decode());
  }

  /** Tells what was held back, without the tokens in it. */
  release(): void {
    const held = this.#held;
    if (!held) return;
    for (const secret of findTokens(this.#kept, this.head.headers, this.#protocols))
      this.#tracker.secret(secret);
    this.#tracker.withholdPacked();
    for (const piece of held) this.#tell(piece);
    this.#held = undefined;
  }

  /** Nothing more of it is unpacked. */
  close(): void {
    this.#packed?.close();
  }

  #read(text: string): readonly StreamMessage[] {
    this.#isBeginning = this.#kept.length <= LONGEST_LOOK;
    if (this.#kept.length < LONGEST_KEPT) this.#kept += text;
    return this.reader.push(text);
  }

  #tell({ bytes, at, packed }: ReplyPiece): void {
    if (packed && !packed.isPlain) this.#tracker.packedBytes('in', bytes, packed.said, at);
    else this.#tracker.bytes('in', bytes, at);
  }
}
