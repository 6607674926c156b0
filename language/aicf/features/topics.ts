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
} from '../../../core/catalog/describe.ts';
import { describeDirectiveName } from '../../directive-help.ts';
import { describeTool } from '../../tools.ts';
import { collectTools, type KnownTools } from '../file-tools.ts';
import type { AicfDocument } from '../parse.ts';

/** Documentation by kind of topic and the name after it. Topics come back from clients, so any text must be handled. */
const TOPICS = new Map<string, (doc: AicfDocument, name: string) => string | undefined>([
  ['command', (_doc, name) => report(findCommand(name), describeCommand)],
  ['code', (_doc, name) => report(findErrorCode(name), describeErrorCode)],
  ['type', (_doc, name) => report(findArgumentType(name), describeArgumentType)],
  ['section', (_doc, name) => report(findContextSection(name), describeContextSection)],
  ['tool', (doc, name) => describeKnown(collectTools(doc).of(''), name)],
  ['agent-tool', describeAgentTool],
  ['directive', (_doc, name) => describeDirectiveName(name)],
]);

/** The documentation of a topic, `kind name`; undefined for an unknown topic. */
export function describe(doc: AicfDocument, topic: string): string | undefined {
  const space = topic.indexOf(' ');
  return TOPICS.get(topic.slice(0, space))?.(doc, topic.slice(space + 1));
}

function report<Row>(row: Row | undefined, describeRow: (row: Row) => string): string | undefined {
  return row === undefined ? undefined : describeRow(row);
}

/** The topic of a tool. An agent name cannot contain a line end, because a line end terminates its directive. */
export function toolTopic({ agent }: KnownTools, name: string): string {
  return agent === '' ? `tool ${name}` : `agent-tool ${agent}\n${name}`;
}

function describeAgentTool(doc: AicfDocument, names: string): string | undefined {
  const end = names.indexOf('\n');
  return describeKnown(collectTools(doc).of(names.slice(0, end)), names.slice(end + 1));
}

function describeKnown(known: KnownTools, name: string): string | undefined {
  return report(known.tools.get(name), tool => describeTool(tool, known));
}
