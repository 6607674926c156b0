import { findDtype, type DtypeName, type DtypeRow } from '../../../core/catalog/dtypes.ts';
import { readElement, showElement } from '../../../tensor/elements.ts';
import { numbersIn, numbersOf, type NumberSource } from '../../../tensor/numbers.ts';
import { Payload } from '../../../tensor/payload.ts';
import { gatherStatistics, type Statistics } from '../../../tensor/statistics.ts';
import {
  countBytes,
  parseShape,
  splitTensor,
  unquoteShape,
  type TensorParts,
} from '../../../tensor/tensor-text.ts';
import type { Characters } from '../../../core/text/source-text.ts';
import type { Span } from '../../../core/text/span.ts';

/** The head of a tensor (reading of LightAICL 3.3). */
export interface TensorHead {
  readonly parts: TensorParts;
  /** Undefined for an unknown data type. */
  readonly dtype: (DtypeRow & { readonly name: DtypeName }) | undefined;
  /** Undefined for an invalid shape. */
  readonly dimensions: readonly bigint[] | undefined;
  /** The number of bytes according to data type and shape. */
  readonly bytes: bigint | undefined;
}

/** Reads the head of a tensor's content; undefined if it has fewer than three parts. */
export function readHead(text: Characters, content: Span): TensorHead | undefined {
  const parts = splitTensor(text, content.start, content.end);
  if (!parts) return undefined;
  const dtype = findDtype(text.slice(parts.dtype.start, parts.dtype.end));
  const source = text.slice(parts.shape.start, parts.shape.end);
  const shape = parseShape(unquoteShape(source) ?? source);
  const dimensions = shape.kind === 'ok' ? shape.dimensions : undefined;
  return { parts, dtype, dimensions, bytes: dtype && dimensions && countBytes(dimensions, dtype.bytes) };
}

/** A tensor with valid data of the expected length. Elements are decoded on request. */
export interface SoundTensor {
  readonly dtype: DtypeRow & { readonly name: DtypeName };
  readonly shape: readonly number[];
  readonly source: NumberSource;
  /** The exact text of the element at an index. */
  show(index: number): string;
}

/** Tensors with up to this many elements are examined as a whole, such as 224 × 224 pixels in three colours. */
const MAX_ELEMENTS = 262_144;
/** The number of elements sampled from larger tensors. */
const SAMPLE = 65_536;

/**
 * Checks the data of a tensor. A small tensor is decoded as a whole, a larger one on request. Undefined if
 * the data is omitted, faulty, or of the wrong length.
 */
export function openTensor(text: Characters, head: TensorHead): SoundTensor | undefined {
  const { parts, dtype, dimensions, bytes } = head;
  // Encoded data is never shorter than its bytes, so impossible sizes are rejected without reading it.
  if (!dtype || !dimensions || bytes === undefined || bytes > parts.payload.end - parts.payload.start)
    return undefined;
  const payload = Payload.of(text, parts.payload);
  if (payload?.byteLength !== Number(bytes)) return undefined;
  const { name, bytes: size } = dtype;
  const shape = dimensions.map(Number);
  return {
    dtype,
    shape,
    source:
      payload.byteLength <= MAX_ELEMENTS * size
        ? numbersOf({ dtype: name, shape, bytes: payload.read(0, payload.byteLength) })
        : numbersIn(name, payload),
    show: index => {
      const element = payload.read(index * size, (index + 1) * size);
      return showElement(name, readElement({ dtype: name, shape: [], bytes: element }, 0));
    },
  };
}

/** Facts about the elements of a sound tensor. */
export interface TensorFacts {
  readonly kind: DtypeRow['kind'];
  readonly statistics: Statistics;
  /** The smallest and largest finite element, exact; for complex numbers those with the extreme magnitudes. */
  readonly min: string | undefined;
  readonly max: string | undefined;
}

/** Gathers the statistics of a tensor; of a large one from an even sample. */
export function gatherFacts(tensor: SoundTensor): TensorFacts {
  const { length } = tensor.source;
  const statistics = gatherStatistics(tensor.source, length > MAX_ELEMENTS ? SAMPLE : length);
  const { minAt, maxAt } = statistics;
  return {
    kind: tensor.dtype.kind,
    statistics,
    min: minAt === undefined ? undefined : tensor.show(minAt),
    max: maxAt === undefined ? undefined : tensor.show(maxAt),
  };
}
