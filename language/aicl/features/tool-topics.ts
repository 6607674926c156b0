import { describeTool } from '../../tools.ts';
import type { AiclDocument } from '../document.ts';
import { describeTopic } from './topics.ts';

const TOOL = 'tool ';

/** The topic of a declared tool: the agent's name in the document, then the tool's name. */
export function toolTopic(doc: AiclDocument, table: object, name: string): string {
  const agent = [...doc.others].find(([, known]) => known === table)?.[0] ?? '';
  return `${TOOL}${agent}\n${name}`;
}

/** The documentation of a topic, `kind name`; undefined for an unknown topic. */
export function describe(doc: AiclDocument, topic: string): string | undefined {
  if (!topic.startsWith(TOOL)) return describeTopic(topic);
  const end = topic.indexOf('\n');
  const table = doc.others.get(topic.slice(TOOL.length, end));
  const tool = table?.tools.get(topic.slice(end + 1));
  return tool && describeTool(tool, table);
}
