import { AICF_COMMANDS } from '../catalog/aicf.ts';
import type { Span } from '../text/span.ts';
import { splitFields } from './characters.ts';
import { lineSource, type TextLines } from './line-source.ts';

/** The two dialects of `.aicf`: AICF-RPC, and AI Context Format memory files. */
export type AicfDialect = 'rpc' | 'context';

/** How many lines that are not blank decide the dialect. */
const LINES_LOOKED_AT = 200;
/** No pattern below looks further into a line, so that a line of megabytes is not copied. */
const CHARACTERS_LOOKED_AT = 200;

const WITH_FIELDS = AICF_COMMANDS.filter(row => row.fields.length > 0).map(row => row.name);
const WITHOUT_FIELDS = AICF_COMMANDS.filter(row => row.fields.length === 0).map(row => row.name);
const RPC_LINE = new RegExp(
  `^((Request|Response):\\s*)?((${WITH_FIELDS.join('|')})\\||(${WITHOUT_FIELDS.join('|')})\\s*$)`,
);
const SECTION_LINE = /^(?:(\d+)\|)?@([A-Z][A-Z0-9_]*)(?=$|[\s:|])/;
const CONTEXT_START = /^(?:\{|\[|<AICF|version\||\d+\||[A-Z]{1,2}#\|)/;
const DATA_FORM = /^(?:\{|\[|<)/;

/**
 * Which dialect a file is in. It is RPC if one of its first 200 lines that are not blank is a message; else context
 * if one of them heads a section or the first begins like one of the forms of context files; else RPC.
 */
export function detectDialect(file: TextLines): AicfDialect {
  let looksLikeContext = false;
  let seen = 0;
  for (let number = 0; number < file.lines.lineCount && seen < LINES_LOOKED_AT; number++) {
    const line = lineSource(file, number).text.slice(0, CHARACTERS_LOOKED_AT);
    if (line.trim() === '') continue;
    seen++;
    if (RPC_LINE.test(line)) return 'rpc';
    if (SECTION_LINE.test(line) || (seen === 1 && CONTEXT_START.test(line))) looksLikeContext = true;
  }
  return looksLikeContext ? 'context' : 'rpc';
}

/** A section of a context file: from its header to the line before the next header, trailing blank lines left out. */
export interface ContextSection {
  /** Without `@`. */
  readonly name: string;
  /** What the header says after the name, such as `:id:PRIORITY` or `|a|b`. */
  readonly rest: string;
  /** The name with its `@`. */
  readonly nameSpan: Span;
  readonly span: Span;
}

/** The sections of a context file in their order; none in its JSON and XML forms. `@X_END` ends `@X` and heads none. */
export function listContextSections(file: TextLines): readonly ContextSection[] {
  if (isDataForm(file)) return [];
  const sections: ContextSection[] = [];
  let open: Omit<ContextSection, 'span'> | undefined;
  let start = 0;
  let end = 0;
  const close = (): void => {
    if (open) sections.push({ ...open, span: { start, end } });
    open = undefined;
  };
  for (let number = 0; number < file.lines.lineCount; number++) {
    const line = lineSource(file, number);
    const header = readSectionHeader(line.text, line.start);
    const isEnd = header !== undefined && open !== undefined && header.name === `${open.name}_END`;
    if (header && !isEnd) {
      close();
      open = header;
      start = line.start;
    }
    if (line.text.trim() !== '') end = line.start + line.text.length;
    if (isEnd) close();
  }
  close();
  return sections;
}

/** Reads a section's header from a line that starts at `start`; undefined for any other line. */
export function readSectionHeader(line: string, start: number): Omit<ContextSection, 'span'> | undefined {
  const at = line.charCodeAt(0);
  if (at !== 64 && !(at >= 48 && at <= 57)) return undefined;
  const found = SECTION_LINE.exec(line.slice(0, CHARACTERS_LOOKED_AT));
  const name = found?.[2];
  if (!found || name === undefined) return undefined;
  const nameEnd = found[0].length;
  return {
    name,
    rest: line.slice(nameEnd, CHARACTERS_LOOKED_AT).trim(),
    nameSpan: { start: start + nameEnd - name.length - 1, end: start + nameEnd },
  };
}

/** True for the JSON and XML forms of context files, which are left alone. */
export function isDataForm(file: TextLines): boolean {
  return DATA_FORM.test(
    file.text
      .slice(0, CHARACTERS_LOOKED_AT)
      .replace(/^\uFEFF/, '')
      .trimStart(),
  );
}

/** True for a context file whose first line carries a line number, `1|@NOTES`. */
export function hasLineNumbers(file: TextLines): boolean {
  return /^\uFEFF?\s*\d+\|/.test(file.text.slice(0, CHARACTERS_LOOKED_AT));
}

/** The line number at the start of a line and where the line's own text begins; no number answers undefined. */
export function readLineNumber(
  line: string,
): { readonly number: number; readonly contentStart: number } | undefined {
  const found = /^(\d{1,15})\|/.exec(line.slice(0, 17));
  return found ? { number: Number(found[1]), contentStart: found[0].length } : undefined;
}

/** How many columns a row has, from `start` on: an escaped pipe cuts none. */
export function countColumns(line: string, start: number): number {
  const pipes: number[] = [];
  // The row is read as if a delimiter stood before it, so that each column follows one.
  splitFields(line, start - 1, pipes);
  return pipes.length;
}
