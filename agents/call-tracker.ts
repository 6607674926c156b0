import { startOf } from '../core/text/utf8.ts';
import type {
  CallEvent,
  EndEvent,
  HeadEvent,
  IdentityEvent,
  KeptHeader,
  Redaction,
  TraceEvent,
  TraceName,
  WireEvent,
} from '../core/events/events.ts';
import { bodyKindOf } from '../core/events/body-kind.ts';
import type { BodyKind } from '../core/secrets/credential-scanner.ts';
import { REDACTED, type RedactedPiece, type SecretStream } from '../core/secrets/redact-stream.ts';
import { redactRequestLine, type Redactor } from '../core/secrets/redact.ts';
import type { WireListener } from './connection.ts';
import { cutForEvents, fromByteText, keepBytes, toByteText } from './kept-bytes.ts';

/** Where the events of a call go, and when it is. */
export interface CallTracking {
  /** Takes each event at once, in order. Secrets are out of it already. */
  readonly emit: (event: TraceEvent) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What a call is known by as it begins. */
export type CallBeginning = Omit<CallEvent, 'type' | 'call' | 'at'> & { readonly at?: number };

/** What is learned of a call after it began. */
type Learned = Omit<IdentityEvent, 'type' | 'call' | 'at' | 'seq'>;

/** What came of a call. */
type CallOutcome = Pick<EndEvent, 'status' | 'code' | 'message' | 'usage'>;

/** How the failure of a call is told: short enough to show, without secrets. */
type ShownFailure = Pick<EndEvent, 'code' | 'message'>;

/** Hears what the events tell, secrets replaced. */
type Shown = Pick<WireListener, 'head' | 'bytes' | 'note'>;

/** An event without what all events of a call have. */
type Told<Event> = Event extends TraceEvent ? Omit<Event, 'call' | 'at' | 'seq'> : never;

/** The most characters of a code and of a message that notifications, lists and trace files have to hold. */
const LONGEST_CODE = 40;
const LONGEST_MESSAGE = 1_000;
/** How much of one is looked at: a secret that begins in what is shown ends in this. */
const LOOK = 100_000;

const NOTHING = new Uint8Array(0);

const WHY_WITHHELD =
  'the call carries a secret, which cannot be replaced in them; what they say is kept, without it, where it can be read';

type Direction = WireEvent['direction'];

/** A compressed piece that waits until it is known whether a credential is in it. */
interface WaitingPiece {
  readonly bytes: Uint8Array;
  readonly said: Uint8Array | undefined;
  readonly shown: RedactedPiece | undefined;
  readonly at: number | undefined;
}

/**
 * Turns what is on the wire of one call into its trace events, counted from 1 and with secrets replaced before anyone
 * sees them. A piece that ends in what may be the beginning of a secret is held back until the next one tells, `flush` is
 * called or the call ends. Times are those of `now`, or given where something was heard before it could be told.
 */
export class CallTracker {
  /** The id of the call. */
  readonly call: string;
  readonly #tracking: CallTracking;
  readonly #shown: Shown | undefined;
  readonly #streams = new Map<Direction, SecretStream>();
  /** The same of what compressed bytes say. */
  readonly #said = new Map<Direction, SecretStream>();
  /** What the bodies of the exchange are, by their heads. */
  readonly #kinds = new Map<Direction, BodyKind>();
  readonly #waiting = new Map<Direction, WaitingPiece[]>();
  #isSignIn = false;
  /** Directions of which it was told that their compressed bytes are not kept. */
  readonly #withheld = new Set<Direction>();
  #withholds = false;
  readonly #secrets = new Set<string>();
  #redactor: Redactor;
  #count = 0;

  constructor(call: string, tracking: CallTracking, redactor: Redactor, shown?: Shown) {
    this.call = call;
    this.#tracking = tracking;
    this.#redactor = redactor;
    this.#shown = shown;
  }

  /** Knows the secrets so far. */
  get redactor(): Redactor {
    return this.#redactor;
  }

  /** Tells that the call begins. What is told before waits for it in whoever folds the events. */
  begin({ at = this.#tracking.now(), ...call }: CallBeginning): void {
    this.#tracking.emit({ type: 'call', call: this.call, at, ...call, ...this.#redactNames(call) });
  }

  /** Tells what was learned of the call meanwhile. */
  learn(learned: Learned): void {
    this.#emit({ type: 'identity', ...learned, ...this.#redactNames(learned) });
  }

  /** The exchange is of a sign-in: more of what it says are credentials. */
  signsIn(): void {
    this.#isSignIn = true;
  }

  head(direction: HeadEvent['direction'], line: string, headers: readonly KeptHeader[], at?: number): void {
    // The body of the request is whole once the reply begins.
    if (direction === 'in') this.flush('out');
    this.flush(direction);
    this.#streams.delete(direction);
    this.#said.delete(direction);
    this.#kinds.set(direction, bodyKindOf(headers, this.#isSignIn));
    const shownLine = this.#redactor.redactText(direction === 'out' ? redactRequestLine(line) : line);
    const kept = this.#redactor.redactHeaders(headers);
    this.#emit({ type: 'head', direction, line: shownLine, headers: kept }, at);
    this.#shown?.head(direction, shownLine, kept);
  }

  bytes(direction: Direction, bytes: Uint8Array, at?: number): void {
    const stream = this.#openStream(this.#streams, direction);
    for (const part of cutForEvents(bytes)) {
      const text = toByteText(part);
      const piece = stream.push(text);
      // Most go on as they came, and need not be made anew.
      this.#keep(direction, piece, at, piece.text === text ? part : undefined);
    }
  }

  /**
   * Tells of bytes that are compressed; `said` is what they say beyond those before them, undefined where they cannot be read. A
   * secret cannot be replaced in compressed bytes: where one is known, only their count is kept.
   */
  packedBytes(direction: Direction, bytes: Uint8Array, said: Uint8Array | undefined, at?: number): void {
    const parts = [...cutForEvents(said ?? NOTHING)];
    const last = parts.pop() ?? NOTHING;
    for (const part of parts) this.#tellPacked(direction, NOTHING, part, at);
    // The compressed bytes come with the last of what they say.
    this.#tellPacked(direction, bytes, said && last, at);
  }

  /** Compressed bytes of this call may hold a secret that nobody could read: none are kept from now on. */
  withholdPacked(): void {
    this.#withholds = true;
  }

  note(text: string): void {
    const shown = this.#redactor.redactText(text);
    this.#emit({ type: 'note', text: shown });
    this.#shown?.note(shown);
  }

  /** A secret that turned up by itself, such as a token: it is replaced in all that is told from now on. */
  secret(value: string): void {
    if (this.#secrets.has(value)) return;
    this.#secrets.add(value);
    this.#flushAll();
    this.#streams.clear();
    this.#said.clear();
    this.#redactor = this.#redactor.with([value]);
  }

  /** Tells what was held back of a direction: nothing that comes in it later goes on with it. */
  flush(direction: Direction): void {
    const stream = this.#streams.get(direction);
    if (stream) this.#keep(direction, stream.end());
    const said = this.#said.get(direction)?.end();
    if (said && said.redacted.length > 0) this.#withhold(direction);
    this.#emitWaiting(direction);
    if (said && said.text !== '' && this.#withheld.has(direction)) this.#emitPacked(direction, NOTHING, said);
  }

  /** Tells how the call ended. Answers its code and its message as they may be shown. */
  end({ status, code, message, usage }: CallOutcome): ShownFailure {
    this.#flushAll();
    // Both are the agent's words, of any length; the whole of them is among the bytes.
    const said = {
      ...(code === undefined ? {} : { code: this.#shorten(code, LONGEST_CODE) }),
      ...(message === undefined ? {} : { message: this.#shorten(message, LONGEST_MESSAGE) }),
    };
    this.#emit({ type: 'end', status, ...said, ...(usage ? { usage } : {}) });
    return said;
  }

  /** Secrets go before the cut, so that it leaves no half of one. */
  #shorten(text: string, length: number): string {
    const shown = this.#redactor.redactStart(text, LOOK);
    return shown.length > length ? `${startOf(shown, length)}…` : shown;
  }

  #redactNames({ title, session, names }: Pick<Learned, 'title' | 'session' | 'names'>): Learned {
    const redact = (text: string): string => this.#redactor.redactText(text);
    return {
      ...(title === undefined ? {} : { title: redact(title) }),
      ...(session === undefined ? {} : { session: redact(session) }),
      ...(names ? { names: names.map(name => redactName(name, redact)) } : {}),
    };
  }

  #flushAll(): void {
    for (const direction of new Set([...this.#streams.keys(), ...this.#said.keys(), ...this.#waiting.keys()]))
      this.flush(direction);
  }

  #openStream(streams: Map<Direction, SecretStream>, direction: Direction): SecretStream {
    const stream = streams.get(direction) ?? this.#redactor.openBytes(this.#kinds.get(direction));
    streams.set(direction, stream);
    return stream;
  }

  #tellPacked(direction: Direction, bytes: Uint8Array, said: Uint8Array | undefined, at?: number): void {
    if (!this.#redactor.isEmpty || this.#withholds) this.#withhold(direction);
    const stream = said && this.#openStream(this.#said, direction);
    const shown = said && stream?.push(toByteText(said));
    if (shown && shown.redacted.length > 0) this.#withhold(direction);
    const waiting = this.#waiting.get(direction) ?? [];
    this.#waiting.set(direction, [...waiting, { bytes, said, shown, at: at ?? this.#tracking.now() }]);
    if (this.#withheld.has(direction) || stream?.isHolding !== true) this.#emitWaiting(direction);
  }

  /** None of the compressed bytes of a direction are kept from now on. */
  #withhold(direction: Direction): void {
    if (this.#withheld.has(direction)) return;
    this.#withheld.add(direction);
    this.note(
      `The compressed bytes of the ${direction === 'out' ? 'request' : 'reply'} are not kept: ${WHY_WITHHELD}`,
    );
  }

  #emitWaiting(direction: Direction): void {
    for (const { bytes, said, shown, at } of this.#waiting.get(direction) ?? []) {
      if (this.#withheld.has(direction)) this.#emitPacked(direction, bytes, shown, at);
      else {
        const unpacked = said && { unpacked: keepBytes(said) };
        this.#emit({ type: 'wire', direction, bytes: keepBytes(bytes), ...unpacked }, at);
      }
    }
    this.#waiting.delete(direction);
  }

  /** Only the count of the compressed bytes is told, as of a secret. */
  #emitPacked(
    direction: Direction,
    { length }: Uint8Array,
    said: RedactedPiece | undefined,
    at?: number,
  ): void {
    const bytes = { text: length === 0 ? '' : REDACTED };
    const redacted = length === 0 ? undefined : { redacted: [{ at: 0, length }] };
    const unpacked = said && { unpacked: { ...keepBytes(fromByteText(said.text)), ...markOf(said) } };
    this.#emit({ type: 'wire', direction, bytes, ...redacted, ...unpacked }, at);
  }

  #keep(direction: Direction, { text, redacted }: RedactedPiece, at?: number, bytes?: Uint8Array): void {
    if (text !== '') this.#keepWhole(direction, bytes ?? fromByteText(text), redacted, at);
  }

  #keepWhole(direction: Direction, bytes: Uint8Array, replaced: readonly Redaction[], at?: number): void {
    const redacted = markOf({ redacted: replaced });
    this.#emit({ type: 'wire', direction, bytes: keepBytes(bytes), ...redacted }, at);
    this.#shown?.bytes(direction, bytes);
  }

  #emit(event: Told<Exclude<TraceEvent, CallEvent>>, at = this.#tracking.now()): void {
    this.#count++;
    // These stand first on a line of a trace file, before what may be long.
    const first = { type: event.type, call: this.call, at, seq: this.#count };
    this.#tracking.emit({ ...first, ...event });
  }
}

/** Where secrets stood; nothing where none did. */
function markOf({ redacted }: Pick<RedactedPiece, 'redacted'>): Pick<WireEvent, 'redacted'> {
  return redacted.length === 0 ? {} : { redacted };
}

function redactName(
  { scheme, trace, id, parent, depth }: TraceName,
  redact: (text: string) => string,
): TraceName {
  return {
    scheme,
    trace: redact(trace),
    ...(id === undefined ? {} : { id: redact(id) }),
    ...(parent === undefined ? {} : { parent: redact(parent) }),
    ...(depth === undefined ? {} : { depth }),
  };
}
