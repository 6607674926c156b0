import type { ParsedText } from '../support.ts';
import { NO_AGENT_TOOLS, type AgentTools } from '../tools.ts';
import type { AicfDialect } from '../../core/catalog/languages.ts';
import type { Settings } from '../../core/catalog/settings.ts';
import type { TextEdit } from '../../core/text/edit.ts';
import { SourceText } from '../../core/text/source-text.ts';
import { trimEndOf } from '../../core/text/trim.ts';
import type { WorkCounter } from '../work.ts';
import { fieldSource, findCredential, type AicfLine } from './ast.ts';
import { cutBlocks, type Block } from './blocks.ts';
import { detectDialect } from './dialect.ts';
import { parseLine } from './parser.ts';
import { scanForeign, scanLine } from './scanner.ts';
import { lineSource, type TextLines } from './line-source.ts';

/**
 * A parsed `.aicf` file. Each line is read on request, because that is cheaper than storing a tree for every
 * line of a large file. What file-wide questions need from lines is cached by block, so that an edit causes
 * only the lines of the changed blocks to be read again.
 */
export interface AicfDocument extends ParsedText {
  readonly blocks: readonly Block[];
  readonly dialect: AicfDialect;
  /** The same object for a document and all versions that edits make of it. */
  readonly lineage: object;
  /** Tools that other files and agents themselves report for agents that this file may name. */
  readonly others: AgentTools;
  /** Counts the work of reading; undefined outside tests. */
  readonly work: WorkCounter | undefined;
}

/** Parses a file; never fails. */
export function parseAicf(text: string, settings: Settings, work?: WorkCounter): AicfDocument {
  if (work) work.count += text.length;
  return toDocument(SourceText.of(text), { settings, work, lineage: {} });
}

/** The document after an edit; equivalent to `parseAicf` of the new text. */
export function editAicf(doc: AicfDocument, edit: TextEdit): AicfDocument {
  if (doc.work) doc.work.count += edit.newText.length;
  const text = doc.text.edit(edit);
  return toDocument(text, doc, cutBlocks(text, doc.blocks));
}

/** Creates a document from a text and its blocks. */
export function toDocument(
  text: SourceText,
  {
    settings,
    work,
    lineage,
    others = NO_AGENT_TOOLS,
  }: Pick<AicfDocument, 'settings' | 'work' | 'lineage'> & Partial<Pick<AicfDocument, 'others'>>,
  blocks = cutBlocks(text),
): AicfDocument {
  const file = { text, blocks };
  const chosen = settings['aicf.dialect'];
  return {
    ...file,
    settings,
    dialect: chosen === 'auto' ? detectDialect(file) : chosen,
    lineage,
    others,
    work,
  };
}

/**
 * Reads one line, given without its line end, into its tree (AICF-RPC 1.0, "Protocol Format"). The scanner
 * handles valid lines and plain foreign text; the grammar reads the rest and reports the faults.
 */
export function readLine(line: string, work?: WorkCounter): AicfLine {
  if (work) work.count += line.length;
  return scanLine(line) ?? scanForeign(line) ?? parseLine(line, work);
}

const AUTH = 'AUTH:';

/** The credential in the text of a request: what follows `AUTH:` in its last field, raw. */
export function findAicfCredential(request: string): string | undefined {
  const text = trimEndOf(request, '\r\n');
  const line = readLine(text);
  const field = findCredential(text, line);
  return field === undefined ? undefined : fieldSource(text, line, field).slice(AUTH.length);
}

/** A text whose lines can be read, with an optional counter of that work. */
export interface ReadableLines extends TextLines {
  readonly work?: WorkCounter | undefined;
}

/** One line of a document: its tree, its text without the line end, and its position in the document. */
export interface PlacedLine {
  /** Counted from 0. */
  readonly number: number;
  /** The document offset to which the tree's offsets are relative; on the first line after a BOM. */
  readonly start: number;
  readonly text: string;
  readonly tree: AicfLine;
}

/** Lines of this length or more are cached when read, because their tree may contain millions of delimiters. */
const LONG = 1 << 16;

/** The last long line that was read, per document. */
const LONG_LINES = new WeakMap<ReadableLines, PlacedLine>();

/** Reads one line of a document, counted from 0. */
export function readLineAt(doc: ReadableLines, number: number): PlacedLine {
  const known = LONG_LINES.get(doc);
  if (known?.number === number) return known;
  const { start, text } = lineSource(doc, number);
  const line = { number, start, text, tree: readLine(text, doc.work) };
  if (text.length >= LONG) LONG_LINES.set(doc, line);
  return line;
}

/** Reads all lines of a document lazily, without retaining the lines already returned. */
export function* listLines(doc: ReadableLines): Generator<PlacedLine, void> {
  for (let number = 0; number < doc.text.lineCount; number++) yield readLineAt(doc, number);
}
