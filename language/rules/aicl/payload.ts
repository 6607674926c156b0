import type { DtypeRow } from '../../../core/catalog/dtypes.ts';
import { base85TextLength, checkBase85, encodeBase85, type Base85Check } from '../../../tensor/base85.ts';
import { findVariant } from '../../../tensor/base85-variants.ts';
import { countBytes } from '../../../tensor/tensor-text.ts';
import { replaceFix } from '../../fix.ts';
import type { Fix } from '../../../core/text/issue.ts';
import { quote } from '../../../core/text/quote.ts';
import type { Span } from '../../../core/text/span.ts';
import { checkBlanks, checkBools, checkTail } from './payload-hints.ts';
import { widen, type UnitReport } from './report.ts';

/** The head of a tensor: data type, shape, and the span of the shape. */
export interface TensorHead {
  readonly dtype: DtypeRow | undefined;
  readonly shape: readonly bigint[] | undefined;
  readonly shapeSpan: Span;
}

interface Wanted extends TensorHead {
  /** Undefined if data type or shape is unknown. */
  readonly bytes: bigint | undefined;
}

/**
 * The data of a tensor must be valid Base85 of the length that data type and shape require (reading of
 * LightAICL 3.3).
 */
export function checkPayload(report: UnitReport, span: Span, head: TensorHead): void {
  const { dtype, shape } = head;
  const { text, base } = report.reading;
  const found = checkBase85(text, base + span.start, base + span.end);
  // Data can be omitted only if it has a fault, because the omission marks are not Base85.
  if (found.fault && reportElision(report, span)) return;
  const wanted = { ...head, bytes: dtype && shape ? countBytes(shape, dtype.bytes) : undefined };
  if (found.fault?.kind === 'character') {
    if (!reportVariant(report, span, wanted)) reportCharacter(report, span, found.fault.at);
    return;
  }
  if (found.fault?.kind === 'overflow') {
    const start = span.start + found.fault.at;
    const group = { start, end: Math.min(start + 5, span.end) };
    const message = `The group ${quote(report.slice(group))} encodes more than four bytes can hold: encode the data again`;
    report.add('aicl/tensor-payload', group, message);
    return;
  }
  if (!checkLength(report, span, found, wanted)) return;
  if (dtype?.name === 'bool') checkBools(report, span);
  checkBlanks(report, span, found);
  checkTail(report, span, found);
}

/** Reports omitted data, as in documentation; true if there is such a mark. */
function reportElision(report: UnitReport, span: Span): boolean {
  const found = /\.\.\.|…/.exec(report.slice(span));
  if (!found) return false;
  const start = span.start + found.index;
  report.add(
    'aicl/elided-tensor',
    { start, end: start + found[0].length },
    'Data is left out here: all but the data was checked, and the message cannot be sent',
  );
  return true;
}

/** Maximum number of characters that a fix encodes again; a larger fix would take too much memory. */
const MAX_REENCODED = 1_000_000;

/** Reports data from another encoder, if it decodes to exactly the required number of bytes. */
function reportVariant(report: UnitReport, span: Span, { bytes }: Wanted): boolean {
  if (bytes === undefined || bytes > BigInt(span.end - span.start) * 4n) return false;
  const variant = findVariant(report.slice(span), Number(bytes));
  if (!variant) return false;
  const isSmall = span.end - span.start <= MAX_REENCODED;
  const advice = isSmall
    ? 'write it in the alphabet of RFC 1924'
    : "encode it again as Python's base64.b85encode does";
  report.add(
    'aicl/tensor-payload',
    span,
    `The data is ${variant.name}, not Base85 of RFC 1924: ${advice}`,
    isSmall
      ? [
          replaceFix(`Write the ${variant.name} data in Base85`, span, encodeBase85(variant.bytes), {
            safe: false,
          }),
        ]
      : [],
  );
  return true;
}

function reportCharacter(report: UnitReport, span: Span, offset: number): void {
  const start = span.start + offset;
  const point = report.slice({ start, end: start + 2 }).codePointAt(0) ?? 0;
  const end = start + (point > 0xffff ? 2 : 1);
  const message = `${quote(String.fromCodePoint(point))} is not a character of Base85 (RFC 1924), ${offset} characters into the data: encode the data again`;
  report.add('aicl/tensor-payload', { start, end }, message);
}

/** True if the data has the required length. A last group of one character encodes no byte and is always wrong. */
function checkLength(report: UnitReport, span: Span, found: Base85Check, wanted: Wanted): boolean {
  const { dtype, shape, bytes } = wanted;
  const isShort = found.fault?.kind === 'short-tail';
  const held = Math.floor(found.characters / 5) * 4 + Math.max(0, (found.characters % 5) - 1);
  if (!isShort && (bytes === undefined || bytes === BigInt(held))) return true;
  const wants =
    bytes === undefined || !dtype || !shape
      ? 'encode the data again'
      : `${dtype.name} of shape ${quote(shape.join(','))} needs ${bytes} bytes (${describeCharacters(bytes)})`;
  const has = isShort
    ? `The data has ${found.characters} characters, and its last group has one character, which holds no byte`
    : `The data has ${found.characters} characters (${held} bytes)`;
  report.add('aicl/tensor-length', widen(span), `${has}; ${wants}`, isShort ? [] : mendShape(held, wanted));
  return false;
}

/** A fix for a shape with one dimension, if the data has whole elements. */
function mendShape(held: number, { dtype, shape, shapeSpan }: Wanted): readonly Fix[] {
  if (!dtype || shape?.length !== 1 || held % dtype.bytes !== 0) return [];
  const meant = String(held / dtype.bytes);
  return [replaceFix(`Write the shape '${meant}'`, shapeSpan, meant, { safe: false })];
}

function describeCharacters(bytes: bigint): string {
  return bytes <= BigInt(Number.MAX_SAFE_INTEGER)
    ? `${base85TextLength(Number(bytes))} characters`
    : 'more than any message can hold';
}
