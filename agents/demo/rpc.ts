import { TOOLBOX, type DemoTool, type JsonValue } from './tools.ts';

/** Tools as a protocol lists them, by default those of the toolbox. */
export function listTools(tools: readonly DemoTool[] = TOOLBOX): readonly JsonValue[] {
  return tools.map(tool => ({
    name: tool.name,
    description: tool.description,
    inputSchema: schemaOf(tool),
  }));
}

/** The JSON Schema of a tool's arguments. */
function schemaOf(tool: DemoTool): JsonValue {
  return {
    type: 'object',
    properties: Object.fromEntries(tool.arguments.map(each => [each.name, { type: each.type }])),
    required: tool.arguments.filter(each => !each.isOptional).map(each => each.name),
  };
}

/** The id of a request; null for a value that is none. */
export function readId(id: unknown): string | number | null {
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
