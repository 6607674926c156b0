import { readDefinition, type Definition } from '../../variables.ts';
import { shiftSpan } from '../../../core/text/span.ts';
import { BlockNotes, type Block } from '../blocks.ts';
import { lineSource } from '../line-source.ts';
import type { AicfDocument } from '../parse.ts';

/** Cached definitions of blocks; offsets are relative to the start of the block. */
const DEFINITIONS = new BlockNotes<readonly Definition[]>();

/** The variables and named requests that comment lines define, in order. None in a context file. */
export function definitions(doc: AicfDocument): readonly Definition[] {
  if (doc.dialect === 'context') return [];
  return doc.blocks.flatMap(block =>
    DEFINITIONS.of(block, () => readBlock(doc, block)).map(definition => move(definition, block.start)),
  );
}

function readBlock(doc: AicfDocument, block: Block): readonly Definition[] {
  // Most blocks have no comment: this check avoids reading their lines.
  if (!block.content.chunks.some(({ text }) => text.includes('@'))) return [];
  const found: Definition[] = [];
  for (let number = block.firstLine; number < block.lineEnd; number++) {
    const { start, text } = lineSource(doc, number);
    const definition = /^\s*#/.test(text) ? readDefinition(text, start) : undefined;
    if (definition) found.push(move(definition, -block.start));
  }
  return found;
}

function move(definition: Definition, by: number): Definition {
  return { ...definition, span: shiftSpan(definition.span, by) };
}
