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

/** How long a stretch of output may go on without an end before the process is given up, and what is done then. */
export interface DialogueLimits {
  readonly quiet: number;
  readonly maxBytes: number;
  readonly giveUp: () => void;
}

/** The calls of one process, and what it writes dealt out to them: how a protocol tells its messages apart. */
export interface Dialogue<Call extends StdioCall> {
  /** True where no call is open. */
  readonly isIdle: boolean;
  add(call: Call): void;
  /** A call has ended. `whole` says whether all of its reply came. */
  settle(call: Call, whole: 'whole' | 'owed'): void;
  /** Ends every open call. */
  failAll(fail: (call: Call) => void): void;
  /** What of a message has come for a call, where that message is not whole. */
  findCut(call: Call): string;
  takeOutput(bytes: Buffer): void;
  takeErrorOutput(bytes: Buffer): void;
  /** All that the process wrote has come. */
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

  /** True where it takes requests. */
  get isTaking(): boolean {
    return this.#state === 'starting' || this.#state === 'running';
  }

  /** Sends the request of a call and waits for its reply, which it is given up for once `signal` says so. */
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

  /** Takes no more requests, and ends when the last of its calls has. */
  retire(): void {
    if (this.#state === 'gone') return;
    this.#state = 'retired';
    if (this.dialogue.isIdle) void this.#process?.stop();
  }

  /** Cancels what is open and resolves when the process is gone. */
  async close(): Promise<void> {
    this.retire();
    this.dialogue.failAll(call => void call.cancel());
    const started = await this.#started;
    if (!('kind' in started)) await started.stop();
  }

  /** Sends as soon as the process runs. After the last request its input ends. */
  #send(call: Call, bytes: Uint8Array, place: 'more' | 'last'): void {
    this.dialogue.add(call);
    // The start answers whatever happens; the call tells what came of it.
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
        const said = lastWords === undefined ? undefined : this.#redactor.redactText(lastWords);
        this.dialogue.takeEnd?.(end);
        this.#failAll(progress => describeEnd({ ...end, lastWords: said }, progress), 'gone');
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
