import { findArgumentType } from '../../core/catalog/aicf.ts';
import { MAX_TOOLS, type ArgumentDeclaration, type ToolDeclaration, type ToolTable } from '../tools.ts';
import type { WorkCounter } from '../work.ts';
import { fieldSource, fieldText, findFieldSpan, type AicfLine } from './ast.ts';
import { decodeField } from './codec.ts';
import { readLine } from './parse.ts';

const FIRST_ARGUMENT = 2;
/** A tool with more arguments counts as listed without a declaration. */
const MAX_ARGUMENTS = 1_000;

/** Reads `TOOL` and `TOOLS` lines into one table; the last declaration of a tool wins. */
export function readTable(lines: readonly string[], work: WorkCounter | undefined): ToolTable {
  const tools = new Map<string, ToolDeclaration | undefined>();
  let isComplete = false;
  for (const text of lines) {
    const tree = readLine(text, work);
    if (tree.command === 'TOOL') {
      const name = fieldText(text, tree, 0);
      const isTooLong = tree.pipes.length > FIRST_ARGUMENT + MAX_ARGUMENTS;
      if (name !== '') tools.set(name, isTooLong ? undefined : readToolDeclaration(text, tree));
    } else if (tree.command === 'TOOLS') {
      isComplete = true;
      const count = Math.min(tree.pipes.length, MAX_TOOLS + 1);
      for (let index = 0; index < count; index++) {
        const name = fieldText(text, tree, index);
        if (name !== '' && !tools.has(name)) tools.set(name, undefined);
      }
    }
  }
  return { isComplete: isComplete && tools.size <= MAX_TOOLS, tools };
}

/** Serializes what affects the check of calls, for comparison. */
export function describeTerms({ isComplete, tools, live }: ToolTable): string {
  const declared = [...tools].map(([name, tool]) => [
    name,
    tool?.arguments.map(argument => [argument.name, argument.type, argument.isOptional]),
    tool?.schema,
  ]);
  return JSON.stringify([isComplete, declared, live]);
}

/** Reads a `TOOL` line. Empty argument fields are ignored. */
export function readToolDeclaration(text: string, line: AicfLine): ToolDeclaration {
  const declared: ArgumentDeclaration[] = [];
  for (let index = FIRST_ARGUMENT; index < line.pipes.length; index++) {
    const argument = readArgument(text, line, index);
    if (argument) declared.push(argument);
  }
  return { name: fieldText(text, line, 0), description: fieldText(text, line, 1), arguments: declared };
}

/** Reads an argument's field: the type follows the last `:`; a `?` at the end marks it as optional. */
function readArgument(text: string, line: AicfLine, index: number): ArgumentDeclaration | undefined {
  const span = findFieldSpan(line, index);
  const raw = fieldSource(text, line, index);
  if (!span || raw === '') return undefined;
  const isOptional = raw.endsWith('?');
  const end = raw.length - (isOptional ? 1 : 0);
  const colon = raw.lastIndexOf(':', end - 1);
  if (colon === -1 || end === 0) {
    return {
      name: decodeField(raw.slice(0, end), 'response'),
      type: 'any',
      isOptional,
      typeSpan: undefined,
      span,
    };
  }
  return {
    name: decodeField(raw.slice(0, colon), 'response'),
    type: findArgumentType(raw.slice(colon + 1, end))?.name ?? 'any',
    isOptional,
    typeSpan: { start: span.start + colon + 1, end: span.start + end },
    span,
  };
}
