import { setTimeout as sleep } from 'node:timers/promises';
import { readFields } from '../../core/text/fields.ts';
import { askServer, describeAnswer, isPage, type ServerAnswer, type ServerRequest } from './ask-server.ts';
import { halve, type SpanBatch, cutExport, MAX_SPANS } from './batches.ts';
import { OTLP_PROTOBUF, OTLP_TYPES, type OtlpEncoding } from './otlp-messages.ts';
import { tracesUrl, type TraceTarget } from './target.ts';
import { placeCalls, printSpans, type PlacedCall, type SpanContext } from '../../trace/export/otlp.ts';
import type { ExportSource } from '../../trace/export/source.ts';
import { parseJson } from '../../core/text/json.ts';

/** The result of sending. The three counts add up to all spans. */
export interface SendReport {
  readonly sent: number;
  /** Spans that the collector rejected. */
  readonly rejected: number;
  readonly unsent: number;
  /** Why spans were rejected or not sent: each reason once, as a sentence. */
  readonly problems: readonly string[];
}

/** Waits between two attempts, replaceable in tests. Rejects if the signal is aborted. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

/** Waits in real time. */
export const pause: Wait = (milliseconds, signal) => sleep(milliseconds, undefined, { signal });

/** Milliseconds before each attempt after the first one. Sending a span again is harmless, because it has an id. */
const WAITS = [1000, 2000, 4000, 8000];

/** Milliseconds; a collector that requests a longer pause is given up. */
const MAX_PATIENCE = 60_000;

/** Statuses after which the same request may be sent again (OTLP 1, "Retryable Response Codes"). */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Statuses that the next batch would get too. */
const HOPELESS: ReadonlySet<number> = new Set([401, 403, 404, 405]);

/**
 * Sends spans to a collector, batch after batch: the next batch is requested when the one before has arrived.
 * A collector that is busy or down is tried again, after growing pauses or when it says. Once it is given up,
 * all remaining spans count as not sent. Never throws.
 */
export async function sendSpans(
  target: TraceTarget,
  batches: AsyncIterable<SpanBatch> | Iterable<SpanBatch>,
  signal: AbortSignal,
  wait: Wait = pause,
): Promise<SendReport> {
  const sender = new SpanSender(target, signal, wait);
  for await (const batch of batches) await sender.send(batch);
  return sender.report;
}

/** Sends one batch after the other to a collector, until that is given up. */
export class SpanSender {
  readonly #target: TraceTarget;
  readonly #signal: AbortSignal;
  readonly #wait: Wait;
  readonly #problems = new Set<string>();
  #encoding: OtlpEncoding = 'protobuf';
  #isGivenUp = false;
  #sent = 0;
  #rejected = 0;
  #unsent = 0;

  constructor(target: TraceTarget, signal: AbortSignal, wait: Wait = pause) {
    this.#target = target;
    this.#signal = signal;
    this.#wait = wait;
  }

  /** True once the collector was given up: unsent spans may be sent later. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  get report(): SendReport {
    return {
      sent: this.#sent,
      rejected: this.#rejected,
      unsent: this.#unsent,
      problems: [...this.#problems],
    };
  }

  async send(batch: SpanBatch): Promise<void> {
    if (this.#isGivenUp) {
      this.#unsent += batch.spans;
      return;
    }
    const request = this.#requestOf(batch);
    const answer = await this.#ask(request);
    if (!answer.ok) {
      this.#isGivenUp = true;
      this.#lose(batch, answer.message);
    } else if (answer.status >= 200 && answer.status < 300 && !isPage(answer)) this.#take(batch, answer);
    else await this.#meet(batch, request, answer);
  }

  /** Handles an answer that is not a success, whatever its status. */
  async #meet(
    batch: SpanBatch,
    request: ServerRequest,
    answer: Extract<ServerAnswer, { ok: true }>,
  ): Promise<void> {
    if (answer.status === 415 && this.#encoding === 'protobuf') {
      // Some collectors accept JSON only.
      this.#encoding = 'json';
      return this.send(batch);
    }
    if (answer.status === 413 && batch.spans > 1) {
      for (const half of halve(batch)) await this.send(half);
      return undefined;
    }
    const { status } = answer;
    this.#isGivenUp = status < 300 || HOPELESS.has(status) || RETRYABLE.has(status);
    this.#lose(batch, describeAnswer(this.#target, request, answer));
    return undefined;
  }

  #lose({ spans }: SpanBatch, problem: string): void {
    this.#unsent += spans;
    this.#problems.add(problem);
  }

  #take({ spans }: SpanBatch, answer: Extract<ServerAnswer, { ok: true }>): void {
    const partial = readPartialSuccess(answer);
    const rejected = Math.min(spans, partial.rejected);
    this.#rejected += rejected;
    this.#sent += spans - rejected;
    if (rejected > 0 || partial.message !== '')
      this.#problems.add(
        `The collector says: ${this.#target.redactor.redactText(partial.message) || 'nothing'}`,
      );
  }

  #requestOf({ value }: SpanBatch): ServerRequest {
    return {
      method: 'POST',
      url: tracesUrl(this.#target.url),
      type: OTLP_TYPES[this.#encoding],
      body:
        this.#encoding === 'json'
          ? Buffer.from(JSON.stringify(value))
          : OTLP_PROTOBUF.encode('Export', value),
      maxBytes: 2 ** 20,
    };
  }

  /** Sends a request until there is a final answer or the attempts are used up. */
  async #ask(request: ServerRequest): Promise<ServerAnswer> {
    for (let tries = 0; ; tries++) {
      const answer = await askServer(this.#target, request, this.#signal);
      const mayRepeat = answer.ok ? RETRYABLE.has(answer.status) : answer.code !== 'CANCELLED';
      const own = WAITS[tries];
      if (!mayRepeat || own === undefined) return answer;
      const retryAfter = answer.ok ? readRetryAfter(answer.retryAfter) : undefined;
      if (retryAfter !== undefined && retryAfter > MAX_PATIENCE) return answer;
      try {
        await this.#wait(retryAfter ?? own, this.#signal);
      } catch {
        return { ok: false, code: 'CANCELLED', message: 'Sending was stopped' };
      }
    }
  }
}

/** The milliseconds of a `Retry-After`, which has seconds or a date. */
function readRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const until = Date.parse(value);
  return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now());
}

function readPartialSuccess({ type, body }: Extract<ServerAnswer, { ok: true }>): {
  readonly rejected: number;
  readonly message: string;
} {
  // Some answer with JSON, whatever the encoding of the request.
  const decoded = /json/.test(type) ? undefined : OTLP_PROTOBUF.decode('Answer', body);
  const value = decoded?.ok ? decoded.value : parseJson(body.toString('utf8'));
  const partial = readFields(readFields(value)?.get('partialSuccess'));
  const rejected = Number(partial?.get('rejectedSpans') ?? 0);
  const message = partial?.get('errorMessage');
  return {
    rejected: Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0,
    message: typeof message === 'string' ? message.slice(0, 500) : '',
  };
}

/** Traces as spans in batches, one after the other: at most one batch is in memory as text. */
export async function* batchesOf(
  source: Pick<ExportSource, 'trees' | 'payload' | 'protocols' | 'includesContent'>,
): AsyncGenerator<SpanBatch, void> {
  const context = source.includesContent ? source : { protocols: source.protocols };
  let calls: PlacedCall[] = [];
  for (const call of placeCalls(source.trees)) {
    calls.push(call);
    if (calls.length < MAX_SPANS) continue;
    yield* spansOf(calls, context);
    calls = [];
  }
  if (calls.length > 0) yield* spansOf(calls, context);
}

/** Calls as spans. */
export async function* spansOf(
  calls: readonly PlacedCall[],
  context: SpanContext,
): AsyncGenerator<SpanBatch, void> {
  const parts: string[] = [];
  for await (const part of printSpans(calls, context)) parts.push(part);
  yield* cutExport(parseJson(parts.join('')));
}
