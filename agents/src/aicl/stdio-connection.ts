import { readAiclDelivery } from '../../../protocol/src/fold/aicl-delivery.ts';
import { Redactor } from '../../../protocol/src/trace/redact.ts';
import type { ResolvedStdioAgent } from '../config/resolve-agent.ts';
import type { Connection, Outgoing, Reply, WireListener } from '../connection.ts';
import {
  DEFAULT_PROCESS_LIMITS,
  startProcess,
  type AgentProcess,
  type ProcessLimits,
} from '../stdio/agent-process.ts';
import { showCommandLine } from '../stdio/command-line.ts';
import { describeClosedInput, describeEnd, type CallProgress, type StdioFailure } from '../stdio/failure.ts';
import { planLaunch } from '../stdio/launch.ts';
import { Dialogue } from './dialogue.ts';
import { StdioCall } from './stdio-call.ts';

/** Limits of a connection that users do not set; tests do. */
export interface StdioLimits extends ProcessLimits {
  /** Milliseconds for a reply to begin, and between its pieces. */
  readonly idle: number;
  /** Bytes that a process may write for one call, and without an end. */
  readonly maxBytes: number;
  /** Bytes that are kept of what it writes for a call that has ended. */
  readonly maxLateBytes: number;
}

export const DEFAULT_STDIO_LIMITS: StdioLimits = {
  ...DEFAULT_PROCESS_LIMITS,
  idle: 60_000,
  maxBytes: 256 * 2 ** 20,
  maxLateBytes: 2 ** 20,
};

/**
 * A connection to an AICL agent that is a process (LightAICL names no transport; this is our reading). It is started at
 * the first request and kept; each request is a line end after its message. A message from it belongs to the oldest
 * open request of its session. A reply is over with a message of type `error`, a `result` that is no chunk, the last
 * chunk (`is_final`, or n/n), an answer to `protocol_negotiate`; or with the end of the process, a time-out, a stop.
 *
 * A stop ends the call, not the process; what it answers then is noted. A process that still owes such a reply in the
 * session of the next request, or that has said nothing since a time-out, is ended and a new one takes that request:
 * AICL has no ids by which the replies could be told apart. So it is after the process has ended, or closed its input.
 */
export class AiclStdioConnection implements Connection {
  readonly agent: string;
  readonly protocol = 'aicl';
  readonly #agent: ResolvedStdioAgent;
  readonly #limits: StdioLimits;
  readonly #redactor: Redactor;
  readonly #running = new Set<AiclProcess>();
  #current: AiclProcess | undefined;
  #isClosed = false;

  constructor(agent: ResolvedStdioAgent, limits: StdioLimits = DEFAULT_STDIO_LIMITS) {
    this.agent = agent.name;
    this.#agent = agent;
    this.#limits = limits;
    this.#redactor = new Redactor(agent.secrets);
  }

  async send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const { session, messageType } = readAiclDelivery(request.wireText);
    const total = request.timeout ?? this.#agent.timeout;
    const { maxBytes, maxLateBytes } = this.#limits;
    // Whoever says how long a call may take also says how long it may be silent.
    const idle = total ?? this.#limits.idle;
    const redactor = request.redactor ?? this.#redactor;
    const line = redactor.redactText(showCommandLine(this.#agent.command, this.#agent.args));
    const terms = { session, messageType, line, redactor, idle, total, maxBytes, maxLateBytes };
    if (signal.aborted || this.#isClosed) return new StdioCall(terms, listener, () => undefined).cancel();
    const { process: target, restarted } = this.#findProcess(session);
    const call = new StdioCall(terms, listener, ended => target.settle(ended));
    if (restarted) call.noteOnce(RESTARTED);
    const cancel = (): void => void call.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      target.send(call, new TextEncoder().encode(`${request.wireText}\n`));
      return await call.reply;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#current = undefined;
    await Promise.all([...this.#running].map(each => each.close()));
  }

  /** The process that runs, or a new one where none does that can take a request of this session. */
  #findProcess(session: string): { readonly process: AiclProcess; readonly restarted: boolean } {
    const current = this.#current;
    if (current?.takes(session)) return { process: current, restarted: false };
    // One that has ended owes nothing any more.
    const restarted = current?.isTaking === true;
    current?.retire();
    const started = new AiclProcess(this.#agent, this.#redactor, this.#limits, () =>
      this.#running.delete(started),
    );
    this.#running.add(started);
    this.#current = started;
    return { process: started, restarted };
  }
}

const RESTARTED =
  'The agent was started anew for this request: a reply that it still owes to a request that was given up could not be told from the reply to this one';

/** A process with its calls, from its start to its end. */
class AiclProcess {
  readonly #agent: ResolvedStdioAgent;
  readonly #redactor: Redactor;
  readonly #limits: StdioLimits;
  readonly #dialogue: Dialogue;
  readonly #onGone: () => void;
  readonly #started: Promise<AgentProcess | StdioFailure>;
  #process: AgentProcess | undefined;
  #note: string | undefined;
  #state: 'starting' | 'running' | 'retired' | 'gone' = 'starting';

  constructor(agent: ResolvedStdioAgent, redactor: Redactor, limits: StdioLimits, onGone: () => void) {
    this.#agent = agent;
    this.#redactor = redactor;
    this.#limits = limits;
    this.#onGone = onGone;
    this.#dialogue = new Dialogue({
      maxBytes: limits.maxBytes,
      giveUp: () => {
        this.#state = 'retired';
        this.#process?.kill();
      },
    });
    this.#started = this.#start();
  }

  /** True where it takes requests. */
  get isTaking(): boolean {
    return this.#state === 'starting' || this.#state === 'running';
  }

  /** True where it can take a request of a session. */
  takes(session: string): boolean {
    return this.isTaking && !this.#dialogue.owes(session);
  }

  /** Sends the request of a call as soon as the process runs. */
  send(call: StdioCall, bytes: Uint8Array): void {
    this.#dialogue.add(call);
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
      call.begin(bytes, ['out', `stdio ${call.terms.line}`, facts], () => this.#dialogue.findCut(call));
      started.write(bytes);
    });
  }

  settle(call: StdioCall): void {
    this.#dialogue.settle(call, call.isOwed ? 'owed' : 'whole');
    if (this.#state === 'retired' && this.#dialogue.isIdle) void this.#process?.stop();
  }

  /** Takes no more requests, and ends when the last of its calls has. */
  retire(): void {
    if (this.#state === 'gone') return;
    this.#state = 'retired';
    if (this.#dialogue.isIdle) void this.#process?.stop();
  }

  /** Cancels what is open and resolves when the process is gone. */
  async close(): Promise<void> {
    this.retire();
    this.#dialogue.failAll(call => void call.cancel());
    const started = await this.#started;
    if (!('kind' in started)) await started.stop();
  }

  async #start(): Promise<AgentProcess | StdioFailure> {
    const plan = await planLaunch(this.#agent, this.#redactor);
    if (!plan.ok) return this.#failToStart(plan.failure);
    this.#note = plan.launch.note;
    const listener = {
      stdout: (bytes: Buffer) => this.#dialogue.takeOutput(bytes),
      stderr: (bytes: Buffer) => this.#dialogue.takeErrorOutput(bytes),
      closedInput: () => this.#failAll(describeClosedInput, 'retired'),
      gone: (end: Parameters<typeof describeEnd>[0]) => {
        const { lastWords } = end;
        const said = lastWords === undefined ? undefined : this.#redactor.redactText(lastWords);
        this.#failAll(progress => describeEnd({ ...end, lastWords: said }, progress), 'gone');
        this.#onGone();
      },
    };
    const result = await startProcess(plan.launch, listener, this.#limits);
    if (!result.ok) return this.#failToStart(result.failure);
    this.#process = result.process;
    if (this.#state === 'starting') this.#state = 'running';
    else if (this.#state === 'retired' && this.#dialogue.isIdle) void result.process.stop();
    return result.process;
  }

  #failToStart(failure: StdioFailure): StdioFailure {
    this.#state = 'gone';
    this.#onGone();
    return failure;
  }

  #failAll(describe: (progress: CallProgress) => StdioFailure, state: 'retired' | 'gone'): void {
    this.#state = state;
    this.#dialogue.failAll(call => call.fail(describe));
    if (state === 'retired') void this.#process?.stop();
  }
}
