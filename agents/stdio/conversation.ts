import { planLaunch } from './launch.ts';
import type { GoneWhy, Reply } from '../connection.ts';
import type { ResolvedStdioAgent } from '../config/resolve-agent.ts';
import type { Redactor } from '../../core/secrets/redact.ts';
import { startProcess, type AgentProcess } from './agent-process.ts';
import {
  describeClosedInput,
  describeEnd,
  type CallProgress,
  type ProcessEnd,
  type StdioFailure,
} from './failure.ts';
import type { StdioLimits } from './limits.ts';
import type { StdioCall } from './stdio-call.ts';

/** How long output may go on without an end before the process is ended, and how it is ended. */
export interface DialogueLimits {
  readonly quiet: number;
  readonly maxBytes: number;
  readonly giveUp: () => void;
}

/** The calls of one process. Assigns its output to them by the rules of a protocol. */
export interface Dialogue<Call extends StdioCall> {
  /** True if no call is open. */
  readonly isIdle: boolean;
  add(call: Call): void;
  /** A call has ended. `whole` means that its entire reply arrived; otherwise the rest may still come. */
  settle(call: Call, whole: 'whole' | 'owed'): void;
  /** Ends every open call. */
  failAll(fail: (call: Call) => void): void;
  /** The part that has arrived of an incomplete message for a call. */
  findCut(call: Call): string;
  takeOutput(bytes: Buffer): void;
  takeErrorOutput(bytes: Buffer): void;
  /** All output of the process has arrived. */
  takeEnd?(end: ProcessEnd): void;
}

/** What a conversation needs. */
export interface ConversationOptions<Talk> {
  readonly agent: ResolvedStdioAgent;
  readonly redactor: Redactor;
  readonly limits: StdioLimits;
  readonly openDialogue: (limits: DialogueLimits) => Talk;
  readonly onGone: (why: GoneWhy) => void;
}

/** A process with its calls, from its start to its end. */
export class Conversation<Call extends StdioCall, Talk extends Dialogue<Call>> {
  readonly dialogue: Talk;
  readonly #agent: ResolvedStdioAgent;
  readonly #redactor: Redactor;
  readonly #limits: StdioLimits;
  readonly #onGone: (why: GoneWhy) => void;
  #why: GoneWhy = 'ended';
  readonly #started: Promise<AgentProcess | StdioFailure>;
  #process: AgentProcess | undefined;
  #note: string | undefined;
  #state: 'starting' | 'running' | 'retired' | 'gone' = 'starting';

  constructor({ agent, redactor, limits, openDialogue, onGone }: ConversationOptions<Talk>) {
    this.#agent = agent;
    this.#redactor = redactor;
    this.#limits = limits;
    this.#onGone = onGone;
    this.dialogue = openDialogue({
      quiet: limits.quiet,
      maxBytes: limits.maxBytes,
      giveUp: () => {
        this.#state = 'retired';
        this.#why = 'too-long';
        this.#process?.kill();
      },
    });
    this.#started = this.#start();
  }

  /** True while it accepts requests. */
  get isTaking(): boolean {
    return this.#state === 'starting' || this.#state === 'running';
  }

  /** Sends the request of a call and waits for its reply. `signal` cancels the call. */
  async ask(call: Call, text: string, place: 'more' | 'last', signal: AbortSignal): Promise<Reply> {
    const cancel = (): void => void call.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      this.#send(call, new TextEncoder().encode(text), place);
      return await call.reply;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  settle(call: Call): void {
    this.dialogue.settle(call, call.isOwed ? 'owed' : 'whole');
    if (this.#state === 'retired' && this.dialogue.isIdle) void this.#process?.stop();
  }

  /** Accepts no more requests, and ends when the last of its calls has ended. */
  retire(): void {
    if (this.#state === 'gone') return;
    this.#state = 'retired';
    if (this.dialogue.isIdle) void this.#process?.stop();
  }

  /** Cancels open calls. Resolves when the process has ended. */
  async close(): Promise<void> {
    this.retire();
    this.dialogue.failAll(call => void call.cancel());
    const started = await this.#started;
    if (!('kind' in started)) await started.stop();
  }

  /** Sends a request as soon as the process runs. After the last request, its input ends. */
  #send(call: Call, bytes: Uint8Array, place: 'more' | 'last'): void {
    this.dialogue.add(call);
    // The start never rejects; the call reports its failure.
    void this.#started.then(started => {
      if (!call.isOpen) return;
      if ('kind' in started) {
        call.fail(() => started);
        return;
      }
      if (this.#note !== undefined) call.noteOnce(this.#note);
      this.#note = undefined;
      const { cwd } = this.#agent;
      const facts = [
        { name: 'cwd', value: cwd },
        { name: 'pid', value: String(started.pid) },
      ];
      call.begin(bytes, ['out', `stdio ${call.terms.line}`, facts], () => this.dialogue.findCut(call));
      started.write(bytes);
      if (place === 'last') started.endInput();
    });
  }

  async #start(): Promise<AgentProcess | StdioFailure> {
    const plan = await planLaunch(this.#agent, this.#redactor);
    if (!plan.ok) return this.#failToStart(plan.failure);
    this.#note = plan.launch.note;
    const listener = {
      stdout: (bytes: Buffer) => this.dialogue.takeOutput(bytes),
      stderr: (bytes: Buffer) => this.dialogue.takeErrorOutput(bytes),
      closedInput: () => this.#failAll(describeClosedInput, 'retired'),
      gone: (end: ProcessEnd) => {
        const { lastWords } = end;
        const reported = lastWords === undefined ? undefined : this.#redactor.redactText(lastWords);
        this.dialogue.takeEnd?.(end);
        this.#failAll(progress => describeEnd({ ...end, lastWords: reported }, progress), 'gone');
        this.#onGone(this.#why);
      },
    };
    const result = await startProcess(plan.launch, listener, this.#limits);
    if (!result.ok) return this.#failToStart(result.failure);
    this.#process = result.process;
    if (this.#state === 'starting') this.#state = 'running';
    else if (this.#state === 'retired' && this.dialogue.isIdle) void result.process.stop();
    return result.process;
  }

  #failToStart(failure: StdioFailure): StdioFailure {
    this.#state = 'gone';
    this.#onGone(this.#why);
    return failure;
  }

  #failAll(describe: (progress: CallProgress) => StdioFailure, state: 'retired' | 'gone'): void {
    this.#state = state;
    this.dialogue.failAll(call => call.fail(describe));
    if (state === 'retired') void this.#process?.stop();
  }
}
