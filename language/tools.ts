import type { AicfTypeName } from '../core/catalog/aicf.ts';
import type { Span } from '../core/text/span.ts';
import type { Value } from '../core/values/value.ts';
import type { ArgumentSchemas } from './json/argument-schema.ts';
import { escapeMarkdown, fenceCode } from '../core/text/markup.ts';

/** An argument as a `TOOL` line declares it (AICF-RPC 1.0, "INFO"). */
export interface ArgumentDeclaration {
  readonly name: string;
  /** `any` if the line gives no type or an unknown one. */
  readonly type: AicfTypeName;
  readonly isOptional: boolean;
  /** The span of the type in the line, without `?`; undefined if the field has no `:`. */
  readonly typeSpan: Span | undefined;
  /** The span of the whole field in the line. */
  readonly span: Span;
  /** The description from a JSON Schema. */
  readonly description?: string;
  /** The only allowed values, as texts. */
  readonly values?: readonly string[];
}

/** A tool as declared by a `TOOL` line of a file or a JSON Schema of an agent. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly ArgumentDeclaration[];
  /**
   * Only for tools from a JSON Schema, which states for each argument whether it is required; a `TOOL` line
   * may leave that open.
   */
  readonly schema?: ToolSchema;
}

/** A tool as an agent describes it. */
export interface DescribedTool {
  readonly name: string;
  readonly description: string;
  /** Its arguments, as far as the agent describes them. */
  readonly declaration: ToolDeclaration | undefined;
  /** The JSON Schema of its arguments, as a value and as JSON text; undefined if the agent has none. */
  readonly inputSchema: Value | undefined;
  readonly schema: string | undefined;
  /** The tool as the agent listed or described it. */
  readonly value: Value;
}

/** A resource, a template of resources or a prompt, as the agent describes it. */
export interface ListedItem {
  readonly kind: 'resource' | 'template' | 'prompt';
  readonly name: string;
  readonly description: string;
  /** The URI of a resource or template, or the arguments of a prompt. */
  readonly detail: string;
  /** The variables of a template, or the arguments of a prompt. */
  readonly parameters: readonly ItemParameter[];
  /** The item as MCP lists it. */
  readonly value: Value;
}

/** A variable of a template, or an argument of a prompt. All of them are texts. */
export interface ItemParameter {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
}

/** The JSON Schema of a tool's arguments. */
export interface ToolSchema {
  /** True if the schema allows additional arguments. */
  readonly isOpen: boolean;
  /** Its JSON text, if `json` is given; tables are compared by it. */
  readonly text?: string;
  /** What it says about JSON in arguments; only the language server loads the service that reads it. */
  readonly json?: ArgumentSchemas;
}

/** The agent that reported its tools, and when. */
export interface LiveSource {
  readonly agent: string;
  /** A phrase inside a sentence: `at 14:03`. */
  readonly when: string;
}

/** Tools from `TOOLS` and `TOOL` lines, or as reported by an agent. */
export interface ToolTable {
  /** True if a `TOOLS` line lists the tools: a name that is missing is then unknown. */
  readonly isComplete: boolean;
  /** All tool names; the value is undefined for a tool that is listed without a declaration. */
  readonly tools: ReadonlyMap<string, ToolDeclaration | undefined>;
  /** Only if the agent itself reported the tools. */
  readonly live?: LiveSource;
}

/** No known tools. */
export const NO_TOOLS: ToolTable = { isComplete: false, tools: new Map() };

/** Tool tables by the agent name in `# @agent`; the empty name is the default agent of requests without one. */
export type AgentTools = ReadonlyMap<string, ToolTable>;

export const NO_AGENT_TOOLS: AgentTools = new Map();

/** The maximum length of JSON Schemas that are read as a whole. */
export const LONGEST_SCHEMA = 1 << 16;

/** A table with more tools is treated as incomplete. */
export const MAX_TOOLS = 100_000;

/**
 * Merges tables; of several declarations of a tool the first one counts. What an agent reports takes
 * precedence over files.
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
  return { isComplete: tools.size <= MAX_TOOLS && tables.some(table => table.isComplete), tools };
}

/** Adds declarations from files to the tools that an agent reports by name only. */
function fillIn(live: ToolTable, files: ToolTable): ToolTable {
  const tools = new Map([...live.tools].map(([name, tool]) => [name, tool ?? files.tools.get(name)]));
  return { ...live, tools };
}

/** The end of a sentence about tools that an agent reported; empty if they come from files. */
export function showSource({ live }: ToolTable): string {
  return live ? `, as ${live.agent.slice(0, LONGEST_AGENT)} reported ${live.when}` : '';
}

const LONGEST_AGENT = 200;

/** Merges the tool tables of several files by agent; earlier files take precedence. */
export function joinAgentTools(files: readonly AgentTools[]): AgentTools {
  const tables = new Map<string, ToolTable[]>();
  for (const file of files) {
    for (const [agent, table] of file) {
      // An agent that is only called has an empty table.
      if (table.tools.size === 0 && !table.isComplete) continue;
      const known = tables.get(agent);
      if (known) known.push(table);
      else tables.set(agent, [table]);
    }
  }
  return new Map([...tables].map(([agent, list]) => [agent, joinTables(list)]));
}

/** True if both have the same tables for the same agents. */
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

/** Maximum number of characters shown of a signature or description, because a line may hold megabytes. */
const MAX_SHOWN = 2_000;
/** Maximum number of characters shown next to a name in a list. */
export const LONGEST_DETAIL = 200;
/** Maximum number of values listed for an argument. */
const MAX_VALUES = 50;

/** The call of a tool in a readable notation: `figma.getFile (fileKey: string, version?: string)`. */
export function showSignature(tool: ToolDeclaration): string {
  const shown = tool.arguments.map(
    argument => `${argument.name}${argument.isOptional ? '?' : ''}: ${argument.type}`,
  );
  return `${tool.name} (${shown.join(', ')})`;
}

/** Describes a tool in Markdown: its signature, its description and, if an agent reported it, the source. */
export function describeTool(tool: ToolDeclaration, { live }: Pick<ToolTable, 'live'> = {}): string {
  return [
    fenceCode(shorten(showSignature(tool)), 'ts'),
    escapeMarkdown(shorten(tool.description)),
    live ? describeSource(live) : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Describes in Markdown a tool of which only the name is known. */
export function describeListed(name: string, { live }: Pick<ToolTable, 'live'>, who: string): string {
  const head = `**${escapeMarkdown(name)}** (tool)\n\n${who} lists it and does not declare its arguments.`;
  return live ? `${head}\n\n${describeSource(live)}` : head;
}

function describeSource({ agent, when }: NonNullable<ToolTable['live']>): string {
  return `As ${escapeMarkdown(shorten(agent))} reported ${escapeMarkdown(when)}.`;
}

/** Describes an argument in Markdown: its type, the description from its schema and the allowed values. */
export function describeArgument(argument: ArgumentDeclaration): string {
  const { name, type, isOptional, description = '', values = [] } = argument;
  const shown = values.slice(0, MAX_VALUES).map(value => `- ${escapeMarkdown(shorten(value))}`);
  const more = values.length > MAX_VALUES ? [`- and ${values.length - MAX_VALUES} more`] : [];
  return [
    `**${escapeMarkdown(name)}**: ${escapeMarkdown(type)}${isOptional ? ', optional' : ''}`,
    escapeMarkdown(shorten(description)),
    shown.length > 0 ? `One of:\n\n${[...shown, ...more].join('\n')}` : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
