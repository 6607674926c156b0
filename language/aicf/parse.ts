import type { ParsedText } from '../support.ts';
import { NO_AGENT_TOOLS, type AgentTools } from '../tools.ts';
import type { AicfDialect } from '../../core/catalog/aicf-dialects.ts';
import type { Settings } from '../../core/catalog/settings.ts';
import type { TextEdit } from '../../core/text/edit.ts';
import { SourceText } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../../core/text/work.ts';
import type { AicfLine } from './ast.ts';
import { cutBlocks, type Block } from './blocks.ts';
import { detectDialect } from './dialect.ts';
import { parseLine } from './parser.ts';
import { scanForeign, scanLine } from './scanner.ts';

/**
 * A parsed `.aicf` file. Lines are its units: each is read when it is asked for, because reading one is cheaper than
 * keeping a tree for every line of a large file. What a file-wide question needs to know of lines is kept by block, so
 * that after an edit only the lines of the blocks that it touched are read again.
 */
export interface AicfDocument extends ParsedText {
  readonly blocks: readonly Block[];
  readonly dialect: AicfDialect;
  /** The same for a document and all that edits make of it. */
  readonly lineage: object;
  /** What other files and agents themselves say of agents that this one may name. */
  readonly others: AgentTools;
  /** Where readers of the document count their work; undefined outside tests. */
  readonly work: WorkCounter | undefined;
}

/** Reads a file: never fails, whatever the text. */
export function parseAicf(text: string, settings: Settings, work?: WorkCounter): AicfDocument {
  if (work) work.count += text.length;
  return toDocument(SourceText.of(text), { settings, work, lineage: {} });
}

/** The document after an edit of its text: the same answers as `parseAicf` of the new text gives. */
export function editAicf(doc: AicfDocument, edit: TextEdit): AicfDocument {
  if (doc.work) doc.work.count += edit.newText.length;
  const text = doc.text.edit(edit);
  return toDocument(text, doc, cutBlocks(text, doc.blocks));
}

/** The document of a text that is cut up already. */
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
 * Reads one line, given without its line end, into its tree (AICF-RPC 1.0, "Protocol Format"). What the scanner
 * accepts needs no grammar, nor does plain foreign text; the grammar reads the rest and names what is wrong.
 */
export function readLine(line: string, work?: WorkCounter): AicfLine {
  if (work) work.count += line.length;
  return scanLine(line) ?? scanForeign(line) ?? parseLine(line, work);
}
