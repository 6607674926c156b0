import type { ParsedText } from '../support.ts';
import { NO_AGENT_TOOLS, type AgentTools } from '../tools.ts';
import type { AicfDialect } from '../../core/catalog/languages.ts';
import type { Settings } from '../../core/catalog/settings.ts';
import type { TextEdit } from '../../core/text/edit.ts';
import { SourceText } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../work.ts';
import type { AicfLine } from './ast.ts';
import { cutBlocks, type Block } from './blocks.ts';
import { detectDialect } from './dialect.ts';
import { parseLine } from './parser.ts';
import { scanForeign, scanLine } from './scanner.ts';

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
