import { DTYPES, type DtypeRow } from '../../catalog/aicl.ts';
import { describeDtype } from '../../catalog/describe.ts';
import { base85ByteLength, base85TextLength, checkBase85 } from '../../tensor/base85.ts';
import { countBytes, parseShape, splitTensor, type TensorParts } from '../../tensor/tensor-text.ts';
import { countOf, showCount } from '../../text/count.ts';
import { escapeMarkdown } from '../../text/markdown.ts';
import { touchesOffset, type Span } from '../../text/span.ts';
import type { Characters } from '../../text/source-text.ts';

/** What is to be known of a tensor, for the part of its content at an offset: the data where it is in no other. */
export function tensorFacts(
  text: Characters,
  content: Span,
  offset: number,
): { readonly span: Span; readonly markdown: string } | undefined {
  const parts = splitTensor(text, content.start, content.end);
  if (!parts) return undefined;
  const row = DTYPES.find(candidate => candidate.name === text.slice(parts.dtype.start, parts.dtype.end));
  const facts = listFacts(text, parts, row);
  if (touchesOffset(parts.dtype, offset)) {
    return { span: parts.dtype, markdown: [...(row ? [describeDtype(row)] : []), facts].join('\n\n') };
  }
  return { span: touchesOffset(parts.shape, offset) ? parts.shape : parts.payload, markdown: facts };
}

/** The elements and bytes that type and shape want, and what the data holds. */
function listFacts(text: Characters, parts: TensorParts, row: DtypeRow | undefined): string {
  const source = text.slice(parts.shape.start, parts.shape.end);
  const shape = parseShape(source);
  const lines: string[] = [];
  let wanted: bigint | undefined;
  if (shape.kind === 'ok') {
    const elements = countBytes(shape.dimensions, 1);
    const form = shape.dimensions.length === 0 ? 'a single value' : shape.dimensions.join(' × ');
    lines.push(`- shape: ${form}, ${countOf(elements, 'element')}`);
    wanted = row && countBytes(shape.dimensions, row.bytes);
  } else lines.push(`- shape: ${escapeMarkdown(source.slice(0, 40))} is none`);
  if (row && wanted !== undefined) {
    const characters =
      wanted <= BigInt(Number.MAX_SAFE_INTEGER) ? base85TextLength(Number(wanted)) : undefined;
    const written = characters === undefined ? '' : `, ${countOf(characters, 'character')} of Base85`;
    lines.push(
      `- ${row.name}: ${countOf(row.bytes, 'byte')} an element, ${countOf(wanted, 'byte')} in all${written}`,
    );
  }
  lines.push(`- data: ${describePayload(text.slice(parts.payload.start, parts.payload.end), wanted)}`);
  return `**tensor**\n\n${lines.join('\n')}`;
}

function describePayload(payload: string, wanted: bigint | undefined): string {
  if (/\.\.\.|…/.test(payload)) return 'left out';
  const { characters, fault } = checkBase85(payload, 0, payload.length);
  if (fault?.kind === 'character') return `no Base85 from its character ${showCount(fault.at + 1)} on`;
  if (fault?.kind === 'overflow')
    return `a group too large for four bytes at its character ${showCount(fault.at + 1)}`;
  const held = base85ByteLength(characters);
  const counted = countOf(characters, 'character');
  if (held === undefined) return `${counted}, of which the last one holds no byte`;
  const fits =
    wanted === undefined
      ? ''
      : wanted === BigInt(held)
        ? ', as many as needed'
        : `, and ${countOf(wanted, 'byte is', 'bytes are')} needed`;
  return `${counted}, ${countOf(held, 'byte')}${fits}`;
}
