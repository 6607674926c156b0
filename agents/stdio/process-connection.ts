import { Redactor } from '../../core/secrets/redact.ts';
import type { ResolvedStdioAgent } from '../config/resolve-agent.ts';
import type { GoneWhy } from '../connection.ts';
import { Conversation, type Dialogue, type DialogueLimits } from './conversation.ts';
import type { StdioLimits } from './limits.ts';
import type { StdioCall } from './stdio-call.ts';

/**
 * The processes of a connection to an agent. One of them takes requests; one that was replaced ends with its last call.
 * `Talk` is the dialogue of the process that takes requests.
 */
export abstract class ProcessConnection<Call extends StdioCall, Talk extends Dialogue<Call>> {
  readonly agent: string;
  protected readonly resolved: ResolvedStdioAgent;
  protected readonly limits: StdioLimits;
  protected current: Conversation<Call, Talk> | undefined;
  protected isClosed = false;
  readonly #redactor: Redactor;
  readonly #running = new Set<{ close(): Promise<void> }>();
  readonly #gone = new Set<(why: GoneWhy) => void>();

  constructor(agent: ResolvedStdioAgent, limits: StdioLimits) {
    this.agent = agent.name;
    this.resolved = agent;
    this.limits = limits;
    this.#redactor = new Redactor(agent.secrets);
  }

  onGone(gone: (why: GoneWhy) => void): () => void {
    this.#gone.add(gone);
    return () => this.#gone.delete(gone);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.current = undefined;
    await Promise.all([...this.#running].map(each => each.close()));
  }

  /** Starts a process. */
  protected start<Own extends Dialogue<Call>>(
    openDialogue: (limits: DialogueLimits) => Own,
  ): Conversation<Call, Own> {
    const started: Conversation<Call, Own> = new Conversation<Call, Own>({
      agent: this.resolved,
      redactor: this.#redactor,
      limits: this.limits,
      openDialogue,
      onGone: why => {
        this.#running.delete(started);
        // A process that we ended, or that was for one request only, is not the current one.
        if (Object.is(this.current, started)) for (const gone of this.#gone) gone(why);
      },
    });
    this.#running.add(started);
    return started;
  }
}

/** The note of a call for which a running process was replaced. */
export const RESTARTED =
  'The agent was restarted for this request: a late reply to an abandoned request could not be distinguished from the reply to this one';
