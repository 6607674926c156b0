import type { CallTracker } from '../../call-tracker.ts';
import { fromByteText } from '../../stored-bytes.ts';
import type { StdioPiece } from './message-splitter.ts';
import type { OpenCall } from './open-calls.ts';

/** The maximum number of bytes that wait for the first call. */
const LONGEST_EARLY = 64 * 1024;

type EmitLater = (tracker: CallTracker) => void;

/** Reports text of a process and its caller that is not a message, and the error output, to the matching call. */
export class StdioWords {
  readonly #startOwn: () => void;
  #last: CallTracker | undefined;
  /** What was written before the first call and is reported with it, and its size in bytes. */
  #early: EmitLater[] = [];
  #earlySize = 0;
  /** The notes that were added to one call: each note is added once. */
  #noted: { readonly tracker: CallTracker; readonly texts: Set<string> } | undefined;

  /** `startOwn` begins a call for long output before the first call. */
  constructor(startOwn: () => void) {
    this.#startOwn = startOwn;
  }

  /** True if something waits for a call. */
  get hasEarly(): boolean {
    return this.#early.length > 0;
  }

  /** A call began, and is the last one from now on. */
  began(tracker: CallTracker): void {
    this.#last = tracker;
    const early = this.#early;
    this.#early = [];
    this.#earlySize = 0;
    for (const report of early) report(tracker);
  }

  /** Reports text that is not a message, with a note unless it is blank. */
  foreign(direction: 'out' | 'in', { kind, bytes }: StdioPiece, open: OpenCall | undefined): void {
    const report = (tracker: CallTracker): void => {
      tracker.bytes(direction, fromByteText(bytes));
      if (kind === 'part') this.#note(tracker, TOO_LONG);
      else if (bytes.trim() !== '') this.#note(tracker, FOREIGN[direction]);
    };
    this.say(report, bytes.length, open?.tracker);
  }

  /** Reports what the process wrote to its error output. */
  warned(bytes: string, open: OpenCall | undefined): void {
    this.say(tracker => tracker.bytes('stderr', fromByteText(bytes)), bytes.length, open?.tracker);
  }

  /** Reports something of `size` bytes to a call, else to the last one, else to the first one that begins. */
  say(report: EmitLater, size: number, call: CallTracker | undefined): void {
    const tracker = call ?? this.#last;
    if (tracker) {
      report(tracker);
      return;
    }
    this.#early.push(report);
    this.#earlySize += size;
    if (this.#earlySize > LONGEST_EARLY) this.#startOwn();
  }

  #note(tracker: CallTracker, text: string): void {
    if (this.#noted?.tracker !== tracker) this.#noted = { tracker, texts: new Set() };
    if (this.#noted.texts.has(text)) return;
    this.#noted.texts.add(text);
    tracker.note(text);
  }
}

const FOREIGN = {
  out: 'The process received text that is not a message',
  in: 'The process wrote text to its output that is not a message',
} as const;

const TOO_LONG =
  'Only the first 64 MiB of a longer message or line are recorded, whatever call it belongs to';
