import { isUtf8 } from 'node:buffer';
import { jsonPieceSteps } from '../../language/values/json-reader.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import type { Span } from '../../core/text/span.ts';
import { NOT_UTF8 } from '../connection.ts';
import type { Dialogue, DialogueLimits } from '../stdio/conversation.ts';
import { describeNonsense, describeTooLong, type ProcessEnd } from '../stdio/failure.ts';
import { ForeignOutput, MOST_FOREIGN } from '../stdio/foreign-output.ts';
import type { AioCall } from './line-dialogue.ts';
import { readAnswer } from './reply.ts';

/** The maximum number of lines that are tried as the beginning of the reply. */
const MAX_TRIED = 20;

/**
 * The one call of a process that takes a request, answers with one JSON value and exits. The reply is its
 * whole output, or what follows the lines that it logged.
 */
export class OneShotDialogue implements Dialogue<AioCall> {
  readonly #limits: DialogueLimits;
  readonly #output: Buffer[] = [];
  readonly #foreign = new ForeignOutput();
  #call: AioCall | undefined;
  #waiting: NodeJS.Timeout | undefined;
  #isOpen = false;

  constructor(limits: DialogueLimits) {
    this.#limits = limits;
  }

  get isIdle(): boolean {
    return !this.#isOpen;
  }

  add(call: AioCall): void {
    this.#call = call;
    this.#isOpen = true;
  }

  settle(): void {
    this.#isOpen = false;
    this.#output.length = 0;
    clearTimeout(this.#waiting);
  }

  failAll(fail: (call: AioCall) => void): void {
    if (this.#isOpen && this.#call) fail(this.#call);
  }

  findCut(): string {
    const start = Buffer.concat(this.#output).toString('utf8').trimStart();
    return start.startsWith('{') ? start : '';
  }

  takeErrorOutput(bytes: Buffer): void {
    this.#call?.takeErrorOutput(bytes);
  }

  takeOutput(bytes: Buffer): void {
    const call = this.#call;
    if (!call) return;
    call.takeOutput(bytes);
    if (!this.#isOpen) return;
    this.#output.push(bytes);
    const { maxBytes, giveUp } = this.#limits;
    // From a bracket on, it may be the reply.
    if (bytes.includes('{')) this.#foreign.stop();
    this.#foreign.add(bytes.length);
    if (this.#foreign.isTooMuch()) {
      giveUp();
      return call.fail(progress => describeNonsense(MOST_FOREIGN, progress));
    }
    if (call.received <= maxBytes) return this.#waitForExit();
    giveUp();
    call.fail(progress => describeTooLong(maxBytes, progress));
  }

  /** Limits the wait for a process that does not exit although its whole reply has arrived. */
  #waitForExit(): void {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => {
      if (this.#isOpen) this.#takeReply('The process did not end after its reply and was terminated');
    }, UNTIL_EXIT);
  }

  takeEnd({ exitCode, signal }: ProcessEnd): void {
    const how = signal === null ? `with exit code ${exitCode ?? 0}` : `by the signal ${signal}`;
    if (this.#isOpen)
      this.#takeReply(exitCode === 0 ? undefined : `The process ended ${how} after its reply`);
    if (this.#isOpen) this.#takeForeign();
  }

  /** Takes the reply, if the output contains one. */
  #takeReply(note: string | undefined): void {
    const output = Buffer.concat(this.#output);
    const text = output.toString('utf8').replace(/^\u{feff}/u, '');
    const found = findReply(text);
    const call = this.#call;
    if (!call || !found) return;
    const { start, end, others } = found;
    const foreign = `${text.slice(0, start)}${others > 0 ? '' : text.slice(end)}`;
    if (foreign.trim() !== '') call.takeForeign(Buffer.from(foreign));
    if (others > 0)
      call.noteOnce(
        `The process wrote ${others + 1} replies, but one process may write only one: the first counts, the rest is in the raw reply`,
      );
    if (!isUtf8(output)) call.noteOnce(NOT_UTF8);
    if (note !== undefined) call.noteOnce(note);
    call.takeMessage(text.slice(start, end).trim(), 'last');
  }

  /** Takes output without a reply as foreign text, unless it began as a reply and was cut off. */
  #takeForeign(): void {
    if (this.findCut() !== '') return;
    this.#call?.takeForeign(Buffer.concat(this.#output));
    this.#output.length = 0;
  }
}

/** Milliseconds for a process to exit after its last output: a process with large libraries needs a second. */
const UNTIL_EXIT = 3_000;

/** Longer outputs are not searched for a reply with other text after it: that costs more than reading it. */
const LONGEST_SEARCHED = 1 << 24;

interface FoundReply extends Span {
  /** The number of further replies after it. */
  readonly others: number;
}

/**
 * The reply in an output: from a line to the end of the output, else the first value from a line on that is a
 * reply.
 */
function findReply(text: string): FoundReply | undefined {
  const { length: end } = text;
  let tried = 0;
  for (const { index: start } of text.matchAll(/^[ \t]*\{/gm)) {
    if (readAnswer(text.slice(start).trim())) return { start, end, others: 0 };
    const first = end - start > LONGEST_SEARCHED ? undefined : findFirst(text.slice(start));
    if (first) return { start: start + first.start, end: start + first.end, others: first.others };
    if (++tried === MAX_TRIED) return undefined;
  }
  return undefined;
}

/** The reply at the beginning of a text, if more follows it. */
function findFirst(text: string): FoundReply | undefined {
  const spans: Span[] = [];
  // The content of the values is not needed, and there may be very many.
  runAtOnce(jsonPieceSteps(text, undefined, ({ span }) => spans.push(span)));
  const [first, ...others] = spans;
  // The reader may repair a piece; a reply has to be valid as it is.
  const isReply = ({ start, end }: Span): boolean => readAnswer(text.slice(start, end)) !== undefined;
  if (!first || !isReply(first)) return undefined;
  return { ...first, others: others.filter(isReply).length };
}
