import type { Span } from '../../core/text/span.ts';
import { BlockNotes, type Block } from './blocks.ts';
import { isDataForm, readSectionHeader, type SectionHeader } from './context.ts';
import type { TextBlocks } from './dialect.ts';
import { lineSource } from './line-source.ts';

/** A section of a context file: from its header to the line before the next header, without trailing blank lines. */
export interface ContextSection extends SectionHeader {
  readonly span: Span;
}

/** A header in a block, or the lines above the block's first header. Offsets are relative to the block's start. */
interface Part {
  readonly header: SectionHeader | undefined;
  readonly start: number;
  /** The end of the header's line; the start of the part if it has no header. */
  readonly headerEnd: number;
  /** The end of the last non-blank line before the next header. */
  end: number;
}

const PARTS = new BlockNotes<readonly Part[]>();

/**
 * The sections of a context file in order, at most `max`; none for the JSON and XML forms (reading of AI
 * Context Format). `@X_END` ends `@X` and does not start a section.
 */
export function listContextSections(file: TextBlocks, max = Infinity): readonly ContextSection[] {
  const sections: ContextSection[] = [];
  if (isDataForm(file)) return sections;
  let open: ContextSection | undefined;
  for (const block of file.blocks) {
    for (const part of PARTS.of(block, () => readParts(file, block))) {
      const { header } = part;
      const isEnd = header !== undefined && header.name === `${open?.name}_END`;
      if (open && (!header || isEnd)) {
        const end = Math.max(open.span.end, block.start + (isEnd ? part.headerEnd : part.end));
        open = { ...open, span: { start: open.span.start, end } };
      }
      if (!header) continue;
      if (open) sections.push(open);
      if (sections.length >= max) return sections;
      open = isEnd ? undefined : placeSection(header, part, block.start);
    }
  }
  if (open) sections.push(open);
  return sections;
}

function placeSection(header: SectionHeader, { start, end }: Part, by: number): ContextSection {
  const { name, rest, nameSpan } = header;
  return {
    name,
    rest,
    nameSpan: { start: nameSpan.start + by, end: nameSpan.end + by },
    span: { start: start + by, end: end + by },
  };
}

function readParts(file: TextBlocks, { start: blockStart, firstLine, lineEnd }: Block): readonly Part[] {
  const parts: Part[] = [];
  let part: Part = { header: undefined, start: 0, headerEnd: 0, end: 0 };
  for (let number = firstLine; number < lineEnd; number++) {
    const { text, start: lineStart } = lineSource(file, number);
    const start = lineStart - blockStart;
    const end = start + text.length;
    const header = readSectionHeader(text, start);
    if (header) {
      if (part.header || part.end > 0) parts.push(part);
      part = { header, start, headerEnd: end, end };
    } else if (text.trim() !== '') part.end = end;
  }
  if (part.header || part.end > 0) parts.push(part);
  return parts;
}
