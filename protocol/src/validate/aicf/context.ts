import {
  countColumns,
  hasLineNumbers,
  isDataForm,
  readLineNumber,
  readSectionHeader,
} from '../../aicf/context.ts';
import { lineSource } from '../../aicf/line-source.ts';
import type { AicfDocument } from '../../aicf/parse.ts';
import type { AicfRuleCode } from '../../catalog/aicf-rules.ts';
import type { Issue } from '../../text/issue.ts';
import { buildIssue, countNoun } from './report.ts';

type Report = (issue: Issue<AicfRuleCode>) => void;

/** A line of a context file, after its line number. */
interface Row {
  readonly text: string;
  readonly start: number;
  readonly contentStart: number;
}

/** All that is said about context files, as information: rows that do not fit their schema, and line numbers. */
export function checkContext(doc: AicfDocument, report: Report): void {
  if (isDataForm(doc)) return;
  const isNumbered = hasLineNumbers(doc);
  const columns = new ColumnCheck(report);
  const numbers = new NumberCheck(report);
  for (let line = 0; line < doc.lines.lineCount; line++) {
    const { text, start } = lineSource(doc, line);
    const numbered = isNumbered ? readLineNumber(text) : undefined;
    const contentStart = numbered?.contentStart ?? 0;
    if (numbered) numbers.visit(numbered.number, start, contentStart);
    columns.visit({ text, start, contentStart });
  }
  if (doc.work) doc.work.count += doc.text.length;
}

/** Compares rows in `@DATA` with the columns that the last `@SCHEMA` names; another section ends both. */
class ColumnCheck {
  readonly #report: Report;
  #section: string | undefined;
  #columns: number | undefined;

  constructor(report: Report) {
    this.#report = report;
  }

  visit({ text, start, contentStart }: Row): void {
    const header = readSectionHeader(text, start);
    if (header) {
      this.#section = header.name;
      if (header.name !== 'DATA') this.#columns = undefined;
      const inline = header.rest.replace(/^[:|]/, '');
      if (header.name === 'SCHEMA' && inline.includes('|')) this.#columns = countColumns(inline, 0);
      return;
    }
    if (text.slice(contentStart).trim() === '') return;
    if (this.#section === 'SCHEMA') this.#columns ??= countColumns(text, contentStart);
    else if (this.#section === 'DATA' && this.#columns !== undefined) {
      this.#compare(countColumns(text, contentStart), this.#columns, { text, start, contentStart });
    }
  }

  #compare(found: number, wanted: number, { text, start, contentStart }: Row): void {
    if (found === wanted) return;
    const span = { start: start + contentStart, end: start + text.length };
    const message = `The row has ${countNoun(found, 'column')}, and its '@SCHEMA' names ${wanted}; a '|' may be missing or too many`;
    this.#report(buildIssue('aicf/column-count', span, message));
  }
}

/** Line numbers count up by one. */
class NumberCheck {
  readonly #report: Report;
  #last: number | undefined;

  constructor(report: Report) {
    this.#report = report;
  }

  visit(number: number, start: number, contentStart: number): void {
    const last = this.#last ?? number - 1;
    this.#last = number;
    if (number === last + 1) return;
    const message =
      number <= last
        ? `Line number ${number} comes again or too late; number the line ${last + 1}`
        : `After line number ${last} comes ${number}; number the line ${last + 1} or add what is missing`;
    const span = { start, end: start + contentStart - 1 };
    this.#report(buildIssue('aicf/line-number', span, message));
  }
}
