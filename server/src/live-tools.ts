import { LANGUAGES, type LanguageId } from '../../core/catalog/languages.ts';
import { NO_AGENT_TOOLS, type AgentTools, type ToolTable } from '../../language/tools.ts';
import type { AgentToolsParams, LiveAgent } from '../../wire/live-tools.ts';

/**
 * What agents themselves said of their tools, for the files of each language: under their names, and under the empty text
 * what the agent said that requests go to where nothing above them names one.
 */
export class LiveTools {
  #agents: readonly LiveAgent[] = [];
  #usual: AgentToolsParams['usual'] = {};
  #tables = new Map<LanguageId, AgentTools>();

  /** Takes what the client knows now. */
  use({ agents, usual }: AgentToolsParams): void {
    this.#agents = agents;
    this.#usual = usual;
    const named = agents.map(agent => [agent.name, toTable(agent)] as const);
    this.#tables = new Map(LANGUAGES.map(({ id }) => [id, withUsual(new Map(named), this.#usual[id])]));
  }

  /** True where no agent was asked. */
  get isEmpty(): boolean {
    return this.#agents.length === 0;
  }

  /** What files of a language are told: the same object until the client tells something else. */
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
    tools: new Map(tools.map(tool => [tool.name, tool.declaration])),
    live: { agent: name, when: describeTime(at) },
  };
}

/** The time of day: true for as long as it is shown, which `3 minutes ago` is not. */
function describeTime(at: number): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `at ${two(date.getHours())}:${two(date.getMinutes())}`;
}
