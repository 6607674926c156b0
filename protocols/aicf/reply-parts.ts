import { AicfReplyFold, type AicfReply, type AicfReplyCommand } from '../../language/aicf/reply-stream.ts';
import { toOutcome } from './outcome.ts';
import type { BodyList, BodyParts } from '../reply-parts/body-parts.ts';
import type { PartDraft } from '../reply-parts/draft.ts';
import { PieceTimes } from '../reply-parts/piece-times.ts';

/** The parts of an AICF-RPC reply for display: its data, with the times of its chunks, and its error. */
export class AicfParts implements BodyParts {
  readonly #fold = new AicfReplyFold((command, rest) => this.#observe(command, rest));
  readonly #data = new PieceTimes();
  readonly #error = new PieceTimes();
  #ended: AicfReply | undefined;
  #begunAt: number | undefined;
  #now = 0;
  #open: PieceTimes | undefined;
  /** The contents of `TOOL` and `TOOLS` lines. */
  readonly #tools: string[] = [];
  #hasText = false;

  push(text: string, at: number): void {
    this.#begunAt ??= at;
    this.#now = at;
    this.#hasText ||= text.trim() !== '';
    this.#fold.push(text);
    if (!this.#fold.isInLine) this.#begunAt = undefined;
  }

  // Everything was read in `push`.
  *endSteps(): Generator<undefined, void> {
    this.#ended = this.#fold.end();
  }

  list(): BodyList {
    const reply = this.#ended ?? this.#fold.soFar();
    if (reply.command === undefined) {
      const isForeign = this.#ended !== undefined && this.#hasText;
      return {
        parts: [],
        notes: isForeign ? ['The reply is not AICF: see the raw reply'] : [],
      };
    }
    const data = this.#data.pieces > 0 ? [this.#draftData(reply)] : [];
    const error = reply.error ? [this.#draftError(reply.error)] : [];
    const [first, ...others] = [...data, ...error];
    if (!first) return { parts: [], notes: reply.notes };
    return { parts: [{ ...first, notes: reply.notes }, ...others], notes: [] };
  }

  /** Records the times of a whole line; one without a command continues the line before it. */
  #observe(command: AicfReplyCommand | undefined, rest = ''): void {
    const span = { at: this.#begunAt ?? this.#now, until: this.#now };
    this.#begunAt = this.#now;
    if (command === 'TOOL' || command === 'TOOLS') this.#tools.push(rest);
    this.#open = command === undefined ? this.#open : command === 'ERR' ? this.#error : this.#data;
    this.#open?.add(span);
  }

  #draftData(reply: AicfReply): PartDraft {
    const { command, data, hasEnded, error } = reply;
    const isFailed = !error && toOutcome(reply).kind === 'error';
    const isStream = command === 'STREAM';
    const isCut =
      isStream && (this.#ended !== undefined || error !== undefined) && (!hasEnded || error !== undefined);
    return {
      key: 'data',
      kind: isFailed ? 'error' : isStream ? 'stream' : 'result',
      status: isFailed ? 'error' : isCut ? 'incomplete' : hasEnded || this.#ended ? 'ok' : 'open',
      times: this.#data,
      text: data ?? (this.#tools.length > 0 ? this.#tools.join('\n') : undefined),
    };
  }

  #draftError({ code, message }: NonNullable<AicfReply['error']>): PartDraft {
    return { key: 'error', kind: 'error', title: code, status: 'error', times: this.#error, text: message };
  }
}
