/** A section is cut at an empty line once it has this many characters, and at any line at the second number. */
const USUAL = 1_000;
const LONGEST = 6_000;

/** Sections of code may be longer, because code needs no work. */
const LONGEST_CODE = 60_000;

/** Lines with more characters, sections with more marks, and lines with more levels are shown as plain text. */
const LONGEST_LINE = 10_000;
const MOST_MARKS = 1_000;
const DEEPEST = 16;

const WHY_LONG = `a line has more than ${LONGEST_LINE.toLocaleString('en')} characters`;
const WHY_MARKS = `it has more than ${MOST_MARKS.toLocaleString('en')} marks of Markdown close together`;
const WHY_DEEP = `its quotes or lists are more than ${DEEPEST} levels deep`;

/** A piece of a text that is read and drawn independently of the others. */
export interface Section {
  readonly text: string;
  /** What precedes the text when it is read: the fence of code, or the head of a table, that began before it. */
  readonly prefix: string;
  /** Why it is shown as plain text; undefined if it is Markdown. */
  readonly plain: string | undefined;
  /** The number of its lines, for its height before it is drawn. */
  readonly lines: number;
}

export type TextFormat = 'markdown' | 'plain';

/** The code block that is open, or the table, at a line. */
interface Block {
  readonly kind: 'code' | 'table';
  /** The lines that begin it. */
  readonly head: string;
  /** The fence of code; empty for a table. */
  readonly fence: string;
}

/**
 * Splits a growing text into sections. Added text changes the last section only, so a long reply is never read twice.
 * Sections are short, so the work of reading one is bounded, whatever it holds. Linear in the text.
 */
export class SectionList {
  readonly #isMarkdown: boolean;
  readonly #whole: Section[] = [];
  /** The whole lines of the last section. */
  #open = '';
  #prefix = '';
  #plain: string | undefined;
  #lines = 0;
  #marks = 0;
  /** The text behind the last end of a line. */
  #tail = '';
  /** True behind a part of a line that is too long. */
  #isCut = false;
  #block: Block | undefined;
  #before = '';

  constructor(format: TextFormat) {
    this.#isMarkdown = format === 'markdown';
  }

  /** The sections so far. All but the last one stay the same objects. */
  get sections(): readonly Section[] {
    const [open, tail] = [this.#open, this.#tail];
    if (open === '' && tail === '') return this.#whole;
    if (this.#isCut) return [...this.#whole, this.#pieceOf(tail)];
    const plain = this.#plain ?? this.#whyPlain(tail, this.#marks + countMarks(tail));
    return [...this.#whole, this.#section(open + tail, plain, this.#lines + countLines(tail))];
  }

  push(added: string): void {
    const text = this.#tail + added;
    let at = 0;
    for (let end = text.indexOf('\n'); at < text.length;) {
      const length = (end < 0 ? text.length : end) - at;
      if (length > LONGEST_LINE) at += this.#cutLine(text, at);
      else if (end < 0) break;
      else {
        this.#take(text.slice(at, end + 1));
        at = end + 1;
        end = text.indexOf('\n', at);
      }
    }
    this.#tail = text.slice(at);
  }

  /** Makes a section of the beginning of a line that is too long; returns its length. */
  #cutLine(text: string, at: number): number {
    this.#close();
    this.#block = undefined;
    const code = text.charCodeAt(at + LONGEST - 1);
    const length = code >= 0xd800 && code < 0xdc00 ? LONGEST - 1 : LONGEST;
    this.#isCut = true;
    this.#whole.push(this.#pieceOf(text.slice(at, at + length)));
    return length;
  }

  #pieceOf(text: string): Section {
    return { text, prefix: '', plain: this.#isMarkdown ? WHY_LONG : undefined, lines: countLines(text) };
  }

  #take(line: string): void {
    if (this.#isCut) {
      this.#whole.push(this.#pieceOf(line));
      this.#isCut = false;
      this.#prefix = '';
      return;
    }
    const most = this.#block?.kind === 'code' ? LONGEST_CODE : LONGEST;
    const size = this.#open.length;
    if ((size >= USUAL && this.#begins(line)) || (size > 0 && size + line.length > most)) this.#close();
    this.#open += line;
    this.#lines += countLines(line);
    if (!this.#isMarkdown) return;
    if (this.#block?.kind !== 'code') {
      this.#marks += countMarks(line);
      this.#plain ??= this.#whyPlain(line, this.#marks);
    }
    this.#block = this.#blockBehind(line);
    this.#before = line;
  }

  #close(): void {
    if (this.#open !== '') this.#whole.push(this.#section(this.#open, this.#plain, this.#lines));
    this.#open = '';
    this.#plain = undefined;
    this.#lines = this.#marks = 0;
    this.#prefix = this.#block?.head ?? '';
  }

  #section(text: string, plain: string | undefined, lines: number): Section {
    return { text, prefix: plain === undefined ? this.#prefix : '', plain, lines };
  }

  /** True if a line begins a block of its own. A list goes on behind an empty line, and so does what is indented. */
  #begins(line: string): boolean {
    if (!this.#isMarkdown) return true;
    return !this.#block && this.#before.trim() === '' && !/^(?:\s|[-*+] |\d{1,9}[.)] )/.test(line);
  }

  #whyPlain(line: string, marks: number): string | undefined {
    if (!this.#isMarkdown || this.#block?.kind === 'code') return undefined;
    if (levelOf(line) > DEEPEST) return WHY_DEEP;
    return marks > MOST_MARKS ? WHY_MARKS : undefined;
  }

  #blockBehind(line: string): Block | undefined {
    const block = this.#block;
    // Most lines begin with a word.
    if (!block && startsWithWord(line) && !line.includes('|')) return undefined;
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (block?.kind === 'code') {
      const isEnd = fence?.startsWith(block.fence) === true && /^[`~]+\s*$/.test(line.trimStart());
      return isEnd ? undefined : block;
    }
    if (fence !== undefined) return { kind: 'code', head: line, fence };
    if (!line.includes('|')) return undefined;
    const isHead = line.includes('-') && this.#before.includes('|') && /^[\s|:-]+$/.test(line);
    return block ?? (isHead ? { kind: 'table', head: this.#before + line, fence: '' } : undefined);
  }
}

/** About the number of lines in a page of usual width. */
function countLines(text: string): number {
  return text === '' ? 0 : Math.ceil(text.length / 100);
}

/** The number of quotes and lists that a line begins, or whose text it continues. */
function levelOf(line: string): number {
  if (startsWithWord(line)) return 0;
  const start = /^[ \t]*(?:(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*)*/.exec(line)?.[0] ?? '';
  const marks = start.match(/[>*+.)-]/g)?.length ?? 0;
  return Math.max(marks, Math.floor((start.length - start.trimStart().length) / 4));
}

function countMarks(line: string): number {
  let count = 0;
  for (let at = 0; at < line.length; at++) count += MARKS[line.charCodeAt(at)] ?? 0;
  return count;
}

const MARKS = new Uint8Array(128);
for (const mark of '*_[]<>~`!&\\') MARKS[mark.charCodeAt(0)] = 1;

/** True for a line that begins no block of its own but a paragraph. */
function startsWithWord(line: string): boolean {
  const code = line.charCodeAt(0);
  return (code > 0x40 && code < 0x5b) || (code > 0x60 && code < 0x7b) || code > 0x7e || code === 0x0a;
}
