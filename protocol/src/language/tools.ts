import type { AicfTypeName } from '../catalog/aicf.ts';
import type { Span } from '../text/span.ts';

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
}

/** A tool as a file's `TOOL` line declares it. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly ArgumentDeclaration[];
}

/** What `TOOLS` and `TOOL` lines say. */
export interface ToolTable {
  /** True where a `TOOLS` line lists tools: a name that no line has is then unknown. */
  readonly isComplete: boolean;
  /** Every name of a tool; undefined stands for a tool that is named and not declared. */
  readonly tools: ReadonlyMap<string, ToolDeclaration | undefined>;
}

/** The tools of agents, by the names that `# @agent` gives them. */
export type AgentTools = ReadonlyMap<string, ToolTable>;

export const NO_AGENT_TOOLS: AgentTools = new Map();

/** A table with more tools counts as one that lists not all. */
export const MOST_TOOLS = 100_000;

/** What several tables say together; of tools that several declare the first declaration counts. */
export function joinTables(tables: readonly ToolTable[]): ToolTable {
  const tools = new Map<string, ToolDeclaration | undefined>();
  for (const table of tables) {
    for (const [name, tool] of table.tools) {
      if (tools.get(name) === undefined) tools.set(name, tool);
    }
  }
  return { isComplete: tools.size <= MOST_TOOLS && tables.some(table => table.isComplete), tools };
}

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

function showTable({ isComplete, tools }: ToolTable): string {
  return JSON.stringify([isComplete, [...tools]]);
}
