import type { ToolDeclaration, ToolTable } from '../../tools.ts';
import type { Span } from '../../../core/text/span.ts';
import { isContainerLine } from '../ast.ts';
import { findBlock } from '../blocks.ts';
import { collectTools, NO_TOOLS } from '../file-tools.ts';
import { readLineAt, type AicfDocument } from '../parse.ts';

/**
 * The tools known for the calls in a span: declarations of the agent in this file and, if the file names the
 * agent, in other files. With several agents in the span, only tools that all of them declare alike, because
 * a table does not record which agent a tool belongs to.
 */
export function tools(doc: AicfDocument, within: Span): ToolTable {
  if (doc.dialect === 'context') return NO_TOOLS;
  const { stretches, of } = collectTools(doc);
  if (!stretches) return of('');
  const lines = { first: doc.text.lineAt(within.start), end: doc.text.lineAt(within.end) + 1 };
  const agents = new Set<string>();
  for (let index = findBlock(doc.blocks, lines.first); index < doc.blocks.length; index++) {
    const { firstLine, lineEnd } = doc.blocks[index] ?? { firstLine: Infinity, lineEnd: 0 };
    if (firstLine >= lines.end) break;
    const own = stretches[index] ?? [];
    for (const [at, { line, agent }] of own.entries()) {
      const next = own[at + 1]?.line;
      const end = next === undefined ? lineEnd : firstLine + next;
      if (
        !agents.has(agent) &&
        hasMessage(doc, Math.max(firstLine + line, lines.first), Math.min(end, lines.end))
      )
        agents.add(agent);
    }
  }
  return joinAgreed([...agents].map(of));
}

/** True if one of the lines `[from, to)` is not a container line; usually the first is not. */
function hasMessage(doc: AicfDocument, from: number, to: number): boolean {
  for (let number = from; number < to; number++)
    if (!isContainerLine(readLineAt(doc, number).tree)) return true;
  return false;
}

function joinAgreed([first, ...others]: readonly ToolTable[]): ToolTable {
  if (!first || others.length === 0) return first ?? NO_TOOLS;
  const isAgreed = ([name, tool]: [string, ToolDeclaration | undefined]): boolean =>
    tool !== undefined && others.every(({ tools }) => terms(tools.get(name)) === terms(tool));
  return { isComplete: false, tools: new Map([...first.tools].filter(isAgreed)) };
}

function terms(tool: ToolDeclaration | undefined): string {
  return JSON.stringify(
    tool?.arguments.map(({ name, type, isOptional }) => [name, type, isOptional]) ?? null,
  );
}
