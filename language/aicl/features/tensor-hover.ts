import { describeDtype } from '../../../core/catalog/describe.ts';
import type { Hover, HoverPicture } from '../../support.ts';
import { base85ByteLength, base85TextLength, checkBase85 } from '../../../tensor/base85.ts';
import { writePng } from '../../../tensor/files/png-writer.ts';
import { countBytes } from '../../../tensor/tensor-text.ts';
import { thumbnail } from '../../../tensor/thumbnail.ts';
import { countOf, showCount } from '../../../core/text/count.ts';
import { escapeMarkdown } from '../../../core/text/markup.ts';
import type { Characters } from '../../../core/text/source-text.ts';
import { touchesOffset, type Span } from '../../../core/text/span.ts';
import { gatherFacts, openTensor, readHead, type SoundTensor, type TensorHead } from './tensor-facts.ts';
import { listFacts } from './tensor-words.ts';

/** The number of first elements shown. */
const MAX_FIRST = 8;

/** Hover text for a tensor. Its span is the part of the content at the offset; the data if it is in no other part. */
export function hoverTensor(text: Characters, content: Span, offset: number): Hover | undefined {
  const head = readHead(text, content);
  if (!head) return undefined;
  const { parts, dtype } = head;
  const tensor = openTensor(text, head);
  const lines = [
    ...describeHead(text, head),
    // For valid data the elements are described, otherwise the fault.
    ...(tensor ? describeElements(tensor) : [`data: ${describeUnsound(text, head)}`]),
  ];
  const facts = `**tensor**\n\n${lines.map(line => `- ${line}`).join('\n')}`;
  const draw = tensor && ((): HoverPicture | undefined => drawTensor(tensor));
  if (touchesOffset(parts.dtype, offset))
    return { span: parts.dtype, markdown: dtype ? `${describeDtype(dtype)}\n\n${facts}` : facts, draw };
  return { span: touchesOffset(parts.shape, offset) ? parts.shape : parts.payload, markdown: facts, draw };
}

/**
 * The maximum size of the picture in pixels. Encoded in the text it remains below the 100,000 characters that
 * VS Code shows.
 */
const MAX_PICTURE = { width: 128, height: 96 };

/** Draws a thumbnail; undefined for a tensor without elements. */
function drawTensor({ source, shape }: SoundTensor): HoverPicture | undefined {
  const picture = thumbnail(source, shape, MAX_PICTURE);
  if (!picture) return undefined;
  const { width, height, rgba, words } = picture;
  const file = writePng({ dtype: 'uint8', shape: [height, width, 4], bytes: new Uint8Array(rgba) });
  return file.kind === 'ok' ? { png: file.bytes, alt: words } : undefined;
}

/** The number of elements and bytes according to data type and shape. */
function describeHead(text: Characters, { parts, dtype, dimensions, bytes }: TensorHead): readonly string[] {
  const { start, end } = parts.shape;
  if (!dimensions)
    return [`shape: ${escapeMarkdown(text.slice(start, Math.min(end, start + 40)))} is invalid`];
  const form = dimensions.length === 0 ? 'a single value' : dimensions.join(' × ');
  const shape = `shape: ${form}, ${countOf(countBytes(dimensions, 1), 'element')}`;
  if (!dtype || bytes === undefined) return [shape];
  const characters = bytes <= BigInt(Number.MAX_SAFE_INTEGER) ? base85TextLength(Number(bytes)) : undefined;
  const written = characters === undefined ? '' : `, ${countOf(characters, 'character')} of Base85`;
  const size = `${countOf(dtype.bytes, 'byte')} an element, ${countOf(bytes, 'byte')} in all${written}`;
  return [shape, `${dtype.name}: ${size}`];
}

function describeUnsound(text: Characters, { parts, bytes }: TensorHead): string {
  const { start, end } = parts.payload;
  const { characters, fault } = checkBase85(text, start, end);
  // Data can be omitted only if it has a fault, because the omission marks are not Base85.
  if (fault && /\.\.\.|…/.test(text.slice(start, end))) return 'left out';
  if (fault?.kind === 'character') return `no Base85 from its character ${showCount(fault.at + 1)} on`;
  if (fault?.kind === 'overflow')
    return `a group too large for four bytes at its character ${showCount(fault.at + 1)}`;
  const held = base85ByteLength(characters);
  const counted = countOf(characters, 'character');
  if (held === undefined) return `${counted}, of which the last one holds no byte`;
  const needed = bytes === undefined ? '' : `, and ${countOf(bytes, 'byte is', 'bytes are')} needed`;
  return `${counted}, ${countOf(held, 'byte')}${needed}`;
}

/** The statistics, and the first elements in exact notation. */
function describeElements(tensor: SoundTensor): readonly string[] {
  const { length } = tensor.source;
  if (length === 0) return [];
  if (length === 1) return [`value: \`${tensor.show(0)}\``];
  const shown = Array.from({ length: Math.min(length, MAX_FIRST) }, (_, index) => tensor.show(index));
  const isAll = length <= MAX_FIRST;
  const first = `${isAll ? 'values' : 'first values'}: \`${shown.join(', ')}${isAll ? '' : ', …'}\``;
  return [...listFacts(gatherFacts(tensor)), first];
}
