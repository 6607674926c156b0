import type { Dialogue, DialogueLimits } from './conversation.ts';
import { describeNonsense, describeTooLong, type CallProgress, type StdioFailure } from './failure.ts';
import { ForeignOutput, MOST_FOREIGN } from './foreign-output.ts';
import type { StdioCall } from './stdio-call.ts';

/** The calls of a process that answers several at a time, and the limits of what it writes for them. */
export abstract class ParallelDialogue<Call extends StdioCall> implements Dialogue<Call> {
  protected readonly foreign = new ForeignOutput();
  /** The open calls, the oldest first. */
  protected readonly open = new Set<Call>();
  /** Calls that ended before their reply was complete: the rest may still arrive. */
  protected readonly abandoned = new Set<Call>();
  /** The call that ended last. */
  protected last: Call | undefined;
  /** True from a time-out until the next output. */
  protected isSilent = false;
  /** True once the process is ended because it writes too much. */
  protected isGivenUp = false;
  readonly #limits: DialogueLimits;

  constructor(limits: DialogueLimits) {
    this.#limits = limits;
  }

  abstract findCut(call: Call): string;
  abstract takeOutput(bytes: Buffer): void;

  get isIdle(): boolean {
    return this.open.size === 0;
  }

  add(call: Call): void {
    this.open.add(call);
  }

  settle(call: Call, whole: 'whole' | 'owed'): void {
    this.open.delete(call);
    this.last = call;
    if (call.hasTimedOut) this.isSilent = true;
    if (whole === 'owed') this.abandoned.add(call);
  }

  failAll(fail: (call: Call) => void): void {
    for (const call of [...this.open]) fail(call);
  }

  takeErrorOutput(bytes: Buffer): void {
    this.nearest?.takeErrorOutput(bytes);
  }

  protected get oldest(): Call | undefined {
    return this.open.values().next().value;
  }

  /** The call for output that names none. */
  protected get nearest(): Call | undefined {
    return this.oldest ?? this.last;
  }

  /** Ends a process that writes a message without an end, of `bytes` so far, or text that is no message. */
  protected checkLength(bytes: number, foreign: number): void {
    if (this.foreign.isTooMuch(foreign))
      this.#giveUp([...this.open], progress => describeNonsense(MOST_FOREIGN, progress));
    else if (bytes > this.#limits.maxBytes) this.#endLong([...this.open]);
    else this.checkReceived();
  }

  /** Ends a process that writes too much for one call. */
  protected checkReceived(): void {
    const long = [...this.open].filter(call => call.received > this.#limits.maxBytes);
    if (long.length > 0) this.#endLong(long);
  }

  #endLong(calls: readonly Call[]): void {
    this.#giveUp(calls, progress => describeTooLong(this.#limits.maxBytes, progress));
  }

  #giveUp(calls: readonly Call[], describe: (progress: CallProgress) => StdioFailure): void {
    this.isGivenUp = true;
    this.#limits.giveUp();
    for (const call of calls) call.fail(describe);
  }
}
