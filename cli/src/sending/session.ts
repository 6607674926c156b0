import { connectAgent } from '../../../agents/all.ts';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import type { AgentConfig } from '../../../agents/config/agent-config.ts';
import type { Outgoing, Reply, WireListener } from '../../../agents/connection.ts';
import { openAgent, type OpenedAgent, type OpenOptions } from '../../../agents/open-agent.ts';
import type { RecordingFacts } from '../../../agents/proxy/exchange.ts';
import { Recorder } from '../../../agents/proxy/recording/recorder.ts';
import { now, RANDOM_IDS } from '../../../agents/runtime.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { EventSink } from '../../../agents/store/trace-file.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import type { OpenDocument, SendableRequest } from '../../../language/support.ts';
import { UsageError } from '../exit.ts';
import type { SourceFile } from '../files.ts';
import type { Terminal } from '../terminal.ts';
import { openTraceOut } from '../traces/trace-out.ts';
import type { AgentsSource } from './agents-source.ts';
import { listVariables } from './cli-variables.ts';
import { DemoSource } from './demo-source.ts';
import type { SendStep } from './plan.ts';

type SendOptions = Omit<OpenOptions, 'protocols' | 'connect'>;

/** The resources of one `parley send`: a connection per agent, the demo agents and the trace file. */
export class SendSession {
  readonly #terminal: Terminal;
  readonly #agents: AgentsSource;
  readonly #demo: DemoSource;
  readonly #trace: EventSink | undefined;
  readonly #options: SendOptions;
  readonly #opened = new Map<string, OpenedAgent>();

  constructor(terminal: Terminal, agents: AgentsSource, trace: EventSink | undefined, options: SendOptions) {
    this.#options = options;
    this.#terminal = terminal;
    this.#agents = agents;
    this.#demo = new DemoSource(terminal, trace && (facts => openRecorder(trace, facts)));
    this.#trace = trace;
    this.emit = trace && (event => trace.write(event));
  }

  /** Opens an agent if it is not open yet. Throws a UsageError if a variable of it has no value. */
  async open(agent: AgentConfig): Promise<OpenedAgent> {
    const known = this.#opened.get(agent.name);
    if (known) return known;
    const wanted = new Set<string>();
    const variables = listVariables(this.#terminal, this.#agents.workspaceFolder, this.#demo, wanted);
    const opened = await openAgent(agent, variables, this.emit, {
      protocols: ALL_PROTOCOLS,
      connect: connectAgent,
      ...this.#options,
    });
    if (!opened.ok) {
      const advice = wanted.size === 0 ? '' : `; on the command line set ${[...wanted].join(', ')}`;
      throw new UsageError(`${opened.message}${advice}`);
    }
    this.#opened.set(agent.name, opened);
    return opened;
  }

  /**
   * Sends the request of a step in its resolved form, with variables replaced. Throws a UsageError for an
   * agent whose variables have no value.
   */
  async send(
    { request, agent, timeout }: SendStep,
    resolved: Pick<Outgoing, 'wireText' | 'title' | 'secrets' | 'chunkBytes'>,
    place: { readonly file: SourceFile; readonly document: OpenDocument },
    listener: WireListener,
    signal: AbortSignal,
  ): Promise<Reply> {
    const opened = await this.open(agent);
    const { name } = place.file;
    const { session } = request.directives;
    const line = place.document.text.lineAt(request.span.start);
    const outgoing = {
      title: titleOf(request),
      ...resolved,
      ...(timeout === undefined ? {} : { timeout }),
      ...(session === undefined ? {} : { session }),
      ...(name === '-'
        ? {}
        : { source: { uri: pathToFileURL(resolve(this.#terminal.cwd, name)).href, line } }),
    };
    return opened.send(outgoing, listener, signal).reply;
  }

  /** Writes an event to the trace file; undefined if there is none. */
  readonly emit: ((event: TraceEvent) => void) | undefined;

  /** Closes everything. Returns why events are missing from the trace file, or undefined if none are. */
  async close(): Promise<string | undefined> {
    await Promise.all([...this.#opened.values()].map(opened => opened.close()));
    await this.#demo.close();
    return this.#trace?.close();
  }
}

/**
 * Opens a session, whose events go to `traceOut`: a path, or what takes events. `options` choose the language of the
 * requests. Throws a UsageError if the trace file
 * cannot be written.
 */
export async function openSession(
  terminal: Terminal,
  agents: AgentsSource,
  traceOut: string | EventSink | undefined,
  options: SendOptions,
): Promise<SendSession> {
  const trace = typeof traceOut === 'string' ? await openTraceOut(terminal, traceOut) : traceOut;
  return new SendSession(terminal, agents, trace, options);
}

/** Records the calls between demo agents in the trace file. */
function openRecorder(trace: EventSink, facts: RecordingFacts): Recorder {
  const { agent, protocol, secrets, secretHeaders } = facts;
  return new Recorder({
    protocols: ALL_PROTOCOLS,
    agent,
    protocol,
    emit: event => trace.write(event),
    now,
    ids: RANDOM_IDS,
    redactor: new Redactor(secrets, secretHeaders),
  });
}

/** The title of a request in lists of calls: the name that the user gave, else the tool, query or message type. */
export function titleOf(request: SendableRequest): string {
  return request.directives.name ?? request.title;
}
