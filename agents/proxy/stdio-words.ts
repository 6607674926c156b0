import type { CallTracker } from '../call-tracker.ts';
import { fromByteText } from '../kept-bytes.ts';
import type { StdioPiece } from './message-splitter.ts';
import type { OpenCall } from './open-calls.ts';

/** So many bytes of what a process says wait for its first call. */
const LONGEST_EARLY = 64 * 1024;

type Tell = (tracker: CallTracker) => void;

/** What a process and its caller write that is no message, and what it writes to its error output: where that is told. */
export class StdioWords {
  readonly #startOwn: () => void;
  #last: CallTracker | undefined;
  /** What came before the first call, which it is told with, and how many bytes that is. */
  #early: Tell[] = [];
  #earlySize = 0;
  /** What was noted with the call that was told last: each note once. */
  #noted: { readonly tracker: CallTracker; readonly texts: Set<string> } | undefined;

  /** `startOwn` begins a call for what is said at length before there is one. */
  constructor(startOwn: () => void) {
    this.#startOwn = startOwn;
  }

  /** True where something waits for a call. */
  get hasEarly(): boolean {
    return this.#early.length > 0;
  }

  /** A call began: it is the last one from now on. */
  began(tracker: CallTracker): void {
    this.#last = tracker;
    const early = this.#early;
    this.#early = [];
    this.#earlySize = 0;
    for (const tell of early) tell(tracker);
  }

  /** Blanks between messages are none of anybody's business; all else is noted. */
  foreign(direction: 'out' | 'in', { kind, bytes }: StdioPiece, open: OpenCall | undefined): void {
    const tell = (tracker: CallTracker): void => {
      tracker.bytes(direction, fromByteText(bytes));
      if (kind === 'part') this.#note(tracker, TOO_LONG);
      else if (bytes.trim() !== '') this.#note(tracker, FOREIGN[direction]);
    };
    this.say(tell, bytes.length, open?.tracker);
  }

  /** The process wrote something to its error output. */
  warned(bytes: string, open: OpenCall | undefined): void {
    this.say(tracker => tracker.bytes('stderr', fromByteText(bytes)), bytes.length, open?.tracker);
  }

  /** Tells something of so many bytes with a call, else with the last one, else with the first that comes. */
  say(tell: Tell, size: number, call: CallTracker | undefined): void {
    const tracker = call ?? this.#last;
    if (tracker) {
      tell(tracker);
      return;
    }
    this.#early.push(tell);
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
  out: 'The process got text that is no message',
  in: 'The process wrote text to its output that is no message',
} as const;

const TOO_LONG =
  'A message or a line that is longer than 64 MiB stands here up to there, whatever call it belongs to';
