import type { ToolTable } from '../../language/tools.ts';
import type { Connection, Outgoing, WireListener } from '../connection.ts';
import { fetchTools, type FetchedTools } from './fetch-tools.ts';
import type { OfferedTool } from './offer.ts';

/** What an agent said of its tools last. Kept for as long as the agent is the same. */
export class KnownTools {
  #tools: readonly OfferedTool[] | undefined;
  #table: ToolTable = { isComplete: false, tools: new Map() };
  #at: number | undefined;
  #isFresh = false;

  /** As checks and conversions want them. */
  get table(): ToolTable {
    return this.#table;
  }

  /** Undefined where the agent was not asked, or did not tell. */
  get tools(): readonly OfferedTool[] | undefined {
    return this.#tools;
  }

  /** When the agent was asked, as milliseconds since 1970. */
  get at(): number | undefined {
    return this.#at;
  }

  /** True where asking the agent once more would say nothing new. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  /** The agent says that its tools have changed. */
  expire(): void {
    this.#isFresh = false;
  }

  /**
   * Asks the agent for its tools and answers what came of that. Never throws; an agent that does not tell leaves what was
   * known, and one that was not reached is asked again.
   */
  async refresh(
    connection: Connection,
    request: Pick<Outgoing, 'timeout' | 'redactor'>,
    listener: WireListener,
    signal: AbortSignal,
  ): Promise<FetchedTools> {
    const fetched = await fetchTools(connection, request, listener, signal);
    this.#isFresh = fetched.ok || !fetched.unreached;
    if (!fetched.ok) return fetched;
    this.#at = Date.now();
    this.#tools = fetched.tools;
    this.#table = fetched.table;
    return fetched;
  }
}
