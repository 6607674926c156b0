import { LONGEST_DETAIL, showSignature } from '../../tool-words.ts';
import type { ArgumentDeclaration, ToolDeclaration, ToolTable } from '../../tools.ts';
import { findPair, textOf, type AiclNode, type DictNode } from '../ast.ts';
import { toolsAt } from '../call-tools.ts';
import type { Cursor } from '../cursor.ts';
import type { AiclDocument } from '../document.ts';
import { pairsOf } from '../summary.ts';

/** What the agent of a call says of the tool that it names. */
export interface DeclaredTool {
  readonly table: ToolTable;
  readonly name: string;
  /** Undefined where only the name is known. */
  readonly tool: ToolDeclaration | undefined;
}

/** The tool that a message at a cursor calls, as its agent declares it; undefined where nothing is known. */
export function findDeclared(doc: AiclDocument, cursor: Cursor): DeclaredTool | undefined {
  if (cursor.unit.summary.messageType !== 'tool_call') return undefined;
  const table = toolsAt(doc, cursor.unit.start + cursor.offset);
  const base = cursor.unit.start;
  const value = table && findPair(doc.text, base, pairsOf(cursor.reading), 'tool')?.value;
  if (!table || value?.kind !== 'text') return undefined;
  const name = textOf(doc.text, base, value);
  return table.tools.has(name) ? { table, name, tool: table.tools.get(name) } : undefined;
}

/** The parameters of a call, where a dictionary is these. */
export function findParams(
  doc: AiclDocument,
  cursor: Cursor,
  container: AiclNode | undefined,
): DictNode | undefined {
  if (cursor.unit.summary.messageType !== 'tool_call' || container?.kind !== 'dict') return undefined;
  const params = findPair(doc.text, cursor.unit.start, pairsOf(cursor.reading), 'params')?.value;
  return params?.kind === 'dict' && params.start === container.start ? params : undefined;
}

/** The argument whose key or value a cursor is at; undefined outside of the parameters of a call. */
export function findArgument(doc: AiclDocument, cursor: Cursor): ArgumentDeclaration | undefined {
  const { pair, path, atom } = cursor;
  if (!pair) return undefined;
  const container = path.filter(node => node !== pair.value && node !== atom).at(-1);
  if (!findParams(doc, cursor, container)) return undefined;
  const key = textOf(doc.text, cursor.unit.start, pair.key);
  return findDeclared(doc, cursor)?.tool?.arguments.find(({ name }) => name === key);
}

/** A few words on a tool for a list: what it takes. */
export function detailOf({ table, tool }: Omit<DeclaredTool, 'name'>): string {
  if (!tool) return table.live ? `listed by ${table.live.agent}`.slice(0, LONGEST_DETAIL) : 'listed';
  return showSignature(tool)
    .slice(tool.name.length + 1)
    .slice(0, LONGEST_DETAIL);
}
