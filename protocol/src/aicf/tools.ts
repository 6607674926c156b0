import { findArgumentType, type AicfTypeName } from '../catalog/aicf.ts';
import type { Span } from '../text/span.ts';
import { fieldSource, fieldText, findFieldSpan, type AicfLine } from './ast.ts';
import { decodeField } from './codec.ts';
import { listLines } from './lines.ts';
import type { AicfDocument } from './parse.ts';

/** An argument as a `TOOL` line declares it (AICF-RPC 1.0, "INFO"). */
export interface ArgumentDeclaration {
  readonly name: string;
  /** `any` where the line names no type or an unknown one. */
  readonly type: AicfTypeName;
  readonly isOptional: boolean;
  /** The type as written, in the line, without `?`; undefined where the field has no `:`. */
  readonly typeSpan: Span | undefined;
}

/** A tool as the file's own `TOOL` line declares it. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly ArgumentDeclaration[];
}

/** What the `TOOLS` and `TOOL` lines of a file say. */
export interface ToolTable {
  /** True where a `TOOLS` line lists tools: a name that no line has is then unknown. */
  readonly isComplete: boolean;
  /** Every name of a tool; undefined stands for a tool that is named and not declared. */
  readonly tools: ReadonlyMap<string, ToolDeclaration | undefined>;
}

const FIRST_ARGUMENT = 2;
/** A tool with more arguments counts as named, not declared; a file with more tools as one that lists not all. */
const MOST_ARGUMENTS = 1_000;
const MOST_TOOLS = 100_000;

/** Collects the tools that a file names. Several lists count together; the last declaration of a tool counts. */
export function collectTools(doc: AicfDocument): ToolTable {
  const tools = new Map<string, ToolDeclaration | undefined>();
  let isComplete = false;
  // Most files declare no tool; one search then saves a pass over the lines.
  if (!doc.text.chunks.some(chunk => chunk.text.includes('TOOL'))) return { isComplete, tools };
  for (const { text, tree } of listLines(doc)) {
    if (tree.command === 'TOOL') {
      const name = fieldText(text, tree, 0);
      const isTooLong = tree.pipes.length > FIRST_ARGUMENT + MOST_ARGUMENTS;
      if (name !== '') tools.set(name, isTooLong ? undefined : readToolDeclaration(text, tree));
    } else if (tree.command === 'TOOLS') {
      isComplete = true;
      const count = Math.min(tree.pipes.length, MOST_TOOLS + 1);
      for (let index = 0; index < count; index++) {
        const name = fieldText(text, tree, index);
        if (name !== '' && !tools.has(name)) tools.set(name, undefined);
      }
    }
  }
  return { isComplete: isComplete && tools.size <= MOST_TOOLS, tools };
}

/** Reads a `TOOL` line. Empty argument fields declare nothing. */
export function readToolDeclaration(text: string, line: AicfLine): ToolDeclaration {
  const declared: ArgumentDeclaration[] = [];
  for (let index = FIRST_ARGUMENT; index < line.pipes.length; index++) {
    const argument = readArgument(text, line, index);
    if (argument) declared.push(argument);
  }
  return { name: fieldText(text, line, 0), description: fieldText(text, line, 1), arguments: declared };
}

/** Reads an argument's field: the type follows the last `:`, a `?` at the end marks it optional. */
function readArgument(text: string, line: AicfLine, index: number): ArgumentDeclaration | undefined {
  const span = findFieldSpan(line, index);
  const raw = fieldSource(text, line, index);
  if (!span || raw === '') return undefined;
  const isOptional = raw.endsWith('?');
  const end = raw.length - (isOptional ? 1 : 0);
  const colon = raw.lastIndexOf(':', end - 1);
  if (colon === -1 || end === 0) {
    return { name: decodeField(raw.slice(0, end)), type: 'any', isOptional, typeSpan: undefined };
  }
  return {
    name: decodeField(raw.slice(0, colon)),
    type: findArgumentType(raw.slice(colon + 1, end))?.name ?? 'any',
    isOptional,
    typeSpan: { start: span.start + colon + 1, end: span.start + end },
  };
}

/** A tool's call as people write it: `figma.getFile (fileKey: string, version?: string)`. */
export function showSignature(tool: ToolDeclaration): string {
  const shown = tool.arguments.map(
    argument => `${argument.name}${argument.isOptional ? '?' : ''}: ${argument.type}`,
  );
  return `${tool.name} (${shown.join(', ')})`;
}
