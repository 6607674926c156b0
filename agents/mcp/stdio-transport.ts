import { isUtf8 } from 'node:buffer';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import type { Redactor } from '../../core/secrets/redact.ts';
import type { ResolvedStdioAgent } from '../config/resolve-agent.ts';
import { startProcess, type AgentProcess, type ProcessLimits } from '../stdio/agent-process.ts';
import {
  describeClosedInput,
  describeEnd,
  describeNonsense,
  describeTooLong,
  type CallProgress,
  type StdioFailure,
} from '../stdio/failure.ts';
import { ForeignOutput, MOST_FOREIGN, mayBeJson } from '../stdio/foreign-output.ts';
import { planLaunch } from '../stdio/launch.ts';
import { NOT_UTF8, type GoneWhy } from '../connection.ts';
import type { McpCall } from './call.ts';
import type { McpFailure } from './call-terms.ts';
import { takeAnswer } from './http-tap.ts';
import type * as Library from './library.ts';
import { writeExactly } from './request-text.ts';
import { isNameless, readAnsweredId, readMethod, type Routes } from './routes.ts';

/** What a transport over standard input and output needs. */
export interface StdioTransportOptions {
  readonly agent: ResolvedStdioAgent;
  readonly redactor: Redactor;
  /** The command line, without secrets. */
  readonly line: string;
  readonly routes: Routes;
  /** `maxBytes` limits one message, and the error output that is stored for a call. */
  readonly limits: ProcessLimits & { readonly maxBytes: number };
  readonly parse: typeof Library.parseJSONRPCMessage;
}

/** The number of bytes of a foreign line that are searched for secrets before a note quotes its beginning. */
const LOOK = 10_000;

const LF = 10;

/** The maximum number of characters of an error in a note. */
const LONGEST_ERROR = 200;

/** An error of a process whose message is a sentence for the user. */
export class StdioError extends Error {
  readonly failure: StdioFailure;

  constructor(failure: StdioFailure) {
    super(failure.message);
    this.name = 'StdioError';
    this.failure = failure;
  }
}

/**
 * MCP over the standard input and output of a process that we start and end: one JSON-RPC message per line. Output is
 * reported to the call whose answer or progress it is; other output, and the error output, to the current call.
 */
export class StdioTransport implements Transport {
  /** By `stderr` and `pid` the library recognises that silence means an old server here. */
  readonly stderr = null;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #options: StdioTransportOptions;
  readonly #waiting: Buffer[] = [];
  /** Consecutive lines that are not JSON. */
  readonly #foreign: Buffer[] = [];
  readonly #shown = new WeakSet<McpCall>();
  readonly #errorOutput = new WeakMap<McpCall, number>();
  readonly #foreignOutput = new ForeignOutput();
  #waitingBytes = 0;
  #process: AgentProcess | undefined;
  #isClosed = false;
  #failure: StdioFailure | undefined;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  /** Why it is no longer usable; undefined while it is. */
  get failure(): StdioFailure | undefined {
    return this.#failure;
  }

  async start(): Promise<void> {
    const { agent, redactor, limits, routes } = this.#options;
    const plan = await planLaunch(agent, redactor);
    if (!plan.ok) throw this.#failToStart(plan.failure);
    if (plan.launch.note !== undefined) routes.current?.note(plan.launch.note);
    const listener = {
      stdout: (bytes: Buffer) => this.#takeOutput(bytes),
      stderr: (bytes: Buffer) => this.#takeErrorOutput(bytes),
      closedInput: () => this.#end(describeClosedInput),
      gone: (end: Parameters<typeof describeEnd>[0]) => {
        const { lastWords } = end;
        const reported = lastWords === undefined ? undefined : redactor.redactText(lastWords);
        this.#end(progress => describeEnd({ ...end, lastWords: reported }, progress));
      },
    };
    const result = await routes.runOutside(() => startProcess(plan.launch, listener, limits));
    if (!result.ok) throw this.#failToStart(result.failure);
    this.#process = result.process;
    if (this.#isClosed) await result.process.stop();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { routes } = this.#options;
    const call = routes.sending?.call ?? routes.current;
    if (this.#failure || !this.#process)
      return Promise.reject(new StdioError(this.#failure ?? describeClosedInput(this.#progress())));
    const isAsked = call !== undefined && readMethod(message) === call.parsed.method;
    const printed = JSON.stringify(message);
    const text = isAsked ? writeExactly(printed, call.parsed.members) : printed;
    const bytes = Buffer.from(`${text}\n`);
    this.#showHead(call);
    call?.bytes('out', bytes);
    this.#process.write(bytes);
    return Promise.resolve();
  }

  /** Why its process has ended. */
  get whyGone(): GoneWhy {
    return this.#failure?.kind === 'too-long' ? 'too-long' : 'ended';
  }

  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.onclose?.();
    }
    await this.#process?.stop();
  }

  #showHead(call: McpCall | undefined): void {
    if (!call || this.#shown.has(call)) return;
    this.#shown.add(call);
    const { line, agent } = this.#options;
    call.head('out', `stdio ${line}`, [
      { name: 'cwd', value: agent.cwd },
      { name: 'pid', value: String(this.pid) },
    ]);
  }

  #takeOutput(bytes: Buffer): void {
    if (this.#failure) return;
    let from = 0;
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, from)) {
      const line = Buffer.concat([...this.#waiting, bytes.subarray(from, at + 1)]);
      this.#waiting.length = 0;
      this.#waitingBytes = 0;
      from = at + 1;
      this.#takeLine(line);
    }
    this.#takeForeign();
    if (this.#foreignOutput.isTooMuch()) return this.#endNonsense();
    if (from === bytes.length) return;
    this.#waiting.push(bytes.subarray(from));
    this.#waitingBytes += bytes.length - from;
    this.#options.routes.current?.touch();
    const { maxBytes } = this.#options.limits;
    const waiting = mayBeJson(this.#waiting) ? 0 : this.#waitingBytes;
    if (this.#foreignOutput.isTooMuch(waiting)) this.#endNonsense();
    else if (this.#waitingBytes > maxBytes)
      this.#end(progress => describeTooLong(maxBytes, progress), 'kill');
  }

  #endNonsense(): void {
    this.#end(progress => describeNonsense(MOST_FOREIGN, progress), 'kill');
  }

  #takeLine(line: Buffer): void {
    const { routes, parse } = this.#options;
    const text = textOf(line);
    const value = parseJson(text);
    this.#foreignOutput.add(line.length);
    if (value === undefined) return void this.#foreign.push(line);
    this.#takeForeign();
    const call = routes.findOwner(value) ?? routes.current;
    call?.bytes('in', line);
    const message = readMessage(value, parse);
    const id = readAnsweredId(value);
    if (id !== undefined && routes.findOwner(value)) takeAnswer({ text, value }, routes);
    if (isNameless(value)) return this.#takeNameless(text, call);
    if (!message) {
      if (id !== undefined && call?.isAnswered(id)) call.answerUnread(id);
      else call?.note(describeForeign(text, this.#options.redactor));
      return;
    }
    this.#foreignOutput.clear();
    if (text.includes('\ufffd') && !isUtf8(line)) call?.note(NOT_UTF8);
    if (id !== undefined && !routes.findOwner(value))
      call?.note(`The agent answered a request that was not sent (id ${quote(String(id))})`);
    const owner = readMethod(value) === 'notifications/progress' ? routes.findOwner(value) : undefined;
    if (owner) return owner.takeProgress(value);
    const deliver = (): void => this.onmessage?.(message);
    if (call) routes.run({ call }, deliver);
    else deliver();
  }

  /**
   * Lines that are not JSON belong to the current call, which receives their bytes as one piece: there may be
   * thousands.
   */
  #takeForeign(): void {
    const { routes, redactor } = this.#options;
    const lines = this.#foreign.splice(0);
    const call = routes.current;
    if (lines.length > 0) call?.bytes('in', Buffer.concat(lines));
    for (const line of lines) {
      const text = textOf(line);
      if (text.trim() !== '') call?.note(describeForeign(text, redactor));
    }
  }

  /** An error without a request id answers the waiting request, if there is exactly one. */
  #takeNameless(text: string, call: McpCall | undefined): void {
    const waiting = [...this.#options.routes.open].filter(each => each.isWaiting);
    const [only] = waiting;
    if (only && waiting.length === 1) this.#options.routes.run({ call: only }, () => only.takeNameless(text));
    else
      call?.note(
        `The agent sent an error without a request id, so it is unknown which of ${waiting.length} it is for: ${quote(text, LONGEST_ERROR)}`,
      );
  }

  #takeErrorOutput(bytes: Buffer): void {
    const call = this.#options.routes.current;
    if (!call) return;
    const { maxBytes } = this.#options.limits;
    const stored = this.#errorOutput.get(call) ?? 0;
    this.#errorOutput.set(call, stored + bytes.length);
    if (stored < maxBytes) call.bytes('stderr', bytes.subarray(0, maxBytes - stored));
    if (stored + bytes.length > maxBytes)
      call.note('The agent writes more to its error output than is recorded; the rest is left out');
  }

  /** No more requests are possible: open calls have failed. */
  #end(describe: (progress: CallProgress) => StdioFailure, how: 'stop' | 'kill' = 'stop'): void {
    if (this.#failure) return;
    const rest = Buffer.concat(this.#waiting);
    this.#waiting.length = 0;
    const { routes, redactor } = this.#options;
    if (rest.length > 0) routes.current?.bytes('in', rest);
    this.#failure = describe(this.#progress());
    // If we ended the process, this does not concern the open calls: they may be those of the next one.
    if (this.#isClosed) return;
    const isCut = rest.length > 0;
    const foreign = isCut ? redactor.redactStart(rest.toString('utf8'), LOOK).trim() : '';
    for (const call of routes.open) {
      const failure: McpFailure = describe({ ...this.#progress(), isCut: isCut && foreign.startsWith('{') });
      call.takeFailure(failure);
    }
    if (how === 'kill') this.#process?.kill();
    else void this.#process?.stop();
    this.#isClosed = true;
    this.onclose?.();
  }

  #failToStart(failure: StdioFailure): StdioError {
    this.#failure = failure;
    for (const call of this.#options.routes.open) call.takeFailure(failure);
    return new StdioError(failure);
  }

  #progress(): CallProgress {
    return { line: this.#options.line, messages: 0, isCut: false, foreign: '', speech: 'JSON-RPC message' };
  }
}

/** A line without its end. */
function textOf(line: Buffer): string {
  return line.toString('utf8').replace(/\r?\n$/, '');
}

function readMessage(value: unknown, parse: typeof Library.parseJSONRPCMessage): JSONRPCMessage | undefined {
  try {
    return parse(value);
  } catch {
    // It is JSON, but not a message of JSON-RPC.
    return undefined;
  }
}

function describeForeign(text: string, redactor: Redactor): string {
  return `The agent wrote text to its output that is not a valid JSON-RPC message, beginning ${quote(redactor.redactStart(text, LOOK).trim())}; logs belong to its error output`;
}
