import type { AicfDialect } from '../../core/catalog/languages.ts';
import { BlockNotes, type Block } from './blocks.ts';
import { looksLikeContextStart, looksLikeMessage, readSectionHeader } from './context.ts';
import { lineSource, type TextLines } from './line-source.ts';

/** Maximum number of non-blank lines that decide the dialect. */
const LINES_LOOKED_AT = 200;
/** A line that starts with this many blanks counts as blank, so that a line of megabytes is not copied. */
const CHARACTERS_LOOKED_AT = 200;

/**
 * A line that indicates a dialect: its number in the block, and the number of non-blank lines above it in the
 * block.
 */
interface DialectMark {
  readonly line: number;
  readonly above: number;
}

/** The indications of a dialect in the first non-blank lines of a block. */
interface BlockForm {
  /** The number of non-blank lines that were read. */
  readonly count: number;
  readonly message: DialectMark | undefined;
  readonly section: DialectMark | undefined;
  /** The first non-blank line, if it starts like a context file. */
  readonly start: DialectMark | undefined;
}

const FORMS = new BlockNotes<BlockForm>();

/** A text with its lines and blocks. */
export interface TextBlocks extends TextLines {
  readonly blocks: readonly Block[];
}

/** The reason for the dialect of a file. */
export interface DialectEvidence {
  /** A message, a section header, the start of the file, or no indication. */
  readonly kind: 'message' | 'section' | 'start' | 'nothing';
  /** The number of the deciding line, from 0; 0 for `nothing`. */
  readonly line: number;
  /** The number of non-blank lines that were read. */
  readonly looked: number;
}

/**
 * Detects the dialect of a file (reading of AI Context Format). It is RPC if one of the first 200 non-blank
 * lines is a message; otherwise context if one of them is a section header or the first one starts like a
 * context file; otherwise RPC.
 */
export function detectDialect(file: TextBlocks): AicfDialect {
  const { kind } = findEvidence(file);
  return kind === 'section' || kind === 'start' ? 'context' : 'rpc';
}

/** The evidence from which `detectDialect` decides. */
export function findEvidence(file: TextBlocks): DialectEvidence {
  let context: Pick<DialectEvidence, 'kind' | 'line'> | undefined;
  let seen = 0;
  for (const block of file.blocks) {
    if (seen >= LINES_LOOKED_AT) break;
    const form = FORMS.of(block, () => readForm(file, block));
    const isIn = (sign: DialectMark | undefined): sign is DialectMark =>
      sign !== undefined && seen + sign.above < LINES_LOOKED_AT;
    const place = (sign: DialectMark): number => block.firstLine + sign.line;
    if (isIn(form.message))
      return { kind: 'message', line: place(form.message), looked: seen + form.message.above + 1 };
    if (isIn(form.section)) context ??= { kind: 'section', line: place(form.section) };
    if (seen === 0 && isIn(form.start)) context ??= { kind: 'start', line: place(form.start) };
    seen += form.count;
  }
  const looked = Math.min(seen, LINES_LOOKED_AT);
  return { ...(context ?? { kind: 'nothing', line: 0 }), looked };
}

function readForm(file: TextLines, { firstLine, lineEnd }: Block): BlockForm {
  let above = 0;
  let [message, section, start]: (DialectMark | undefined)[] = [];
  for (let number = firstLine; number < lineEnd && above < LINES_LOOKED_AT; number++) {
    const text = lineSource(file, number).text.slice(0, CHARACTERS_LOOKED_AT);
    if (text.trim() === '') continue;
    const sign = { line: number - firstLine, above };
    if (looksLikeMessage(text)) {
      message = sign;
      break;
    }
    if (above === 0 && looksLikeContextStart(text)) start = sign;
    if (!section && readSectionHeader(text, 0)) section = sign;
    above++;
  }
  return { count: above, message, section, start };
}
