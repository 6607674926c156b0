import { AICF_TYPES } from '../core/catalog/aicf.ts';
import { LANGUAGES, type LanguageId } from '../core/catalog/languages.ts';
import {
  LONGEST_SCHEMA,
  MAX_TOOLS,
  type ArgumentDeclaration,
  type ToolDeclaration,
} from '../language/tools.ts';
import { asList } from '../core/text/fields.ts';
import { isRecord } from '../core/guard.ts';

/**
 * Client to server, a notification: the tools that agents have
 * reported. Each notification is complete and replaces the last one.
 */
export const AGENT_TOOLS = 'parley/agentTools';

export interface AgentToolsParams {
  readonly agents: readonly LiveAgent[];
  /** The agent, by language, of requests that name none. */
  readonly usual: Partial<Readonly<Record<LanguageId, string>>>;
}

/** An agent whose tools were listed. */
export interface LiveAgent {
  readonly name: string;
  /** When the tools were listed, in milliseconds since 1970. */
  readonly at: number;
  readonly tools: readonly LiveTool[];
  /** True if the agent also accepts calls to other tools. */
  readonly isOpen?: boolean;
}

export interface LiveTool {
  readonly name: string;
  /** The parameters of the tool; undefined if the agent reported only its name. */
  readonly declaration?: ToolDeclaration;
  /** The JSON Schema of the parameters, as text; undefined if there is none or it is too long. */
  readonly schema?: string;
}

/** The maximum length of all schemas of an agent. */
const LONGEST_SCHEMAS = 1 << 23;

/** The tools of an agent as they are sent, with their schemas as far as those are not too long. */
export function toLiveTools(
  tools: readonly {
    readonly name: string;
    readonly declaration: ToolDeclaration | undefined;
    readonly schema: string | undefined;
  }[],
): readonly LiveTool[] {
  let left = LONGEST_SCHEMAS;
  return tools.map(({ name, declaration, schema }) => {
    if (!declaration) return { name };
    const { length } = schema ?? '';
    if (schema === undefined || length > Math.min(LONGEST_SCHEMA, left)) return { name, declaration };
    left -= length;
    return { name, declaration, schema };
  });
}

/** Parses the parameters from a client and drops invalid parts. */
export function readAgentTools(value: unknown): AgentToolsParams {
  const params: Readonly<Record<string, unknown>> = isRecord(value) ? value : {};
  const usual: Readonly<Record<string, unknown>> = isRecord(params['usual']) ? params['usual'] : {};
  const named = LANGUAGES.flatMap(({ id }) => {
    const name = usual[id];
    return typeof name === 'string' ? [[id, name] as const] : [];
  });
  return {
    agents: asList(params['agents']).flatMap(readAgent),
    usual: Object.fromEntries(named),
  };
}

function readAgent(value: unknown): readonly LiveAgent[] {
  if (!isRecord(value)) return [];
  const { name, at, tools } = value;
  if (typeof name !== 'string' || typeof at !== 'number') return [];
  const isOpen = value['isOpen'] === true ? { isOpen: true } : {};
  return [{ name, at, tools: asList(tools).slice(0, MAX_TOOLS).flatMap(readTool), ...isOpen }];
}

function readTool(value: unknown): readonly LiveTool[] {
  if (!isRecord(value) || typeof value['name'] !== 'string') return [];
  const { name, schema } = value;
  const declaration = readDeclaration(value['declaration']);
  const isRead = typeof schema === 'string' && schema.length <= LONGEST_SCHEMA;
  return [{ name, ...(declaration ? { declaration } : {}), ...(isRead ? { schema } : {}) }];
}

function readDeclaration(value: unknown): ToolDeclaration | undefined {
  if (!isRecord(value) || typeof value['name'] !== 'string' || typeof value['description'] !== 'string')
    return undefined;
  const { name, description, schema } = value;
  return {
    name,
    description,
    arguments: asList(value['arguments']).flatMap(readArgument),
    ...(isRecord(schema) ? { schema: { isOpen: schema['isOpen'] === true } } : {}),
  };
}

function readArgument(value: unknown): readonly ArgumentDeclaration[] {
  if (!isRecord(value) || typeof value['name'] !== 'string') return [];
  const { name, type, isOptional, description } = value;
  const values = asList(value['values']).filter(each => typeof each === 'string');
  return [
    {
      name,
      type: AICF_TYPES.find(row => row.name === type)?.name ?? 'any',
      isOptional: isOptional === true,
      typeSpan: undefined,
      span: { start: 0, end: 0 },
      ...(typeof description === 'string' ? { description } : {}),
      ...(values.length > 0 ? { values } : {}),
    },
  ];
}
