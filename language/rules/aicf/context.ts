import type { Block } from '../../aicf/blocks.ts';
import { countColumns, readLineNumber, readSectionHeader } from '../../aicf/context.ts';
import { lineSource } from '../../aicf/line-source.ts';
import type { AicfDocument } from '../../aicf/parse.ts';
import type { Fix } from '../../../core/text/issue.ts';
import { countNoun, type IssueDraft, type IssueWords } from './report.ts';

type Report = (draft: IssueDraft) => void;

/** Maximum number of columns up to which a fix extends a row. */
const MAX_ADDED = 1_000;

/** A line of a context file; `contentStart` is the offset in it after the line number. */
interface Row {
  readonly text: string;
  readonly start: number;
  readonly contentStart: number;
}

/** The state that the rules of context files carry from line to line. */
export interface ContextState {
  readonly section: string | undefined;
  readonly columns: number | undefined;
  readonly lastNumber: number | undefined;
}

/** The state before the first line. */
export const CONTEXT_START: ContextState = { section: undefined, columns: undefined, lastNumber: undefined };

/**
 * Reports the information about a block of a context file: rows that do not fit their schema, and wrong line
 * numbers if the file has some. Returns the state after the block.
 */
export function checkContextBlock(
  doc: AicfDocument,
  { firstLine, lineEnd, start: blockStart, end }: Block,
  state: ContextState & { readonly isNumbered: boolean },
  report: Report,
): ContextState {
  const columns = new ColumnCheck(report, state);
  const numbers = new NumberCheck(report, state);
  for (let line = firstLine; line < lineEnd; line++) {
    const { text, start } = lineSource(doc, line);
    const numbered = state.isNumbered ? readLineNumber(text) : undefined;
    const contentStart = numbered?.contentStart ?? 0;
    if (numbered) numbers.visit(numbered.number, start, contentStart);
    columns.visit({ text, start, contentStart });
  }
  if (doc.work) doc.work.count += end - blockStart;
  return { ...columns.state, ...numbers.state };
}

/** Compares the rows in `@DATA` with the columns of the last `@SCHEMA`; any other section ends both. */
class ColumnCheck {
  readonly #report: Report;
  #section: string | undefined;
  #columns: number | undefined;

  constructor(report: Report, { section, columns }: ContextState) {
    this.#report = report;
    this.#section = section;
    this.#columns = columns;
  }

  get state(): Pick<ContextState, 'section' | 'columns'> {
    return { section: this.#section, columns: this.#columns };
  }

  visit({ text, start, contentStart }: Row): void {
    const header = readSectionHeader(text, start);
    if (header) {
      this.#section = header.name;
      if (header.name !== 'DATA') this.#columns = undefined;
      if (header.name === 'SCHEMA') this.#columns = countInline(text, header.nameSpan.end - start);
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
    this.#report({
      code: 'aicf/column-count',
      span,
      words: () => ({
        message: `The row has ${countNoun(found, 'column')}, and its '@SCHEMA' names ${wanted}; a '|' may be missing or too many`,
        fixes: found < wanted && wanted <= MAX_ADDED ? [addColumns(span.end, wanted - found)] : [],
      }),
    });
  }
}

/**
 * The number of columns that a schema names on its header line, after the name; undefined if they are on the
 * lines below.
 */
function countInline(text: string, nameEnd: number): number | undefined {
  const first = /^[:|]/.test(text.slice(nameEnd, nameEnd + 1)) ? nameEnd + 1 : nameEnd;
  return text.includes('|', first) ? countColumns(text, first) : undefined;
}

function addColumns(end: number, count: number): Fix {
  const title = `Add ${countNoun(count, 'empty column')}`;
  return { title, edits: [{ span: { start: end, end }, newText: '|'.repeat(count) }], safe: false };
}

/** Line numbers must increase by one. */
class NumberCheck {
  readonly #report: Report;
  #last: number | undefined;

  constructor(report: Report, { lastNumber }: ContextState) {
    this.#report = report;
    this.#last = lastNumber;
  }

  get state(): Pick<ContextState, 'lastNumber'> {
    return { lastNumber: this.#last };
  }

  visit(number: number, start: number, contentStart: number): void {
    const last = this.#last ?? number - 1;
    this.#last = number;
    if (number === last + 1) return;
    const words = (): IssueWords => ({
      message:
        number <= last
          ? `Line number ${number} comes again or too late; number the line ${last + 1}`
          : `After line number ${last} comes ${number}; number the line ${last + 1} or add what is missing`,
    });
    this.#report({ code: 'aicf/line-number', span: { start, end: start + contentStart - 1 }, words });
  }
}
