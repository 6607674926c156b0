import { defined } from '../../../core/text/fields.ts';
import type { Protocols } from '../../../protocols/protocol.ts';
import type { StoredHeader } from '../../../core/events/events.ts';
import { isEventStream } from '../../../core/events/headers.ts';
import { recogniseReply } from '../../../protocols/recognise/reply.ts';
import type { StreamMessage } from '../../../protocols/recognise/reply-facts.ts';
import {
  LONGEST_READ,
  recogniseRequest,
  type RecognisedRequest,
  AGENT_CARD,
} from '../../../protocols/recognise/request.ts';
import { LISTENING } from '../../../core/catalog/protocols.ts';
import type { CallTracker } from '../../call-tracker.ts';
import type { BatchCalls } from './batch-calls.ts';
import { asksForToken, findSignInPaths, findTokens } from '../../../protocols/recognise/tokens.ts';
import type { Exchange, ExchangeOutcome, PassingRequest, Verdict } from '../exchange.ts';
import { findByReply, judgeOptionalRequest, pathOfEndpoint } from './by-reply.ts';
import { findWaysPast } from './ways-past.ts';
import { ActQueue } from './act-queue.ts';
import { RecordedReply, type ReplyPiece } from './recorded-reply.ts';
import { RecordedRequest } from './recorded-request.ts';

/** What an exchange needs from its recording. */
export interface ExchangeHost {
  readonly origin: string;
  readonly known: RecognisedRequest['protocol'] | undefined;
  readonly protocols: Protocols;
  readonly now: () => number;
  /** Begins the call, with everything known about it. Returns the calls of its batch, if it is one. */
  begin(record: ExchangeRecord, recognised: RecognisedRequest, text: string): BatchCalls | undefined;
  /** Receives another message that the agent sends in its reply. */
  observed(record: ExchangeRecord, recognised: RecognisedRequest, message: StreamMessage): void;
  /** The reply is a stream of messages that the server sends on its own. */
  listens(record: ExchangeRecord): void;
  /** True if the answer to an exchange may arrive over another one; then `answerElsewhere` or `settle` ends it. */
  waits(record: ExchangeRecord, recognised: RecognisedRequest, reply: EndedReply): boolean;
  /** Whether the call of an exchange may be passed on. */
  judge(record: ExchangeRecord, recognised: RecognisedRequest): Verdict;
  /** True for a path at which clients sign in, according to earlier replies. */
  isSignIn(path: string): boolean;
  /** Receives paths at which clients sign in, from a reply. */
  learnSignIn(paths: readonly string[]): void;
  /** The exchange is over: nothing more is reported of it. */
  over(record: ExchangeRecord): void;
}

/** A reply that has ended. */
export interface EndedReply {
  readonly status: number;
  /** The outcome of the exchange, as far as the reply was received. */
  readonly outcome: ExchangeOutcome;
  /** True if it broke off and its caller can request the rest. */
  readonly canResume: boolean;
}

/**
 * Records one HTTP exchange: the call with its names, once enough of the request was read to find them; the
 * bytes as they pass; and the outcome. What arrives before the call is emitted is buffered with its times.
 */
export class ExchangeRecord implements Exchange {
  readonly tracker: CallTracker;
  readonly startedAt: number;
  /** The line and headers of the request. */
  readonly request: PassingRequest;
  readonly #host: ExchangeHost;
  readonly #out: RecordedRequest;
  /** Decompressing a piece of a reply takes time, and later pieces wait for it. */
  readonly #acts = new ActQueue();
  #recognised: RecognisedRequest | undefined;
  #batch: BatchCalls | undefined;
  /** The number of bytes of the request that had arrived when its call was emitted. */
  #readLength = 0;
  #reply: RecordedReply | undefined;
  #endpoint: string | undefined;
  #cancelled: ExchangeOutcome | undefined;
  /** Messages of the call that arrived over another exchange before its own reply was over. */
  readonly #elsewhere: string[] = [];
  #hasAllOfReply = false;
  #isOver = false;

  constructor(tracker: CallTracker, host: ExchangeHost, request: PassingRequest) {
    this.tracker = tracker;
    this.#host = host;
    this.request = request;
    this.#out = new RecordedRequest(tracker, request.headers);
    this.startedAt = host.now();
    const at = this.startedAt;
    if (host.isSignIn(request.path)) tracker.signsIn();
    this.#out.emit(() => tracker.head('out', request.line, request.headers, at));
  }

  get method(): string {
    return this.request.method;
  }
  get isCard(): boolean {
    return this.#recognised?.title === AGENT_CARD;
  }
  get hasReply(): boolean {
    return this.#reply !== undefined;
  }
  /** The recognised request; undefined before enough of it was read. */
  get sign(): RecognisedRequest | undefined {
    return this.#recognised;
  }
  judge(): Verdict {
    return this.#recognised ? this.#host.judge(this, this.#recognised) : { kind: 'open' };
  }

  /** The path at which an MCP server of 2024-11-05 receives messages, once its stream has named it. */
  get endpoint(): string | undefined {
    return this.#endpoint;
  }
  /** The scope of its message ids: the session if the request names one, else the address. */
  get conversation(): string {
    return this.#recognised?.session ?? this.#endpoint ?? this.request.path;
  }
  get batch(): BatchCalls | undefined {
    return this.#batch;
  }
  /** The text of the request, as far as it was read. */
  get requestText(): string {
    return this.#out.text;
  }
  /** Resolves when everything received is recorded; undefined if it already is. */
  get settled(): Promise<void> | undefined {
    return this.#acts.settled;
  }

  requestBody(bytes: Uint8Array): void {
    this.#out.push(bytes, this.#host.now());
    if (this.#out.isLong && !this.#mayEndInSecrets) this.#describe();
  }

  /** Messages of some protocols may have credentials at their end, so the end is read before they are emitted. */
  get #mayEndInSecrets(): boolean {
    const known = this.#host.protocols.find(this.#host.known);
    return known?.requests.mayEndInSecrets === true && this.#out.length <= LONGEST_READ;
  }

  requestOver(): void {
    this.#out.end();
    if (this.#recognised === undefined) this.#describe();
    else if (this.#out.length > this.#readLength && !this.#isOver) this.#describeAgain(this.#recognised);
    // A credential may end where the request ends.
    this.tracker.flush('out');
  }

  replyHead(line: string, status: number, headers: readonly StoredHeader[]): void {
    this.#describe();
    if (asksForToken(this.requestText, this.request.headers)) this.tracker.signsIn();
    this.tracker.head('in', line, headers);
    if (status < 200 && status !== 101) return;
    if (this.#isListening && status === 200) this.#host.listens(this);
    const head = { status, line, headers };
    this.#reply = new RecordedReply(this.tracker, head, {
      protocols: this.#host.protocols,
      protocol: this.#recognised?.protocol ?? 'other',
      title: this.#recognised?.title,
      reports: this.method === 'GET' ? 'requests and answers' : 'requests',
      isHeld: this.#asksForSecrets,
    });
    for (const note of findWaysPast(this.#host.protocols, [this.#host.origin], head)) this.tracker.note(note);
  }

  replyBody(bytes: Uint8Array, chunks = 1): void {
    const at = this.#host.now();
    const reply = this.#reply;
    if (!reply?.isPacked) {
      this.#acts.do(() => this.#takeReply({ bytes, at, chunks }));
      return;
    }
    const own = Buffer.from(bytes);
    this.#acts.do(async () => {
      let left = chunks;
      for await (const packed of reply.unpack(own)) {
        this.#takeReply({ bytes: packed.bytes, at, chunks: left, packed });
        left = 0;
      }
    });
  }

  /** Bytes that are not HTTP, or that pass over an upgraded connection. */
  foreign(direction: 'out' | 'in', bytes: Uint8Array): void {
    this.#describe();
    const at = this.#host.now();
    const own = this.#acts.settled ? Buffer.from(bytes) : bytes;
    this.#acts.do(() => this.tracker.bytes(direction, own, { at }));
  }

  note(text: string): void {
    this.#acts.do(() => this.#out.emit(tracker => tracker.note(text)));
  }

  /** The reply is complete. */
  replyOver(): void {
    this.#acts.do(() => this.#endReply());
  }

  #endReply(): void {
    const reply = this.#reply;
    if (this.#isOver || !reply) return;
    this.#observe(reply, reply.end());
    this.#releaseElsewhere();
    const { session, names = [], notes, fault, usage, ...judged } = reply.reader.end();
    // Tokens in a stream of messages count with the calls that the messages answer.
    const outcome = usage && !this.#isListening ? { ...judged, usage } : judged;
    const replaced = this.isCard ? (this.request.replaced ?? []) : [];
    const ways = findWaysPast(
      this.#host.protocols,
      [this.#host.origin, ...replaced],
      reply.head,
      reply.stored,
    );
    for (const note of [...notes, ...ways]) this.tracker.note(note);
    if (session !== undefined && session !== this.#recognised?.session) this.tracker.learn({ session });
    const known = new Set(this.#recognised?.names.map(({ trace }) => trace));
    const added = names.filter(({ trace }) => !known.has(trace));
    if (added.length > 0) this.tracker.learn({ names: added });
    reply.release();
    this.#host.learnSignIn(findSignInPaths(reply.stored));
    const isAsked = this.method === 'POST' && this.#recognised?.kind === 'request';
    const isCut = isAsked && fault?.status === 'incomplete';
    const whole = { ...outcome, ...(isAsked ? fault : {}), ...(isCut ? this.#cancelled : {}) };
    const canResume = isCut && !this.#cancelled && reply.reader.canResume;
    if (this.#waits({ status: reply.head.status, outcome: whole, canResume })) return;
    this.#end(
      judgeOptionalRequest(this.#host.protocols, this.#recognised, reply.head.status) ??
        this.#batch?.answer(reply.stored, reply.head, whole) ??
        whole,
    );
  }

  get #isListening(): boolean {
    return this.#recognised?.title === LISTENING;
  }

  #waits(reply: EndedReply): boolean {
    return this.#recognised !== undefined && this.#host.waits(this, this.#recognised, reply);
  }

  /** The answer arrived over a stream of another exchange. */
  answerElsewhere(text: string): void {
    if (this.#isOver) return;
    this.#addElsewhere(text);
    this.tracker.note("Its answer came over the server's stream; it is recorded there as well");
    const { notes, ...outcome } = recogniseReply(this.#host.protocols.find(this.#recognised?.protocol), text);
    for (const note of notes) this.tracker.note(note);
    this.#end(outcome);
  }

  /** A notification or question of the call arrived over a stream of another exchange. */
  messageElsewhere(text: string): void {
    if (this.#isOver) return;
    if (this.#hasAllOfReply) this.#addElsewhere(text);
    else this.#elsewhere.push(text);
  }

  /** Its own reply is over: messages that arrived meanwhile over another exchange follow it. */
  #releaseElsewhere(): void {
    this.#hasAllOfReply = true;
    for (const text of this.#elsewhere.splice(0)) this.#addElsewhere(text);
  }

  /** Behind events, a message is one of them; else it is a line. */
  #addElsewhere(text: string): void {
    const line = text.replaceAll(/[\r\n]+/g, ' ');
    const isEvent = this.#reply !== undefined && isEventStream(this.#reply.head.headers);
    this.tracker.bytes('in', Buffer.from(isEvent ? `data: ${line}\n\n` : `${line}\n`));
  }

  /** The exchange ends without a complete reply. */
  fail(outcome: ExchangeOutcome): void {
    this.#acts.do(() => this.#fail(outcome));
  }

  #fail(outcome: ExchangeOutcome): void {
    if (this.#isOver) return;
    this.#describe();
    // Some callers hang up once the content of the reply is complete.
    if (outcome.status === 'cancelled' && this.#reply?.reader.isOver) {
      this.#endReply();
      return;
    }
    this.#reply?.release();
    this.#releaseElsewhere();
    const { reader, head } = this.#reply ?? {};
    const canResume = outcome.status === 'incomplete' && !this.#cancelled && reader?.canResume === true;
    if (canResume && this.#waits({ status: head?.status ?? 0, outcome, canResume })) return;
    // A server's own stream lasts until its caller no longer needs it.
    const isEnough = outcome.status === 'cancelled' && this.#reply && this.#isListening;
    this.#batch?.end(outcome);
    this.#end(isEnough ? { status: 'ok' } : (this.#cancelled ?? outcome));
  }

  /** The caller has cancelled the request: if no answer arrives, this is the outcome. */
  cancel(outcome: ExchangeOutcome): void {
    this.#cancelled = outcome;
  }

  /** An exchange was waiting for an answer that no longer comes. */
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

  /** Recognises the request and emits its call, then everything that was buffered. */
  #describe(): void {
    if (this.#recognised) return;
    const text = this.requestText;
    this.#readLength = this.#out.length;
    this.#recognised = this.#recognise(text);
    for (const secret of findTokens(text, this.request.headers, this.#host.protocols))
      this.tracker.secret(secret);
    this.#batch = this.#host.begin(this, this.#recognised, text);
    this.#out.callEmitted();
    for (const note of this.#recognised.notes) this.tracker.note(note);
  }

  /** Recognises the request again when it is complete, because what names it may be at its end. */
  #describeAgain(before: RecognisedRequest): void {
    const { protocol, title, names, session } = this.#recognise(this.requestText);
    this.#recognised = { ...before, protocol, title };
    const added = names.filter(name => !before.names.some(known => known.scheme === name.scheme));
    if (protocol === before.protocol && title === before.title && added.length === 0) return;
    this.tracker.learn(
      defined({ protocol, title, session, ...(added.length === 0 ? {} : { names: added }) }),
    );
  }

  #recognise(text: string): RecognisedRequest {
    const { method, path, headers } = this.request;
    return recogniseRequest({ method, path, headers, text, known: this.#host.known }, this.#host.protocols);
  }

  /** A reply with tokens, or with settings that hold one, is emitted only when it is complete, so that no token is. */
  get #asksForSecrets(): boolean {
    const asksForSettings = this.#recognised?.title.includes('ushNotificationConfig') === true;
    return asksForSettings || asksForToken(this.requestText, this.request.headers);
  }

  /** Recognises an MCP server of 2024-11-05 by its first message, which names the path for its caller's messages. */
  #observeEndpoint({ stored, head }: RecordedReply): void {
    const found = findByReply(this.#host.protocols, head.headers, stored);
    if (!found) return;
    this.#endpoint = pathOfEndpoint(found.endpoint, this.request.path);
    if (this.#recognised?.protocol !== 'other') return;
    const { protocol, title } = found;
    this.#recognised = { ...this.#recognised, protocol, title };
    this.tracker.learn({ protocol, title });
    this.#host.listens(this);
  }

  #takeReply(piece: ReplyPiece): void {
    this.#describe();
    const reply = this.#reply;
    if (reply) this.#observe(reply, reply.take(piece));
    else this.tracker.bytes('in', piece.bytes, piece);
  }

  #observe(reply: RecordedReply, messages: readonly StreamMessage[]): void {
    if (this.method === 'GET' && reply.isBeginning && this.#endpoint === undefined)
      this.#observeEndpoint(reply);
    for (const message of messages)
      if (this.#recognised) this.#host.observed(this, this.#recognised, message);
  }
}
