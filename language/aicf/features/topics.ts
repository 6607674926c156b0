import {
  findArgumentType,
  findCommand,
  findContextSection,
  findErrorCode,
} from '../../../core/catalog/aicf.ts';
import {
  describeArgumentType,
  describeCommand,
  describeContextSection,
  describeErrorCode,
} from '../../../core/catalog/aicf-describe.ts';
import { describeDirectiveName } from '../../directive-help.ts';
import { describeTool } from '../../tool-words.ts';
import { collectTools, type KnownTools } from '../file-tools.ts';
import type { AicfDocument } from '../parse.ts';

/** What is told of each kind of topic by the name that follows it. A client sends topics back: any text may come. */
const TOPICS = new Map<string, (doc: AicfDocument, name: string) => string | undefined>([
  ['command', (_doc, name) => tell(findCommand(name), describeCommand)],
  ['code', (_doc, name) => tell(findErrorCode(name), describeErrorCode)],
  ['type', (_doc, name) => tell(findArgumentType(name), describeArgumentType)],
  ['section', (_doc, name) => tell(findContextSection(name), describeContextSection)],
  ['tool', (doc, name) => describeKnown(collectTools(doc).of(''), name)],
  ['agent-tool', describeAgentTool],
  ['directive', (_doc, name) => describeDirectiveName(name)],
]);

/** The documentation of a topic, `kind name`; undefined for a text that is none. */
export function describe(doc: AicfDocument, topic: string): string | undefined {
  const space = topic.indexOf(' ');
  return TOPICS.get(topic.slice(0, space))?.(doc, topic.slice(space + 1));
}

function tell<Row>(row: Row | undefined, describeRow: (row: Row) => string): string | undefined {
  return row === undefined ? undefined : describeRow(row);
}

/** The topic of a tool. The name of an agent has no line end, for it stands at the end of a line. */
export function toolTopic({ agent }: KnownTools, name: string): string {
  return agent === '' ? `tool ${name}` : `agent-tool ${agent}\n${name}`;
}

function describeAgentTool(doc: AicfDocument, names: string): string | undefined {
  const end = names.indexOf('\n');
  return describeKnown(collectTools(doc).of(names.slice(0, end)), names.slice(end + 1));
}

function describeKnown(known: KnownTools, name: string): string | undefined {
  return tell(known.tools.get(name), tool => describeTool(tool, known));
}
