import { MAX_TENSORS, type TensorPlace } from '../../../language/feature-results.ts';
import { firstAtLeast } from '../../../core/text/number-list.ts';
import type { Issue } from '../../../core/text/issue.ts';
import { TENSOR_AT, TENSORS, type TensorAnswer } from '../../../wire/tensor-requests.ts';
import type { Snapshot } from '../documents.ts';
import { toOffset, toRange } from '../lsp.ts';
import { ownFeature } from './feature.ts';

/** The tensor at a position, with its faults. */
export const tensorAt = ownFeature({
  name: 'tensorAt',
  request: TENSOR_AT,
  neutral: null,
  answer(snapshot, { position }) {
    const found = findAt(snapshot, toOffset(snapshot.document, position));
    return found ? describe(snapshot, found, new Errors(snapshot)) : null;
  },
});

/** The tensors of a document, at most `MAX_TENSORS`. */
export const tensors = ownFeature({
  name: 'tensors',
  request: TENSORS,
  neutral: [],
  answer(snapshot, { uri }, host) {
    const errors = new Errors(snapshot);
    const found: TensorAnswer[] = [];
    for (const tensor of snapshot.document.tensors()) {
      if (found.length === MAX_TENSORS) {
        host.reportOnce(uri, `only the first ${MAX_TENSORS} tensors are listed`);
        break;
      }
      found.push(describe(snapshot, tensor, errors));
    }
    return found;
  },
});

/** The tensor at an offset; between two adjacent tensors the second one. */
function findAt({ document }: Snapshot, offset: number): TensorPlace | undefined {
  return [...document.tensors({ start: offset, end: offset })].at(-1);
}

function describe({ document, version }: Snapshot, tensor: TensorPlace, errors: Errors): TensorAnswer {
  const { span, dtype, shape, payload, path, message, title, isSigned } = tensor;
  return {
    version,
    range: toRange(document, span),
    payload: toRange(document, payload),
    dtype: document.text.slice(dtype.start, dtype.end),
    shape: document.text.slice(shape.start, shape.end),
    path,
    message,
    title,
    isSigned,
    faults: [
      ...errors.in(tensor),
      ...(isElided(document.text.slice(payload.start, payload.end)) ? [ELIDED] : []),
    ],
  };
}

const ELIDED = "The data are left out with '...': put them in to look at the tensor";

function isElided(payload: string): boolean {
  return payload.includes('...') || payload.includes('…');
}

/** The errors of a document in text order. */
class Errors {
  readonly #errors: readonly Issue[];
  readonly #starts: readonly number[];

  constructor({ allIssues }: Snapshot) {
    this.#errors = allIssues.filter(({ severity }) => severity === 'error');
    this.#starts = this.#errors.map(({ span }) => span.start);
  }

  /** The messages of the errors in a tensor. Errors after its data, at the closing bracket, do not count. */
  in({ span, payload }: TensorPlace): readonly string[] {
    const from = firstAtLeast(this.#starts, span.start);
    return this.#errors.slice(from, firstAtLeast(this.#starts, payload.end)).map(({ message }) => message);
  }
}
