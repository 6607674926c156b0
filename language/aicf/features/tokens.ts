import type { AicfDialect } from '../../../core/catalog/languages.ts';
import { LONGEST_GRAMMAR_LINE, TokenBuilder, type PackedTokens } from '../../tokens.ts';
import { countWhile } from '../../../core/text/number-list.ts';
import type { Span } from '../../../core/text/span.ts';
import { BlockNotes, type Block } from '../blocks.ts';
import { isDataForm } from '../context.ts';
import { readLine, type AicfDocument } from '../parse.ts';
import { addContextLine, LineColours } from './line-tokens.ts';

/** Cached tokens of blocks; offsets are relative to the start of the block. */
const CACHE: Readonly<Record<AicfDialect, BlockNotes<PackedTokens>>> = {
  rpc: new BlockNotes(),
  context: new BlockNotes(),
};
/** Longer blocks contain a long line, are not cached, and are read only as far as the span reaches. */
const MAX_SEARCHED = 50_000;
const BOM = 0xfeff;

/**
 * The semantic tokens of a span: commands, tools, arguments, data, escapes, container lines (AICF-RPC 1.0,
 * "Protocol Format"); in a context file its section headers and keys. Faulty text gets no tokens here. After
 * an edit only the changed blocks are read again.
 */
export function tokens(doc: AicfDocument, span: Span): PackedTokens {
  const found = new TokenBuilder(span);
  if (doc.dialect === 'context' && isDataForm(doc)) return found.packed;
  for (let index = findBlock(doc.blocks, span.start); index < doc.blocks.length; index++) {
    const block = doc.blocks[index];
    if (!block || block.start >= span.end) break;
    if (block.end - block.start > MAX_SEARCHED) addLines(doc, found, block);
    else
      found.addPacked(
        CACHE[doc.dialect].of(block, () => readBlock(doc, block)),
        block.start,
      );
  }
  return found.packed;
}

/** The index of the block that contains an offset. */
function findBlock(blocks: readonly Block[], offset: number): number {
  return countWhile(blocks.length, index => (blocks[index]?.end ?? 0) <= offset);
}

function readBlock(doc: AicfDocument, block: Block): PackedTokens {
  const found = new TokenBuilder(block);
  addLines(doc, found, block);
  const fromStart = new TokenBuilder({ start: 0, end: block.end - block.start });
  fromStart.addPacked(found.packed, -block.start);
  return fromStart.packed;
}

/** Adds the tokens of a block's lines that overlap the span; a long line is read only up to the span's end. */
function addLines(doc: AicfDocument, found: TokenBuilder, block: Block): void {
  const first = Math.max(block.firstLine, doc.text.lineAt(found.span.start));
  for (let number = first; number < block.lineEnd; number++) {
    const lineStart = doc.text.lineStart(number);
    if (lineStart >= found.span.end) return;
    const start = lineStart === 0 && doc.text.charCodeAt(0) === BOM ? 1 : lineStart;
    const end = doc.text.lineEnd(number);
    const source = doc.text.slice(start, Math.min(end, found.span.end));
    if (doc.dialect === 'context') addContextLine(found, source, start);
    else {
      const hasDelimiters = end - start > LONGEST_GRAMMAR_LINE;
      new LineColours(found, source, start, { hasDelimiters }).addLine(readLine(source, doc.work));
    }
  }
}
