import { readJsonValue } from '../../language/values/json-reader.ts';
import type { AgentTools } from '../../language/tools.ts';
import { dictValue, textValue } from '../../core/values/value.ts';
import { readDeclaration } from '../../protocols/tools/tool-schema.ts';
import { LiveTools } from '../../server/src/live-tools.ts';
import { readAgentTools } from '../../wire/live-tools.ts';

/** The tools of a default agent that reports one tool with a JSON Schema, as the server gets them. */
export function toolsWithSchema(schema: string, name = 't'): AgentTools {
  const tool = dictValue([
    { key: 'name', value: textValue(name) },
    { key: 'inputSchema', value: readJsonValue(schema) },
  ]);
  const tools = [{ name, declaration: readDeclaration(tool), schema }];
  const live = new LiveTools();
  live.use(readAgentTools({ agents: [{ name: 'demo', at: 0, tools }], usual: { aicf: 'demo' } }));
  return live.of('aicf');
}
