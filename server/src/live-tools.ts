import { LANGUAGES, type LanguageId } from '../../core/catalog/languages.ts';
import {
  NO_AGENT_TOOLS,
  type AgentTools,
  type ToolDeclaration,
  type ToolTable,
} from '../../language/tools.ts';
import { ToolSchemas } from '../../language/json/json-service.ts';
import type { AgentToolsParams, LiveAgent, LiveTool } from '../../wire/live-tools.ts';

/**
 * The tools that agents reported, for the files of each language: by agent name, and under the empty name
 * those of the default agent for requests without one.
 */
export class LiveTools {
  #agents: readonly LiveAgent[] = [];
  #usual: AgentToolsParams['usual'] = {};
  #tables = new Map<LanguageId, AgentTools>();

  /** Stores the current data of the client. */
  use({ agents, usual }: AgentToolsParams): void {
    this.#agents = agents;
    this.#usual = usual;
    const named = agents.map(agent => [agent.name, toTable(agent)] as const);
    this.#tables = new Map(LANGUAGES.map(({ id }) => [id, withUsual(new Map(named), this.#usual[id])]));
  }

  /** True if no agent has reported tools. */
  get isEmpty(): boolean {
    return this.#agents.length === 0;
  }

  /** The tables for files of a language. Returns the same object until the client sends new data. */
  of(language: LanguageId): AgentTools {
    return this.#tables.get(language) ?? NO_AGENT_TOOLS;
  }
}

function withUsual(named: ReadonlyMap<string, ToolTable>, usual: string | undefined): AgentTools {
  const table = usual === undefined ? undefined : named.get(usual);
  return table ? new Map([['', table], ...named]) : named;
}

function toTable({ name, at, tools, isOpen = false }: LiveAgent): ToolTable {
  return {
    isComplete: !isOpen,
    tools: new Map(tools.map(tool => [tool.name, declare(tool)])),
    live: { agent: name, when: describeTime(at) },
  };
}

/** The declaration of a tool, with its whole schema if the agent has one. */
function declare({ declaration, schema: text }: LiveTool): ToolDeclaration | undefined {
  if (!declaration?.schema || text === undefined) return declaration;
  return { ...declaration, schema: { ...declaration.schema, text, json: new ToolSchemas(text) } };
}

/** The time of day. Unlike `3 minutes ago` it remains correct while it is displayed. */
function describeTime(at: number): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `at ${two(date.getHours())}:${two(date.getMinutes())}`;
}
