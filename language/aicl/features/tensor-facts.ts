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

/** What a tensor says of its data (reading of LightAICL 3.3). */
export interface TensorHead {
  readonly parts: TensorParts;
  /** Undefined for a name that is none. */
  readonly dtype: (DtypeRow & { readonly name: DtypeName }) | undefined;
  /** Undefined for a shape that is none. */
  readonly dimensions: readonly bigint[] | undefined;
  /** The bytes that type and shape want. */
  readonly bytes: bigint | undefined;
}

/** Reads the head of a tensor's content; undefined where it has fewer than three parts. */
export function readHead(text: Characters, content: Span): TensorHead | undefined {
  const parts = splitTensor(text, content.start, content.end);
  if (!parts) return undefined;
  const dtype = findDtype(text.slice(parts.dtype.start, parts.dtype.end));
  const source = text.slice(parts.shape.start, parts.shape.end);
  const shape = parseShape(unquoteShape(source) ?? source);
  const dimensions = shape.kind === 'ok' ? shape.dimensions : undefined;
  return { parts, dtype, dimensions, bytes: dtype && dimensions && countBytes(dimensions, dtype.bytes) };
}

/** A tensor whose data are sound and as long as type and shape want: its elements are read where they are asked for. */
export interface SoundTensor {
  readonly dtype: DtypeRow & { readonly name: DtypeName };
  readonly shape: readonly number[];
  readonly source: NumberSource;
  /** The element with an index as text, exact. */
  show(index: number): string;
}

/** A tensor of up to so many elements is looked at as a whole, such as one of 224 × 224 pixels in three colours. */
const MOST_ELEMENTS = 262_144;
/** Of a larger one a sample of so many elements is looked at. */
const SAMPLE = 65_536;

/**
 * Checks the data of a tensor. One of few elements is decoded as a whole, of a larger one only what is asked for.
 * Undefined where the data are left out, faulty, or of another length.
 */
export function openTensor(text: Characters, head: TensorHead): SoundTensor | undefined {
  const { parts, dtype, dimensions, bytes } = head;
  // Data are never shorter than their bytes: what cannot fit is refused without a look at it.
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
      payload.byteLength <= MOST_ELEMENTS * size
        ? numbersOf({ dtype: name, shape, bytes: payload.read(0, payload.byteLength) })
        : numbersIn(name, payload),
    show: index => {
      const element = payload.read(index * size, (index + 1) * size);
      return showElement(name, readElement({ dtype: name, shape: [], bytes: element }, 0));
    },
  };
}

/** What is in a sound tensor. */
export interface TensorFacts {
  readonly kind: DtypeRow['kind'];
  readonly statistics: Statistics;
  /** The smallest and the largest finite element, exact; of complex numbers those with the extreme magnitudes. */
  readonly min: string | undefined;
  readonly max: string | undefined;
}

/** Gathers the statistics of a tensor: of a large one those of an even sample. */
export function gatherFacts(tensor: SoundTensor): TensorFacts {
  const { length } = tensor.source;
  const statistics = gatherStatistics(tensor.source, length > MOST_ELEMENTS ? SAMPLE : length);
  const { minAt, maxAt } = statistics;
  return {
    kind: tensor.dtype.kind,
    statistics,
    min: minAt === undefined ? undefined : tensor.show(minAt),
    max: maxAt === undefined ? undefined : tensor.show(maxAt),
  };
}
