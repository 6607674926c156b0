import { findArgumentType, type AicfTypeName } from '../catalog/aicf.ts';
import type { Span } from '../text/span.ts';
import type { WorkCounter } from '../text/work.ts';
import { fieldSource, fieldText, findFieldSpan, type AicfLine } from './ast.ts';
import { BlockNotes, isSameList, type Block } from './blocks.ts';
import { decodeField } from './codec.ts';
import { lineSource } from './line-source.ts';
import { readLine, type AicfDocument } from './parse.ts';

/** An argument as a `TOOL` line declares it (AICF-RPC 1.0, "INFO"). */
export interface ArgumentDeclaration {
  readonly name: string;
  /** `any` where the line names no type or an unknown one. */
  readonly type: AicfTypeName;
  readonly isOptional: boolean;
  /** The type as written, in the line, without `?`; undefined where the field has no `:`. */
  readonly typeSpan: Span | undefined;
  /** The whole field, in the line. */
  readonly span: Span;
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

/** The tools that a document names. */
export interface KnownTools extends ToolTable {
  /** The same object as long as calls are held to the same: what a tool says about itself does not count. */
  readonly version: object;
}

const FIRST_ARGUMENT = 2;
/** A tool with more arguments counts as named, not declared; a file with more tools as one that lists not all. */
const MOST_ARGUMENTS = 1_000;
const MOST_TOOLS = 100_000;

/** Collects the tools that a file names. Several lists count together; the last declaration of a tool counts. */
export function collectTools(doc: AicfDocument): KnownTools {
  const named: (readonly string[])[] = [];
  for (const block of doc.blocks) {
    const lines = NAMING_LINES.find(block) ?? NAMING_LINES.set(block, listNamingLines(doc, block));
    if (lines.length > 0) named.push(lines);
  }
  const known = KNOWN.get(doc.lineage);
  if (known && isSameList(known.lines, named)) return known.tools;
  const table = readTable(named.flat(), doc.work);
  const terms = describeTerms(table);
  const version = known?.terms === terms ? known.tools.version : {};
  const tools = { ...table, version };
  KNOWN.set(doc.lineage, { lines: named, tools, terms });
  return tools;
}

/** The lines of each block that may name tools: most blocks have none. */
const NAMING_LINES = new BlockNotes<readonly string[]>();

/** What a document and its earlier versions named last. */
const KNOWN = new WeakMap<
  object,
  { readonly lines: readonly (readonly string[])[]; readonly tools: KnownTools; readonly terms: string }
>();

const NO_LINES: readonly string[] = [];
const NAMING = /^\s*(?:[A-Za-z]+:\s*)?tools?(?![A-Za-z])/i;

function listNamingLines(doc: AicfDocument, block: Block): readonly string[] {
  if (doc.work) doc.work.count += block.end - block.start;
  // One search saves most blocks a pass over their lines; only a word that lies in two chunks escapes it.
  const { chunks } = block.content;
  if (chunks.length === 1 && chunks.every(chunk => !/tool/i.test(chunk.text))) return NO_LINES;
  const lines: string[] = [];
  for (let number = block.firstLine; number < block.lineEnd; number++) {
    const { text } = lineSource(doc, number);
    if (NAMING.test(text)) lines.push(text);
  }
  return lines;
}

function readTable(lines: readonly string[], work: WorkCounter | undefined): ToolTable {
  const tools = new Map<string, ToolDeclaration | undefined>();
  let isComplete = false;
  for (const text of lines) {
    const tree = readLine(text, work);
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

/** What calls are held to, as a text that can be compared. */
function describeTerms({ isComplete, tools }: ToolTable): string {
  const declared = [...tools].map(([name, tool]) => [
    name,
    tool?.arguments.map(argument => [argument.name, argument.type, argument.isOptional]),
  ]);
  return JSON.stringify([isComplete, declared]);
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
    return { name: decodeField(raw.slice(0, end)), type: 'any', isOptional, typeSpan: undefined, span };
  }
  return {
    name: decodeField(raw.slice(0, colon)),
    type: findArgumentType(raw.slice(colon + 1, end))?.name ?? 'any',
    isOptional,
    typeSpan: { start: span.start + colon + 1, end: span.start + end },
    span,
  };
}

/** A tool's call as people write it: `figma.getFile (fileKey: string, version?: string)`. */
export function showSignature(tool: ToolDeclaration): string {
  const shown = tool.arguments.map(
    argument => `${argument.name}${argument.isOptional ? '?' : ''}: ${argument.type}`,
  );
  return `${tool.name} (${shown.join(', ')})`;
}
