import { AICF_COMMANDS } from '../../core/catalog/aicf.ts';
import type { Span } from '../../core/text/span.ts';
import { splitFields } from './characters.ts';
import type { TextLines } from './line-source.ts';

/** Maximum number of characters that the patterns below read of a line, so that a line of megabytes is not copied. */
const CHARACTERS_LOOKED_AT = 200;

const WITH_FIELDS = AICF_COMMANDS.filter(row => row.fields.length > 0).map(row => row.name);
const WITHOUT_FIELDS = AICF_COMMANDS.filter(row => row.fields.length === 0).map(row => row.name);
const RPC_LINE = new RegExp(
  `^((Request|Response):\\s*)?((${WITH_FIELDS.join('|')})\\||(${WITHOUT_FIELDS.join('|')})\\s*$)`,
);
const SECTION_LINE = /^(?:(\d+)\|)?@([A-Z][A-Z0-9_]*)(?=$|[\s:|])/;
const CONTEXT_START = /^(?:\{|\[|<AICF|version\||\d+\||[A-Z]{1,2}#\|)/;
const DATA_FORM = /^(?:\{|\[|<)/;

/** True for a line that occurs only in files of messages. */
export function looksLikeMessage(line: string): boolean {
  return RPC_LINE.test(line.slice(0, CHARACTERS_LOOKED_AT));
}

/** True for a line that starts one of the forms of context files. */
export function looksLikeContextStart(line: string): boolean {
  return CONTEXT_START.test(line.slice(0, CHARACTERS_LOOKED_AT));
}

/** The header of a section. */
export interface SectionHeader {
  /** Without `@`. */
  readonly name: string;
  /** The text after the name, such as `:id:PRIORITY` or `|a|b`. */
  readonly rest: string;
  /** The span of the name including `@`. */
  readonly nameSpan: Span;
}

/** Reads a section header from a line that starts at `start`; undefined for other lines. */
export function readSectionHeader(line: string, start: number): SectionHeader | undefined {
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

/** True for the JSON and XML forms of context files, which are not checked. */
export function isDataForm(file: TextLines): boolean {
  return DATA_FORM.test(
    file.text
      .slice(0, CHARACTERS_LOOKED_AT)
      .replace(/^\uFEFF/, '')
      .trimStart(),
  );
}

/** True for a context file whose first line has a line number, `1|@NOTES`. */
export function hasLineNumbers(file: TextLines): boolean {
  return /^\uFEFF?\s*\d+\|/.test(file.text.slice(0, CHARACTERS_LOOKED_AT));
}

/** The line number at the start of a line and the offset of the text after it; undefined without a number. */
export function readLineNumber(
  line: string,
): { readonly number: number; readonly contentStart: number } | undefined {
  const found = /^(\d{1,15})\|/.exec(line.slice(0, 17));
  return found ? { number: Number(found[1]), contentStart: found[0].length } : undefined;
}

/** The number of columns of a row from `start` on; an escaped pipe does not separate columns. */
export function countColumns(line: string, start: number): number {
  const pipes: number[] = [];
  // The row is read as if a delimiter preceded it, so that each column follows one.
  splitFields(line, start - 1, pipes);
  return pipes.length;
}
