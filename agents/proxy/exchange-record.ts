import type { Protocols } from '../../protocols/protocol.ts';
import type { KeptHeader } from '../../core/events/events.ts';
import { recogniseReply, type StreamMessage } from '../../protocols/recognise/reply.ts';
import { LONGEST_READ, recogniseRequest, type RecognisedRequest } from '../../protocols/recognise/request.ts';
import { AGENT_CARD, LISTENING } from '../../protocols/recognise/titles.ts';
import type { CallTracker } from '../call-tracker.ts';
import type { BatchCalls } from './batch-calls.ts';
import { asksForToken, findSignInPaths, findTokens } from '../../protocols/recognise/tokens.ts';
import type { Exchange, ExchangeOutcome, PassingRequest, Verdict } from './exchange.ts';
import { findEndpoint, judgeOffer, pathOfEndpoint } from './mcp-transport.ts';
import { findWaysPast } from './ways-past.ts';
import { ActQueue } from './act-queue.ts';
import { RecordedReply, type ReplyPiece } from './recorded-reply.ts';
import { RecordedRequest } from './recorded-request.ts';

/** What an exchange needs of the recording that it belongs to. */
export interface ExchangeHost {
  readonly origin: string;
  readonly known: RecognisedRequest['protocol'] | undefined;
  readonly protocols: Protocols;
  readonly now: () => number;
  /** The call begins, with all that it says of itself. */
  begin(record: ExchangeRecord, sign: RecognisedRequest, text: string): BatchCalls | undefined;
  /** The agent says something in its reply beside it. */
  said(record: ExchangeRecord, sign: RecognisedRequest, message: StreamMessage): void;
  /** The reply is a stream of what the server says on its own. */
  listens(record: ExchangeRecord): void;
  /** True where the answer to an exchange may come over another one; then `answerElsewhere` or `settle` tells its end. */
  waits(record: ExchangeRecord, sign: RecognisedRequest, reply: EndedReply): boolean;
  /** Whether the call of an exchange may be passed on. */
  judge(record: ExchangeRecord, sign: RecognisedRequest): Verdict;
  /** True for a path at which clients sign in, by what passed before. */
  isSignIn(path: string): boolean;
  /** A reply names paths at which clients sign in. */
  learnSignIn(paths: readonly string[]): void;
  /** The exchange is over: nothing more is told of it. */
  over(record: ExchangeRecord): void;
}

/** A reply that is over. */
export interface EndedReply {
  readonly status: number;
  /** What came of the exchange by what is there of it. */
  readonly outcome: ExchangeOutcome;
  /** True where it broke off, and its caller can ask for the rest of it. */
  readonly canResume: boolean;
}

/**
 * Tells of one exchange of HTTP what is on the wire, and what it means: the call with its names once so much of the request was
 * read that they stand in it, the bytes as they pass, in the end what came of it. What comes before the call is told is kept,
 * with its times.
 */
export class ExchangeRecord implements Exchange {
  readonly tracker: CallTracker;
  readonly startedAt: number;
  /** The line and headers of the request. */
  readonly request: PassingRequest;
  readonly #host: ExchangeHost;
  readonly #out: RecordedRequest;
  /** To unpack a piece of a reply takes a while, and what comes after it waits. */
  readonly #acts = new ActQueue();
  #sign: RecognisedRequest | undefined;
  #batch: BatchCalls | undefined;
  /** How much of the request was there when its call was told. */
  #readLength = 0;
  #reply: RecordedReply | undefined;
  #endpoint: string | undefined;
  #cancelled: ExchangeOutcome | undefined;
  #isOver = false;

  constructor(tracker: CallTracker, host: ExchangeHost, request: PassingRequest) {
    this.tracker = tracker;
    this.#host = host;
    this.request = request;
    this.#out = new RecordedRequest(tracker, request.headers);
    this.startedAt = host.now();
    const at = this.startedAt;
    if (host.isSignIn(request.path)) tracker.signsIn();
    this.#out.tell(() => tracker.head('out', request.line, request.headers, at));
  }

  get method(): string {
    return this.request.method;
  }
  get isCard(): boolean {
    return this.#sign?.title === AGENT_CARD;
  }
  get hasReply(): boolean {
    return this.#reply !== undefined;
  }
  /** What the request is; undefined before enough of it was read. */
  get sign(): RecognisedRequest | undefined {
    return this.#sign;
  }
  judge(): Verdict {
    return this.#sign ? this.#host.judge(this, this.#sign) : { kind: 'open' };
  }

  /** Where such a server takes messages, as a path, once its stream has said so (MCP of 2024-11-05). */
  get endpoint(): string | undefined {
    return this.#endpoint;
  }
  /** What the ids of its messages are counted in: the session, where it names one; else the address tells conversations apart. */
  get conversation(): string {
    return this.#sign?.session ?? this.#endpoint ?? this.request.path;
  }
  get batch(): BatchCalls | undefined {
    return this.#batch;
  }
  /** The text of the request, as far as it is read. */
  get requestText(): string {
    return this.#out.text;
  }
  /** Resolves once all is told that came; undefined where it is. */
  get settled(): Promise<void> | undefined {
    return this.#acts.settled;
  }

  requestBody(bytes: Uint8Array): void {
    this.#out.push(bytes, this.#host.now());
    if (this.#out.isLong && !this.#mayEndInSecrets) this.#describe();
  }

  /** A message of some protocols may have credentials at its end, so that it is read up to there before it is emitted. */
  get #mayEndInSecrets(): boolean {
    const known = this.#host.protocols.find(this.#host.known);
    return known?.requests.mayEndInSecrets === true && this.#out.length <= LONGEST_READ;
  }

  requestOver(): void {
    this.#out.end();
    if (this.#sign === undefined) this.#describe();
    else if (this.#out.length > this.#readLength && !this.#isOver) this.#describeAgain(this.#sign);
    // A credential may end where the request does.
    this.tracker.flush('out');
  }

  replyHead(line: string, status: number, headers: readonly KeptHeader[]): void {
    this.#describe();
    if (asksForToken(this.requestText, this.request.headers)) this.tracker.signsIn();
    this.tracker.head('in', line, headers);
    if (status < 200 && status !== 101) return;
    if (this.#sign?.title === LISTENING && status === 200) this.#host.listens(this);
    const head = { status, line, headers };
    this.#reply = new RecordedReply(this.tracker, head, {
      protocols: this.#host.protocols,
      protocol: this.#sign?.protocol ?? 'other',
      hears: this.method === 'GET' ? 'requests and answers' : 'requests',
      isHeld: this.#asksForSecrets,
    });
    for (const note of findWaysPast([this.#host.origin], head)) this.tracker.note(note);
  }

  replyBody(bytes: Uint8Array): void {
    const at = this.#host.now();
    const reply = this.#reply;
    if (!reply?.isPacked) {
      this.#acts.do(() => this.#takeReply({ bytes, at }));
      return;
    }
    const own = Buffer.from(bytes);
    this.#acts.do(async () => {
      for await (const packed of reply.unpack(own)) this.#takeReply({ bytes: packed.bytes, at, packed });
    });
  }

  /** Bytes that are no HTTP, or that go over an upgraded connection. */
  foreign(direction: 'out' | 'in', bytes: Uint8Array): void {
    this.#describe();
    const at = this.#host.now();
    const own = this.#acts.settled ? Buffer.from(bytes) : bytes;
    this.#acts.do(() => this.tracker.bytes(direction, own, at));
  }

  note(text: string): void {
    this.#acts.do(() => this.#out.tell(tracker => tracker.note(text)));
  }

  /** The reply is whole. */
  replyOver(): void {
    this.#acts.do(() => this.#endReply());
  }

  #endReply(): void {
    const reply = this.#reply;
    if (this.#isOver || !reply) return;
    this.#hear(reply, reply.end());
    const { session, names = [], notes, fault, ...outcome } = reply.reader.end();
    const replaced = this.isCard ? (this.request.replaced ?? []) : [];
    const ways = findWaysPast([this.#host.origin, ...replaced], reply.head, reply.kept);
    for (const note of [...notes, ...ways]) this.tracker.note(note);
    if (session !== undefined && session !== this.#sign?.session) this.tracker.learn({ session });
    const known = new Set(this.#sign?.names.map(({ trace }) => trace));
    const added = names.filter(({ trace }) => !known.has(trace));
    if (added.length > 0) this.tracker.learn({ names: added });
    reply.release();
    this.#host.learnSignIn(findSignInPaths(reply.kept));
    const isAsked = this.method === 'POST' && this.#sign?.kind === 'request';
    const isCut = isAsked && fault?.status === 'incomplete';
    const whole = { ...outcome, ...(isAsked ? fault : {}), ...(isCut ? this.#cancelled : {}) };
    const canResume = isCut && !this.#cancelled && reply.reader.canResume;
    if (this.#waits({ status: reply.head.status, outcome: whole, canResume })) return;
    this.#end(
      judgeOffer(this.#sign, reply.head.status) ??
        this.#batch?.answer(reply.kept, reply.head, whole) ??
        whole,
    );
  }

  #waits(reply: EndedReply): boolean {
    return this.#sign !== undefined && this.#host.waits(this, this.#sign, reply);
  }

  /** The answer came over a stream of another exchange. */
  answerElsewhere(text: string): void {
    if (this.#isOver) return;
    this.tracker.bytes('in', Buffer.from(text));
    this.tracker.note("Its answer came over the server's stream; it is kept there as well");
    const { notes, ...outcome } = recogniseReply(this.#host.protocols.find(this.#sign?.protocol), text);
    for (const note of notes) this.tracker.note(note);
    this.#end(outcome);
  }

  /** It ends otherwise than by a whole reply. */
  fail(outcome: ExchangeOutcome): void {
    this.#acts.do(() => this.#fail(outcome));
  }

  #fail(outcome: ExchangeOutcome): void {
    if (this.#isOver) return;
    this.#describe();
    // Some callers hang up once the reply has said that it is over.
    if (outcome.status === 'cancelled' && this.#reply?.reader.isOver) {
      this.#endReply();
      return;
    }
    this.#reply?.release();
    const { reader, head } = this.#reply ?? {};
    const canResume = outcome.status === 'incomplete' && !this.#cancelled && reader?.canResume === true;
    if (canResume && this.#waits({ status: head?.status ?? 0, outcome, canResume })) return;
    // A server's own stream lasts until its caller needs it no more.
    const isEnough = outcome.status === 'cancelled' && this.#reply && this.#sign?.title === LISTENING;
    this.#batch?.end(outcome);
    this.#end(isEnough ? { status: 'ok' } : (this.#cancelled ?? outcome));
  }

  /** Its caller has taken it back: where no answer comes, that is why. */
  cancel(outcome: ExchangeOutcome): void {
    this.#cancelled = outcome;
  }

  /** No answer comes any more to an exchange that waited for one. */
  settle(outcome: ExchangeOutcome): void {
    if (!this.#isOver) this.#end(outcome);
  }

  forget(): void {
    this.#out.end();
  }

  #end(outcome: ExchangeOutcome): void {
    this.#isOver = true;
    this.#out.release();
    this.#reply?.close();
    this.tracker.end(outcome);
    this.#host.over(this);
  }

  /** Tells the call and all that waited for it. */
  #describe(): void {
    if (this.#sign) return;
    const text = this.requestText;
    this.#readLength = this.#out.length;
    this.#sign = this.#recognise(text);
    for (const secret of findTokens(text, this.request.headers, this.#host.protocols))
      this.tracker.secret(secret);
    this.#batch = this.#host.begin(this, this.#sign, text);
    this.#out.callTold();
    for (const note of this.#sign.notes) this.tracker.note(note);
  }

  /** What came after the call was told is read as well: what names it may stand at its end. */
  #describeAgain(before: RecognisedRequest): void {
    const { protocol, title, names, session } = this.#recognise(this.requestText);
    this.#sign = { ...before, protocol, title };
    const added = names.filter(name => !before.names.some(known => known.scheme === name.scheme));
    if (protocol === before.protocol && title === before.title && added.length === 0) return;
    this.tracker.learn({
      protocol,
      title,
      ...(session === undefined ? {} : { session }),
      ...(added.length === 0 ? {} : { names: added }),
    });
  }

  #recognise(text: string): RecognisedRequest {
    const { method, path, headers } = this.request;
    return recogniseRequest({ method, path, headers, text, known: this.#host.known }, this.#host.protocols);
  }

  /** A reply with tokens, or with settings that hold one, is told when all of it is there, so that none of them is. */
  get #asksForSecrets(): boolean {
    const asksForSettings = this.#sign?.title.includes('ushNotificationConfig') === true;
    return asksForSettings || asksForToken(this.requestText, this.request.headers);
  }

  /** A server of MCP of 2024-11-05 shows itself by what it says first: where its caller's messages go. */
  #hearEndpoint({ kept, head }: RecordedReply): void {
    const endpoint = findEndpoint(head.headers, kept);
    if (endpoint === undefined) return;
    this.#endpoint = pathOfEndpoint(endpoint, this.request.path);
    if (this.#sign?.protocol !== 'other') return;
    this.#sign = { ...this.#sign, protocol: 'mcp', title: LISTENING };
    this.tracker.learn({ protocol: 'mcp', title: LISTENING });
    this.#host.listens(this);
  }

  #takeReply(piece: ReplyPiece): void {
    this.#describe();
    const reply = this.#reply;
    if (reply) this.#hear(reply, reply.take(piece));
    else this.tracker.bytes('in', piece.bytes, piece.at);
  }

  #hear(reply: RecordedReply, said: readonly StreamMessage[]): void {
    if (this.method === 'GET' && reply.isBeginning && this.#endpoint === undefined) this.#hearEndpoint(reply);
    for (const message of said) if (this.#sign) this.#host.said(this, this.#sign, message);
  }
}
