import { describeTool } from '../../tool-words.ts';
import type { AiclDocument } from '../document.ts';
import { describeTopic } from './topics.ts';

const TOOL = 'tool ';

/** The topic of a tool that the agent of a message tells of: the agent's name as the document knows it, then the tool's. */
export function toolTopic(doc: AiclDocument, table: object, name: string): string {
  const agent = [...doc.others].find(([, known]) => known === table)?.[0] ?? '';
  return `${TOOL}${agent}\n${name}`;
}

/** The documentation of a topic, `kind name`; undefined for a text that is none. */
export function describe(doc: AiclDocument, topic: string): string | undefined {
  if (!topic.startsWith(TOOL)) return describeTopic(topic);
  const end = topic.indexOf('\n');
  const table = doc.others.get(topic.slice(TOOL.length, end));
  const tool = table?.tools.get(topic.slice(end + 1));
  return tool && describeTool(tool, table);
}
