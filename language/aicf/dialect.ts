import type { AicfDialect } from '../../core/catalog/aicf-dialects.ts';
import { BlockNotes, type Block } from './blocks.ts';
import { looksLikeContextStart, looksLikeMessage, readSectionHeader } from './context.ts';
import { lineSource, type TextLines } from './line-source.ts';

/** How many lines that are not blank decide the dialect. */
const LINES_LOOKED_AT = 200;
/** A line that begins with so many blanks counts as blank: one of megabytes is not copied. */
const CHARACTERS_LOOKED_AT = 200;

/** A line of a block, counted from its first one, with how many that are not blank stand above it in the block. */
interface Sign {
  readonly line: number;
  readonly above: number;
}

/** What the first lines of a block that are not blank say. */
interface BlockForm {
  /** How many there are; not more than are looked at. */
  readonly count: number;
  readonly message: Sign | undefined;
  readonly section: Sign | undefined;
  /** The first one, where it begins like a context file. */
  readonly start: Sign | undefined;
}

const FORMS = new BlockNotes<BlockForm>();

/** A text with its lines and blocks. */
export interface TextBlocks extends TextLines {
  readonly blocks: readonly Block[];
}

/** What the dialect of a file is taken from. */
export interface DialectEvidence {
  /** A message, the header of a section, how the file begins, or nothing. */
  readonly kind: 'message' | 'section' | 'start' | 'nothing';
  /** The number of the line that decided, from 0; 0 for nothing. */
  readonly line: number;
  /** How many lines that are not blank were looked at. */
  readonly looked: number;
}

/**
 * Which dialect a file is in (reading of AI Context Format). It is RPC if one of its first 200 lines that are not blank
 * is a message; else context if one of them heads a section or the first begins like one of the forms of context
 * files; else RPC.
 */
export function detectDialect(file: TextBlocks): AicfDialect {
  const { kind } = findEvidence(file);
  return kind === 'section' || kind === 'start' ? 'context' : 'rpc';
}

/** What `detectDialect` decides by. */
export function findEvidence(file: TextBlocks): DialectEvidence {
  let context: Pick<DialectEvidence, 'kind' | 'line'> | undefined;
  let seen = 0;
  for (const block of file.blocks) {
    if (seen >= LINES_LOOKED_AT) break;
    const form = FORMS.of(block, () => readForm(file, block));
    const isIn = (sign: Sign | undefined): sign is Sign =>
      sign !== undefined && seen + sign.above < LINES_LOOKED_AT;
    const place = (sign: Sign): number => block.firstLine + sign.line;
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
  let [message, section, start]: (Sign | undefined)[] = [];
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
