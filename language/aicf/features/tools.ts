import type { ToolDeclaration, ToolTable } from '../../tools.ts';
import type { Span } from '../../../core/text/span.ts';
import { isContainerLine } from '../ast.ts';
import { findBlock } from '../blocks.ts';
import { collectTools, NO_TOOLS } from '../file-tools.ts';
import { readLineAt } from '../lines.ts';
import type { AicfDocument } from '../parse.ts';

/**
 * What is known of the tools that a span may call: what the whole file declares of the agent that speaks there and, where
 * it names the agent, what other files say. Where several speak only what holds for all of them, because a table does not
 * say whose a tool is.
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

/** True where one of the lines `[from, to)` is no container line: as a rule the first is none. */
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
