import type { ParsedText } from '../language/support.ts';
import type { Settings } from '../catalog/settings.ts';
import { SourceText } from '../text/source-text.ts';
import type { WorkCounter } from '../text/work.ts';
import type { AicfLine } from './ast.ts';
import { detectDialect, type AicfDialect } from './context.ts';
import { parseLine } from './parser.ts';
import { scanLine } from './scanner.ts';

/**
 * A parsed `.aicf` file. Lines are its units: each is read when it is asked for, because reading one is cheaper than
 * keeping a tree for every line of a large file, and an edit then re-reads the lines that it touched and no others.
 */
export interface AicfDocument extends ParsedText {
  readonly dialect: AicfDialect;
  /** Where readers of the document count their work; undefined outside tests. */
  readonly work: WorkCounter | undefined;
}

/** Reads a file: never fails, whatever the text. */
export function parseAicf(text: string, settings: Settings, work?: WorkCounter): AicfDocument {
  if (work) work.count += text.length;
  const source = SourceText.of(text);
  return {
    text: source,
    lines: source,
    settings,
    dialect: detectDialect({ text: source, lines: source }),
    work,
  };
}

/**
 * Reads one line, given without its line end, into its tree (AICF-RPC 1.0, "Protocol Format"). What the scanner
 * accepts needs no grammar; the grammar reads the rest and names what is wrong.
 */
export function readLine(line: string, work?: WorkCounter): AicfLine {
  if (work) work.count += line.length;
  return scanLine(line) ?? parseLine(line, work);
}
