import type { ToolTable } from '../../language/tools.ts';
import type { Connection, WireListener } from '../connection.ts';
import { fetchTools, type FetchedTools, type ListRequest } from './fetch-tools.ts';
import { type DescribedTool } from '../../language/tools.ts';

/** What an agent last reported about its tools; retained while the agent is the same. */
export class KnownTools {
  #tools: readonly DescribedTool[] | undefined;
  #table: ToolTable = { isComplete: false, tools: new Map() };
  #at: number | undefined;
  #isFresh = false;

  /** The tools in the form that checks and conversions need. */
  get table(): ToolTable {
    return this.#table;
  }

  /** Undefined if the agent was not asked or did not list its tools. */
  get tools(): readonly DescribedTool[] | undefined {
    return this.#tools;
  }

  /** When the agent was asked, in milliseconds since 1970. */
  get at(): number | undefined {
    return this.#at;
  }

  /** True if asking the agent again would not result in anything new. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  /** The agent has reported that its tools changed. */
  expire(): void {
    this.#isFresh = false;
  }

  /**
   * Asks the agent for its tools and returns the result. Never throws. If the agent does not list its tools,
   * the known ones stay; if it was not reached, it is asked again next time.
   */
  async refresh(
    connection: Connection,
    request: ListRequest,
    listener: WireListener,
    signal: AbortSignal,
  ): Promise<FetchedTools> {
    const fetched = await fetchTools(connection, request, listener, signal);
    this.#isFresh = fetched.ok || !fetched.unreachable;
    if (!fetched.ok) return fetched;
    this.#at = Date.now();
    this.#tools = fetched.tools;
    this.#table = fetched.table;
    return fetched;
  }
}
