import { isUtf8 } from 'node:buffer';
import { jsonPieceSteps } from '../../language/values/json-reader.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import type { Span } from '../../core/text/span.ts';
import { NOT_UTF8 } from '../connection.ts';
import type { Dialogue, DialogueLimits } from '../stdio/conversation.ts';
import { describeTooLong, type ProcessEnd } from '../stdio/failure.ts';
import type { AioCall } from './line-dialogue.ts';
import { readAnswer } from './reply.ts';

/** So many lines of an output are tried as the beginning of the reply. */
const MOST_TRIED = 20;

/**
 * The one call of a process that takes a request, answers it with one JSON and exits: the reply is all of its output, or what
 * follows the lines that it logged before.
 */
export class OneShotDialogue implements Dialogue<AioCall> {
  readonly #limits: DialogueLimits;
  readonly #output: Buffer[] = [];
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
    if (call.received <= maxBytes) return this.#waitForExit();
    giveUp();
    call.fail(progress => describeTooLong(maxBytes, progress));
  }

  /** A process that stays although all of its reply came is not waited for. */
  #waitForExit(): void {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => {
      if (this.#isOpen) this.#takeReply('The process did not end after its reply and was ended');
    }, UNTIL_EXIT);
  }

  takeEnd({ exitCode, signal }: ProcessEnd): void {
    const how = signal === null ? `with exit code ${exitCode ?? 0}` : `by the signal ${signal}`;
    if (this.#isOpen)
      this.#takeReply(exitCode === 0 ? undefined : `The process ended ${how} after its reply`);
    if (this.#isOpen) this.#takeForeign();
  }

  /** Takes the reply, if the output is one. */
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
        `The process wrote ${others + 1} replies, and one is what a process of this mode writes: the first counts, the rest is in what came over the wire`,
      );
    if (!isUtf8(output)) call.noteOnce(NOT_UTF8);
    if (note !== undefined) call.noteOnce(note);
    call.takeMessage(text.slice(start, end).trim(), 'last');
  }

  /** An output that is no reply: text, unless it began as one and was cut. */
  #takeForeign(): void {
    if (this.findCut() !== '') return;
    this.#call?.takeForeign(Buffer.concat(this.#output));
    this.#output.length = 0;
  }
}

/** Milliseconds for a process to exit after its last output. */
const UNTIL_EXIT = 500;

/** Longer outputs are not searched for a reply that other text follows: that costs more than to read it. */
const LONGEST_SEARCHED = 1 << 24;

interface FoundReply extends Span {
  /** How many more replies follow it. */
  readonly others: number;
}

/** The reply in an output: from a line on to the output's end, else the first value there that is one. */
function findReply(text: string): FoundReply | undefined {
  const { length: end } = text;
  let tried = 0;
  for (const { index: start } of text.matchAll(/^[ \t]*\{/gm)) {
    if (readAnswer(text.slice(start).trim())) return { start, end, others: 0 };
    const first = end - start > LONGEST_SEARCHED ? undefined : findFirst(text.slice(start));
    if (first) return { start: start + first.start, end: start + first.end, others: first.others };
    if (++tried === MOST_TRIED) return undefined;
  }
  return undefined;
}

/** The reply that a text begins with, where more follows it. */
function findFirst(text: string): FoundReply | undefined {
  const spans: Span[] = [];
  // What the values say is not needed, and there may be very many.
  runAtOnce(jsonPieceSteps(text, undefined, ({ span }) => spans.push(span)));
  const [first, ...others] = spans;
  // A piece may be mended; a reply is whole as it stands.
  const isReply = ({ start, end }: Span): boolean => readAnswer(text.slice(start, end)) !== undefined;
  if (!first || !isReply(first)) return undefined;
  return { ...first, others: others.filter(isReply).length };
}
