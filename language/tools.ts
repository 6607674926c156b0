import type { AicfTypeName } from '../core/catalog/aicf.ts';
import type { Span } from '../core/text/span.ts';

/** An argument as a `TOOL` line declares it (AICF-RPC 1.0, "INFO"). */
export interface ArgumentDeclaration {
  readonly name: string;
  /** `any` where the line names no type or an unknown one. */
  readonly type: AicfTypeName;
  readonly isOptional: boolean;
  /** The type as written, in the line, without `?`; undefined where the field has no `:`. */
  readonly typeSpan: Span | undefined;
  /** The whole field, in the line. */
  readonly span: Span;
  /** What a JSON Schema says of it besides. */
  readonly description?: string;
  /** The only texts that it may be. */
  readonly values?: readonly string[];
}

/** A tool as a file's `TOOL` line or an agent's JSON Schema declares it. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly ArgumentDeclaration[];
  /** Only of a JSON Schema, which says of each argument whether it is required; a line need not. */
  readonly schema?: {
    /** True where arguments that it does not name may be given as well. */
    readonly isOpen: boolean;
  };
}

/** Who said what its tools are, and when. */
export interface LiveSource {
  readonly agent: string;
  /** As a sentence goes on: `at 14:03`. */
  readonly when: string;
}

/** What `TOOLS` and `TOOL` lines say, or an agent itself. */
export interface ToolTable {
  /** True where a `TOOLS` line lists tools: a name that no line has is then unknown. */
  readonly isComplete: boolean;
  /** Every name of a tool; undefined stands for a tool that is named and not declared. */
  readonly tools: ReadonlyMap<string, ToolDeclaration | undefined>;
  /** Only where the agent itself was asked. */
  readonly live?: LiveSource;
}

/**
 * The tools of agents, by the names that `# @agent` gives them; under the empty text those of the agent that requests go
 * to where nothing above them names one.
 */
export type AgentTools = ReadonlyMap<string, ToolTable>;

export const NO_AGENT_TOOLS: AgentTools = new Map();

/** A table with more tools counts as one that lists not all. */
export const MOST_TOOLS = 100_000;

/**
 * What several tables say together; of tools that several declare the first declaration counts. What an agent says itself
 * counts before what files say of it.
 */
export function joinTables(tables: readonly ToolTable[]): ToolTable {
  const live = tables.find(table => table.live);
  if (live) return fillIn(live, joinTables(tables.filter(table => !table.live)));
  const tools = new Map<string, ToolDeclaration | undefined>();
  for (const table of tables) {
    for (const [name, tool] of table.tools) {
      if (tools.get(name) === undefined) tools.set(name, tool);
    }
  }
  return { isComplete: tools.size <= MOST_TOOLS && tables.some(table => table.isComplete), tools };
}

/** What an agent says, with declarations from files for tools of which it tells only the names. */
function fillIn(live: ToolTable, files: ToolTable): ToolTable {
  const tools = new Map([...live.tools].map(([name, tool]) => [name, tool ?? files.tools.get(name)]));
  return { ...live, tools };
}

/** The end of a sentence on what an agent said; empty where files say it. */
export function showSource({ live }: ToolTable): string {
  return live ? `, as ${live.agent.slice(0, LONGEST_AGENT)} said ${live.when}` : '';
}

const LONGEST_AGENT = 200;

/** What several files say together of each agent, the first one first. */
export function joinAgentTools(files: readonly AgentTools[]): AgentTools {
  const tables = new Map<string, ToolTable[]>();
  for (const file of files) {
    for (const [agent, table] of file) {
      // Who is only called says nothing.
      if (table.tools.size === 0 && !table.isComplete) continue;
      const known = tables.get(agent);
      if (known) known.push(table);
      else tables.set(agent, [table]);
    }
  }
  return new Map([...tables].map(([agent, list]) => [agent, joinTables(list)]));
}

/** True where both say the same of the same agents. */
export function isSameAgentTools(one: AgentTools, other: AgentTools): boolean {
  if (one === other || one.size !== other.size) return one === other;
  return [...one].every(([agent, table]) => {
    const same = other.get(agent);
    return same !== undefined && showTable(table) === showTable(same);
  });
}

function showTable({ isComplete, tools, live }: ToolTable): string {
  return JSON.stringify([isComplete, [...tools], live]);
}
