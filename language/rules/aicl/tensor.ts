import { contentSpan, type AtomNode } from '../../aicl/ast.ts';
import { DTYPES, findDtype, type DtypeRow } from '../../../core/catalog/dtypes.ts';
import { parseShape, splitTensor, unquoteShape } from '../../../tensor/tensor-text.ts';
import { replaceFix } from '../../fix.ts';
import type { Fix } from '../../../core/text/issue.ts';
import { quote } from '../../../core/text/quote.ts';
import { findSimilar } from '../../../core/text/similar.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import { checkPayload } from './payload.ts';
import { widen, type UnitReport } from './report.ts';

/** Checks a tensor without decoding it: data type, shape, alphabet, length (reading of LightAICL 3.3). */
export function checkTensor(report: UnitReport, atom: AtomNode): void {
  const content = contentSpan(atom);
  const { text, base } = report.reading;
  const parts = splitTensor(text, base + content.start, base + content.end);
  if (!parts) {
    const message = 'A tensor is a data type, a shape and the data: write it as [t:uint8:2,2:009CJ]';
    report.add('aicl/tensor-form', content.start === content.end ? atom : content, message);
    return;
  }
  const dtype = checkDtype(report, shiftSpan(parts.dtype, -base));
  const shapeSpan = shiftSpan(parts.shape, -base);
  const shape = checkShape(report, shapeSpan);
  checkPayload(report, shiftSpan(parts.payload, -base), { dtype, shape, shapeSpan });
}

const DTYPE_NAMES = DTYPES.map(row => row.name);

function checkDtype(report: UnitReport, span: Span): DtypeRow | undefined {
  const name = report.slice(span);
  const row = findDtype(name);
  if (row) return row;
  const squeezed = name.replace(/\s/g, '');
  const isOnlySpaced = DTYPE_NAMES.some(candidate => candidate === squeezed);
  // Array libraries add the name of their module, as in `torch.float32`.
  const bare = squeezed.replace(/^[a-z]{1,10}\./i, '');
  const meant = isOnlySpaced ? squeezed : findSimilar(bare, DTYPE_NAMES);
  const hint = meant ? `did you mean '${meant}'?` : 'see the data types in the documentation of this rule';
  const fixes = meant ? [replaceFix(`Write '${meant}'`, span, meant, { safe: isOnlySpaced })] : [];
  report.add('aicl/unknown-dtype', widen(span), `${quote(name)} is not a data type: ${hint}`, fixes);
  return undefined;
}

/** The dimensions of a shape; undefined if it is invalid. */
function checkShape(report: UnitReport, span: Span): readonly bigint[] | undefined {
  const source = report.slice(span);
  const unquoted = unquoteShape(source);
  const shape = parseShape(unquoted ?? source);
  if (shape.kind === 'ok') {
    if (unquoted !== undefined) {
      report.add('aicl/quoted-shape', span, 'A shape has no quotation marks: remove them', [
        replaceFix('Remove the quotation marks', span, unquoted),
      ]);
    }
    return shape.dimensions;
  }
  if (shape.kind === 'too-large' && unquoted === undefined) {
    const at = { start: span.start + shape.start, end: span.start + shape.end };
    const message = `The dimension ${quote(report.slice(at))} is larger than 9007199254740991`;
    report.add('aicl/tensor-shape', at, message);
    return undefined;
  }
  const message = `${quote(source)} is not a shape: write dimensions with commas between, as in 3,224,224`;
  report.add('aicl/tensor-shape', widen(span), message, mendShape(span, source));
  return undefined;
}

/** Maximum length of a shape that a fix changes. */
const MAX_MENDED = 200;

/** Fixes for unneeded blanks, and for dimensions in other notations: `(2, 3)`, `2x3`, `2;3`. */
function mendShape(span: Span, source: string): readonly Fix[] {
  if (source.length > MAX_MENDED) return [];
  const squeezed = source.replace(/\s+/g, ' ').replace(/ ?, ?/g, ',').trim();
  const plain = unquoteShape(squeezed)?.trim() ?? squeezed;
  if (parseShape(plain).kind === 'ok') return [replaceFix('Remove the spaces', span, plain)];
  const numbers = /^\(? ?(\d+(?: ?[,;x×*] ?\d+| \d+)*) ?,? ?\)?$/i.exec(plain)?.[1];
  const meant = numbers?.match(/\d+/g)?.join(',') ?? '';
  if (meant === '' || parseShape(meant).kind !== 'ok') return [];
  return [replaceFix(`Write '${meant}'`, span, meant, { safe: false })];
}
