import {
  LONGEST_DETAIL,
  showSignature,
  type ArgumentDeclaration,
  type ToolDeclaration,
  type ToolTable,
} from '../../tools.ts';
import { findPair, textOf, type AiclNode, type DictNode } from '../ast.ts';
import { toolsAt } from '../call-tools.ts';
import type { Cursor } from '../cursor.ts';
import type { AiclDocument } from '../document.ts';
import { pairsOf } from '../summary.ts';

/** The declaration of the tool in a call, as its agent reports it. */
export interface DeclaredTool {
  readonly table: ToolTable;
  readonly name: string;
  /** Undefined if only the name is known. */
  readonly tool: ToolDeclaration | undefined;
}

/** The declared tool of the call at a cursor; undefined if nothing is known about it. */
export function findDeclared(doc: AiclDocument, cursor: Cursor): DeclaredTool | undefined {
  if (cursor.unit.summary.messageType !== 'tool_call') return undefined;
  const table = toolsAt(doc, cursor.unit.start + cursor.offset);
  const base = cursor.unit.start;
  const value = table && findPair(doc.text, base, pairsOf(cursor.reading), 'tool')?.value;
  if (!table || value?.kind !== 'text') return undefined;
  const name = textOf(doc.text, base, value);
  return table.tools.has(name) ? { table, name, tool: table.tools.get(name) } : undefined;
}

/** Returns `container` if it is the parameters of a call; otherwise undefined. */
export function findParams(
  doc: AiclDocument,
  cursor: Cursor,
  container: AiclNode | undefined,
): DictNode | undefined {
  if (cursor.unit.summary.messageType !== 'tool_call' || container?.kind !== 'dict') return undefined;
  const params = findPair(doc.text, cursor.unit.start, pairsOf(cursor.reading), 'params')?.value;
  return params?.kind === 'dict' && params.start === container.start ? params : undefined;
}

/** The argument whose key or value is at a cursor; undefined outside the parameters of a call. */
export function findArgument(doc: AiclDocument, cursor: Cursor): ArgumentDeclaration | undefined {
  const { pair, path, atom } = cursor;
  if (!pair) return undefined;
  const container = path.filter(node => node !== pair.value && node !== atom).at(-1);
  if (!findParams(doc, cursor, container)) return undefined;
  const key = textOf(doc.text, cursor.unit.start, pair.key);
  return findDeclared(doc, cursor)?.tool?.arguments.find(({ name }) => name === key);
}

/** A short description of a tool for a list: its arguments. */
export function detailOf({ table, tool }: Omit<DeclaredTool, 'name'>): string {
  if (!tool) return table.live ? `listed by ${table.live.agent}`.slice(0, LONGEST_DETAIL) : 'listed';
  return showSignature(tool)
    .slice(tool.name.length + 1)
    .slice(0, LONGEST_DETAIL);
}
