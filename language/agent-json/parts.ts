import type { Span } from '../../core/text/span.ts';
import type { ArgumentSchema } from '../json/argument-schema.ts';
import { joinTables, showSource, type ToolDeclaration, type ToolTable } from '../tools.ts';
import type { AgentJsonDocument } from './parse.ts';
import { memberAt, textAt, type AgentJsonItem } from './requests.ts';

/** A value of a request that has a schema of its own. */
export interface SchemaPart extends Span {
  readonly schema: ArgumentSchema;
  /** The end of a sentence about a fault: where the schema comes from. */
  readonly source: string;
}

/** Longer values are not checked, because they are read at each key press. */
const LONGEST_READ = 1 << 16;

/** The values of a request with a schema: the request itself, its parameters, and the arguments of a tool. */
export function listParts(doc: AgentJsonDocument, item: AgentJsonItem): readonly SchemaPart[] {
  const { value, protocol, method } = item;
  if (!protocol || item.kind !== 'request' || value.end - value.start > LONGEST_READ) return [];
  const known = doc.schemas.get(protocol.name);
  const params = memberAt(doc, value, ['params'])?.value;
  const own = method === undefined ? undefined : known?.methods.get(method)?.params;
  const called = findCall(doc, item);
  const schema = called?.tool?.schema?.json?.whole();
  const source = ` of ${protocol.short}`;
  const place = ({ start, end }: Span): Span => ({ start, end });
  return [
    ...(known?.request ? [{ ...place(value), schema: known.request, source }] : []),
    ...(own && params ? [{ ...place(params), schema: own, source }] : []),
    ...(called?.arguments && schema
      ? [{ ...place(called.arguments), schema, source: showSource(called.table) }]
      : []),
  ];
}

/** The innermost value with a schema at an offset. */
export function partAt(doc: AgentJsonDocument, item: AgentJsonItem, offset: number): SchemaPart | undefined {
  return listParts(doc, item).findLast(({ start, end }) => start < offset && offset < end);
}

/** A call of a tool. */
export interface CalledTool {
  readonly name: string;
  /** The span of the name with its quotation marks. */
  readonly nameSpan: Span;
  readonly arguments: Span | undefined;
  readonly table: ToolTable;
  readonly tool: ToolDeclaration | undefined;
}

/** The tool that a request calls; undefined for any other request. */
export function findCall(doc: AgentJsonDocument, item: AgentJsonItem): CalledTool | undefined {
  const facts = item.protocol?.requests?.tool;
  if (!facts || facts.method !== item.method) return undefined;
  const name = textAt(doc, item.value, facts.name);
  const nameSpan = memberAt(doc, item.value, facts.name)?.value;
  if (name === undefined || !nameSpan) return undefined;
  const table = toolsOf(doc, item);
  return {
    name,
    nameSpan,
    arguments: memberAt(doc, item.value, facts.arguments)?.value,
    table,
    tool: table.tools.get(name),
  };
}

/** The tools of the agent that a request goes to; of the usual agent if it names none. */
export function toolsOf({ others }: AgentJsonDocument, { directives }: AgentJsonItem): ToolTable {
  return others.get(directives.agent ?? '') ?? joinTables([]);
}
