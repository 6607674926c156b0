import { AICF_TYPES } from '../core/catalog/aicf.ts';
import { LANGUAGES, type LanguageId } from '../core/catalog/languages.ts';
import { MOST_TOOLS, type ArgumentDeclaration, type ToolDeclaration } from '../language/tools.ts';
import { asList } from '../core/text/fields.ts';
import { isRecord } from '../core/guard.ts';

/** Client to server, a notification: what agents said of their tools. Each one says all that is known. */
export const AGENT_TOOLS = 'parley/agentTools';

export interface AgentToolsParams {
  readonly agents: readonly LiveAgent[];
  /** Who gets a request above which nobody is named, by its language. */
  readonly usual: Partial<Readonly<Record<LanguageId, string>>>;
}

/** An agent that was asked for its tools. */
export interface LiveAgent {
  readonly name: string;
  /** When it was asked, as milliseconds since 1970. */
  readonly at: number;
  readonly tools: readonly LiveTool[];
  /** True of an agent that takes calls of other names as well. */
  readonly isOpen?: boolean;
}

export interface LiveTool {
  readonly name: string;
  /** What it takes; undefined where the agent told nothing but its name. */
  readonly declaration?: ToolDeclaration;
}

/** What a client sent, without what is of another form: it comes from another process. */
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
  return [{ name, at, tools: asList(tools).slice(0, MOST_TOOLS).flatMap(readTool), ...isOpen }];
}

function readTool(value: unknown): readonly LiveTool[] {
  if (!isRecord(value) || typeof value['name'] !== 'string') return [];
  const { name } = value;
  const declaration = readDeclaration(value['declaration']);
  return [{ name, ...(declaration ? { declaration } : {}) }];
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
