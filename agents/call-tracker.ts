import { startOf } from '../core/text/utf8.ts';
import type {
  CallEvent,
  EndEvent,
  ExchangeNumber,
  HeadEvent,
  IdentityEvent,
  StoredHeader,
  TraceEvent,
  TraceName,
  WireEvent,
  ObservedWire,
} from '../core/events/events.ts';
import { bodyKindOf } from '../core/events/headers.ts';
import { bodyKey } from '../core/events/payload.ts';
import type { BodyKind } from '../core/secrets/credential-scanner.ts';
import { REDACTED, type RedactedPiece, type SecretStream } from '../core/secrets/redact-stream.ts';
import { redactRequestLine, type Redactor } from '../core/secrets/redact.ts';
import { SmallChunks } from './small-chunks.ts';
import { cutForEvents, fromByteText, keepBytes, toByteText } from './stored-bytes.ts';

/** Receives the events of a call and provides its clock. */
export interface CallTracking {
  /** Receives each event at once and in order. Its secrets are already replaced. Undefined if nobody takes them. */
  readonly emit: ((event: TraceEvent) => void) | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What is known of a call when it begins. */
export type CallBeginning = Omit<CallEvent, 'type' | 'call' | 'at'> & { readonly at?: number };

/** What is learned of a call after it began. */
type Learned = Omit<IdentityEvent, 'type' | 'call' | 'at' | 'seq'>;

/** The outcome of a call. */
type CallOutcome = Pick<EndEvent, 'status' | 'code' | 'message' | 'usage'>;

/** The failure of a call as it is reported: short enough to show, without secrets. */
type ShownFailure = Pick<EndEvent, 'code' | 'message'>;

/** An event without the fields that all events of a call share. */
type EventFields<Event> = Event extends TraceEvent ? Omit<Event, 'call' | 'at' | 'seq'> : never;

/** The maximum number of characters of a code and of a message in notifications, lists and trace files. */
const LONGEST_CODE = 40;
const LONGEST_MESSAGE = 1_000;
/** The number of characters searched for secrets before a text is shortened: a secret cut by the end is found whole. */
const LOOK = 100_000;

const NOTHING = new Uint8Array(0);

const WHY_WITHHELD =
  'the call contains a secret, which cannot be replaced in compressed data; the decompressed content is recorded without the secret where it can be read';

type Direction = WireEvent['direction'];

/** When and in how many chunks bytes arrived: now and in one, unless it is said. */
interface Arrival {
  readonly at?: number | undefined;
  readonly exchange?: ExchangeNumber | undefined;
  readonly chunks?: number | undefined;
}

/** A compressed piece that is held back until it is known whether it contains a credential. */
interface WaitingPiece {
  readonly bytes: Uint8Array;
  readonly chunks: number;
  readonly shown: RedactedPiece | undefined;
  readonly at: number | undefined;
}

/** One body that is under way. */
interface TrackedBody {
  readonly direction: Direction;
  readonly exchange: ExchangeNumber | undefined;
  /** Its kind, by the headers before it. */
  readonly kind: BodyKind | undefined;
  stream: SecretStream | undefined;
  /** The stream of the decompressed content of compressed bytes. */
  content: SecretStream | undefined;
  waiting: WaitingPiece[];
  /** The number of chunks that arrived since its last event. */
  chunks: number;
}

/**
 * Turns the wire traffic of one call into trace events, numbered from 1, with secrets replaced. A piece that
 * ends in what may be the beginning of a secret is held back until the next piece arrives, `flush` is called
 * or the call ends. Times come from `now` unless the caller passes the time of an earlier observation.
 */
export class CallTracker {
  /** The id of the call. */
  readonly call: string;
  /** False if nobody receives the traffic, which then is neither read nor searched for secrets. */
  readonly isObserved: boolean;
  readonly #tracking: CallTracking;
  readonly #shown: Partial<ObservedWire> | undefined;
  /** The bodies that are under way, by direction and exchange. */
  readonly #bodies = new Map<string, TrackedBody>();
  readonly #small = new SmallChunks<TrackedBody>(({ body, bytes, at, chunks }) =>
    this.#take(body, bytes, at, chunks),
  );
  #isSignIn = false;
  /** Directions whose compressed bytes are not stored; a note has reported this. */
  readonly #withheld = new Set<Direction>();
  #withholds = false;
  readonly #secrets = new Set<string>();
  #redactor: Redactor;
  #count = 0;
  #hasEnded = false;

  constructor(call: string, tracking: CallTracking, redactor: Redactor, shown?: Partial<ObservedWire>) {
    this.call = call;
    this.#tracking = tracking;
    this.#redactor = redactor;
    this.#shown = shown;
    const { bytes, head, note } = shown ?? {};
    this.isObserved = (tracking.emit ?? bytes ?? head ?? note) !== undefined;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Replaces the secrets that are known so far. */
  get redactor(): Redactor {
    return this.#redactor;
  }

  /** Emits the event `call`. Events of the call that arrive earlier are buffered by the fold until then. */
  begin({ at = this.#tracking.now(), ...call }: CallBeginning): void {
    const { emit } = this.#tracking;
    if (!emit) return;
    this.#small.flush();
    emit({ type: 'call', call: this.call, at, ...call, ...this.#redactNames(call) });
  }

  /** Emits `identity`: what was learned about the call since it began. */
  learn(learned: Learned): void {
    if (!this.#tracking.emit) return;
    this.#emit({ type: 'identity', ...learned, ...this.#redactNames(learned) });
  }

  /** Marks the exchange as a sign-in: more of its content counts as credentials. */
  signsIn(): void {
    this.#isSignIn = true;
  }

  head(
    direction: HeadEvent['direction'],
    line: string,
    headers: readonly StoredHeader[],
    at?: number,
    exchange?: ExchangeNumber,
  ): void {
    if (!this.isObserved) return;
    // The body of a request is complete once its reply begins, and what came of replies precedes the next request.
    if (direction === 'out') this.#flushAll();
    else this.flush('out', exchange);
    this.#open(direction, exchange, bodyKindOf(headers, this.#isSignIn));
    const shownLine = this.#redactor.redactText(direction === 'out' ? redactRequestLine(line) : line);
    const stored = this.#redactor.redactHeaders(headers);
    this.#emit({ type: 'head', direction, line: shownLine, headers: stored, ...numberOf(exchange) }, at);
    this.#shown?.head?.(direction, shownLine, stored, exchange);
  }

  /** Takes bytes. Small ones that arrive together are emitted as one event before anything else, at the end of the turn. */
  bytes(
    direction: Direction,
    bytes: Uint8Array,
    { at = this.#tracking.now(), exchange, chunks = 1 }: Arrival = {},
  ): void {
    if (!this.isObserved) return;
    this.#small.push({ body: this.#find(direction, exchange), bytes, at, chunks });
  }

  #take(body: TrackedBody, bytes: Uint8Array, at: number, chunks: number): void {
    body.chunks += chunks;
    const stream = (body.stream ??= this.#redactor.openBytes(body.kind));
    for (const part of cutForEvents(bytes)) {
      const text = toByteText(part);
      const piece = stream.push(text);
      // Most pieces are unchanged, so their bytes are used as they are.
      this.#keep(body, piece, at, piece.text === text ? part : undefined);
    }
  }

  /**
   * Emits compressed bytes as they arrived. `content` is their decompressed content beyond that of earlier bytes,
   * undefined if it cannot be read. Secrets cannot be replaced in compressed bytes: once one is known or found in the
   * content, the redacted content is emitted instead, and of the bytes only their count.
   */
  packedBytes(
    direction: Direction,
    bytes: Uint8Array,
    content: Uint8Array | undefined,
    { at, chunks = 1 }: Arrival = {},
  ): void {
    if (!this.isObserved) return;
    this.#small.flush();
    const body = this.#find(direction, undefined);
    const parts = [...cutForEvents(content ?? NOTHING)];
    const last = parts.pop() ?? NOTHING;
    for (const part of parts) this.#reportPacked(body, NOTHING, part, { at, chunks: 0 });
    // The compressed bytes are emitted with the last part of their content.
    this.#reportPacked(body, bytes, content && last, { at, chunks });
  }

  /** Stops storing compressed bytes of this call, because they may hold a secret that could not be read. */
  withholdPacked(): void {
    this.#withholds = true;
  }

  note(text: string): void {
    if (!this.isObserved) return;
    const shown = this.#redactor.redactText(text);
    this.#emit({ type: 'note', text: shown });
    this.#shown?.note?.(shown);
  }

  /**
   * Adds a secret that was found during the call, such as a token. It is replaced in everything emitted from
   * now on.
   */
  secret(value: string): void {
    if (this.#secrets.has(value)) return;
    this.#secrets.add(value);
    this.#flushAll();
    for (const body of this.#bodies.values()) body.stream = body.content = undefined;
    this.#redactor = this.#redactor.with([value]);
  }

  /** Emits what is held back of a direction. Later bytes are not searched together with it. */
  flush(direction: Direction, exchange?: ExchangeNumber): void {
    this.#small.flush();
    const body = this.#bodies.get(bodyKey(direction, exchange));
    if (body) this.#flush(body);
  }

  /** Emits `end`. Returns the code and the message as they may be shown. */
  end({ status, code, message, usage }: CallOutcome): ShownFailure {
    this.#flushAll();
    this.#hasEnded = true;
    // Both come from the agent and may have any length; the wire events hold them in full.
    const outcome = {
      ...(code === undefined ? {} : { code: this.#shorten(code, LONGEST_CODE) }),
      ...(message === undefined ? {} : { message: this.#shorten(message, LONGEST_MESSAGE) }),
    };
    this.#emit({ type: 'end', status, ...outcome, ...(usage ? { usage } : {}) });
    return outcome;
  }

  /** Secrets are replaced before the cut, so that no part of one remains. */
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
    this.#small.flush();
    for (const body of this.#bodies.values()) this.#flush(body);
  }

  #flush(body: TrackedBody): void {
    const { direction } = body;
    if (body.stream) this.#keep(body, body.stream.end());
    const rest = body.content?.end();
    if (rest && rest.redacted.length > 0) this.#withhold(direction);
    this.#emitWaiting(body);
    if (rest && rest.text !== '' && this.#withheld.has(direction)) this.#emitPacked(body, NOTHING, rest);
  }

  #find(direction: Direction, exchange: ExchangeNumber | undefined): TrackedBody {
    return this.#bodies.get(bodyKey(direction, exchange)) ?? this.#open(direction, exchange, undefined);
  }

  #open(direction: Direction, exchange: ExchangeNumber | undefined, kind: BodyKind | undefined): TrackedBody {
    const body = { direction, exchange, kind, stream: undefined, content: undefined, waiting: [], chunks: 0 };
    this.#bodies.set(bodyKey(direction, exchange), body);
    return body;
  }

  #reportPacked(
    body: TrackedBody,
    bytes: Uint8Array,
    content: Uint8Array | undefined,
    { at, chunks = 1 }: Arrival,
  ): void {
    const { direction } = body;
    if (!this.#redactor.isEmpty || this.#withholds) this.#withhold(direction);
    const stream = content && (body.content ??= this.#redactor.openBytes(body.kind));
    const shown = content && stream?.push(toByteText(content));
    if (shown && shown.redacted.length > 0) this.#withhold(direction);
    body.waiting.push({ bytes, chunks, shown, at: at ?? this.#tracking.now() });
    // Content before the last part of it waits for its bytes: if these are withheld, it is emitted itself.
    const isWhole = bytes.length > 0 && !stream?.held;
    if (this.#withheld.has(direction) || isWhole) this.#emitWaiting(body);
  }

  /** Stops storing the compressed bytes of a direction. */
  #withhold(direction: Direction): void {
    if (this.#withheld.has(direction)) return;
    this.#withheld.add(direction);
    this.note(
      `The compressed bytes of the ${direction === 'out' ? 'request' : 'reply'} are not recorded: ${WHY_WITHHELD}`,
    );
  }

  #emitWaiting(body: TrackedBody): void {
    const { direction, waiting } = body;
    body.waiting = [];
    for (const { bytes, chunks, shown, at } of waiting) {
      body.chunks += chunks;
      if (this.#withheld.has(direction)) this.#emitPacked(body, bytes, shown, at);
      else if (bytes.length > 0)
        this.#emit({ type: 'wire', direction, bytes: keepBytes(bytes), ...countOf(body) }, at);
    }
  }

  /** Emits only the count of the compressed bytes, marked as redacted. */
  #emitPacked(
    body: TrackedBody,
    { length }: Uint8Array,
    content: RedactedPiece | undefined,
    at?: number,
  ): void {
    const bytes = { text: length === 0 ? '' : REDACTED };
    const redacted = length === 0 ? undefined : { redacted: [{ at: 0, length }] };
    const unpacked = content && {
      unpacked: { ...keepBytes(fromByteText(content.text)), ...markOf(content) },
    };
    const count = length === 0 ? undefined : countOf(body);
    this.#emit({ type: 'wire', direction: body.direction, bytes, ...count, ...redacted, ...unpacked }, at);
  }

  #keep(body: TrackedBody, { text, redacted }: RedactedPiece, at?: number, unchanged?: Uint8Array): void {
    if (text === '') return;
    const { direction, exchange } = body;
    const bytes = unchanged ?? fromByteText(text);
    const count = countOf(body);
    const stored = { bytes: keepBytes(bytes), ...count, ...numberOf(exchange), ...markOf({ redacted }) };
    this.#emit({ type: 'wire', direction, ...stored }, at);
    this.#shown?.bytes?.(direction, bytes, undefined, exchange, count.count);
  }

  #emit(event: EventFields<Exclude<TraceEvent, CallEvent>>, at = this.#tracking.now()): void {
    const { emit } = this.#tracking;
    if (!emit) return;
    this.#small.flush();
    this.#count++;
    // These come first on a line of a trace file, before fields that may be long.
    const first = { type: event.type, call: this.call, at, seq: this.#count };
    emit({ ...first, ...event });
  }
}

/** The field `count` with the number of chunks since the last event of a body; no field if there was one. */
function countOf(body: TrackedBody): Pick<WireEvent, 'count'> {
  const { chunks } = body;
  body.chunks = 0;
  return chunks === 1 ? {} : { count: chunks };
}

function numberOf(exchange: ExchangeNumber | undefined): Pick<WireEvent, 'exchange'> {
  return exchange === undefined ? {} : { exchange };
}

/** The field `redacted` with the positions of replaced secrets; no field if there are none. */
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
