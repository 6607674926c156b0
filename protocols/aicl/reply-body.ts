import type { AgentQuestion, Message, Outcome } from '../../core/message/message.ts';
import { quote } from '../../core/text/quote.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import type { AiclFrame } from '../../language/aicl/replies/frames.ts';
import { AiclReplyFold, type AiclQuestion, type AiclReply } from '../../language/aicl/replies/reply.ts';
import { aiclPieceSteps } from '../../language/values/aicl-reader.ts';
import type { Value } from '../../core/values/value.ts';
import { hasTooManyValues } from '../convert/calls/value-count.ts';
import type { RetainedPart } from '../event-stream/response-fold.ts';
import type { Reading, StreamReader } from '../message/shape.ts';
import type { ReplyBody } from '../reply-recognition.ts';
import { toOutcome } from './outcome.ts';
import { aiclShape } from './shape.ts';

/** Longer messages, and those after them, are read at the end of the reply, in slices. */
const LONGEST_AT_ONCE = 2 ** 22;

/** Reads the body of an AICL reply: each message when its outer bracket closes, the chunks of a stream as they come. */
export class AiclBody implements ReplyBody {
  readonly #fold = new AiclReplyFold(frame => this.#takeFrame(frame));
  readonly #reading: Reading;
  readonly #keeps: RetainedPart;
  /** The messages that were not read yet. */
  #waiting: AiclFrame[] = [];
  #stream: StreamReader | undefined;
  #count = 0;
  #shownTo = 0;
  #isTooLarge = false;
  #work = 0;
  #ended: AiclReply | undefined;

  constructor(reading: Reading, keeps: RetainedPart) {
    this.#reading = { ...reading, isLive: true };
    this.#keeps = keeps;
  }

  push(text: string): readonly Message[] {
    this.#work += text.length;
    this.#shownTo = this.#fold.push(text);
    if (this.#waiting.some(frame => frame.text.length > LONGEST_AT_ONCE)) return [];
    return runAtOnce(this.#readSteps());
  }

  *endSteps(): Generator<undefined, readonly Message[]> {
    this.#ended = this.#fold.end();
    yield;
    return [...(yield* this.#readSteps()), ...this.#endStream()];
  }

  get isProtocol(): boolean {
    return this.#ended?.isAicl ?? this.#fold.hasBegun;
  }

  readonly isOver = false;

  get shownTo(): number {
    return this.#shownTo;
  }

  get outcome(): Outcome {
    return this.#ended ? toOutcome(this.#ended) : { kind: 'result' };
  }

  get notes(): readonly string[] {
    return this.#ended?.notes ?? [];
  }

  get session(): string | undefined {
    return this.#ended?.session;
  }

  get cut(): string | undefined {
    return this.#ended?.isCut ? CUT : undefined;
  }

  get question(): AgentQuestion | undefined {
    const question = this.#ended?.question;
    return question && describeQuestion(question);
  }

  get isTooLarge(): boolean {
    return this.#isTooLarge;
  }

  get work(): number {
    return this.#work;
  }

  #takeFrame(frame: AiclFrame): void {
    if (this.#keeps === 'all') this.#waiting.push(frame);
  }

  *#readSteps(): Generator<undefined, readonly Message[]> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const read: Message[] = [];
    for (const { text } of waiting) {
      this.#work += text.length;
      if (yield* hasTooManyValues(text)) {
        this.#isTooLarge = true;
        continue;
      }
      const values: Value[] = [];
      const faults = yield* aiclPieceSteps(text, {}, ({ value }) => values.push(value));
      this.#count++;
      for (const { kind, message, span } of faults)
        this.#reading.report.loseText(kind, `message ${this.#count}`, message, span);
      for (const value of values) for (const each of this.#readValue(value)) read.push(each);
    }
    return read;
  }

  #readValue(value: Value): readonly Message[] {
    const { stream } = aiclShape;
    if (stream?.recognises(value)) {
      this.#stream ??= stream.reader(this.#reading);
      return this.#stream.push(value);
    }
    const before = this.#endStream();
    const read = aiclShape.read(value, this.#reading);
    // A message of an unknown type answers nothing.
    return read && read.kind !== 'value' ? [...before, read] : before;
  }

  #endStream(): readonly Message[] {
    const rest = this.#stream?.end() ?? [];
    this.#stream = undefined;
    return rest;
  }
}

/** Why a reply whose last message has no end is incomplete. */
export const CUT =
  'The reply ended before the last of its messages was closed; the received part is stored, send again for the rest';

/** What the agent asks for in a reply. */
function describeQuestion({ session, messageType, subject, message: request }: AiclQuestion): AgentQuestion {
  const what =
    subject === '' ? `a ${messageType}` : `${WANTED[messageType] ?? messageType} ${quote(subject)}`;
  const asks = `The agent waits for the answer to ${what}`;
  const text = `${asks}: send a 'result' or an 'error' in the session ${quote(session)}`;
  return { protocol: 'aicl', session, text, asks, request };
}

const WANTED: Readonly<Record<string, string>> = {
  data_query: 'its query for',
  tool_call: 'its call of',
  task_request: 'its task',
};
