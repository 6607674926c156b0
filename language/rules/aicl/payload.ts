import type { DtypeRow } from '../../../core/catalog/dtypes.ts';
import { base85TextLength, checkBase85, encodeBase85, type Base85Check } from '../../../tensor/base85.ts';
import { findVariant } from '../../../tensor/base85-variants.ts';
import { countBytes } from '../../../tensor/tensor-text.ts';
import { replaceFix } from '../../../core/text/fix.ts';
import type { Fix } from '../../../core/text/issue.ts';
import { quote } from '../../../core/text/quote.ts';
import type { Span } from '../../../core/text/span.ts';
import { checkBlanks, checkBools, checkTail } from './payload-hints.ts';
import { widen, type UnitReport } from './report.ts';

/** What a tensor says of its data: its type, its shape, and where that stands. */
export interface TensorHead {
  readonly dtype: DtypeRow | undefined;
  readonly shape: readonly bigint[] | undefined;
  readonly shapeSpan: Span;
}

interface Wanted extends TensorHead {
  /** Undefined where type or shape is not known. */
  readonly bytes: bigint | undefined;
}

/** A tensor's data: its alphabet, its groups, its length against type and shape (reading of LightAICL 3.3). */
export function checkPayload(report: UnitReport, span: Span, head: TensorHead): void {
  const { dtype, shape } = head;
  const { text, base } = report.reading;
  const found = checkBase85(text, base + span.start, base + span.end);
  // Only data with a fault can hold an elision: its characters are none of Base85.
  if (found.fault && reportElision(report, span)) return;
  const wanted = { ...head, bytes: dtype && shape ? countBytes(shape, dtype.bytes) : undefined };
  if (found.fault?.kind === 'character') {
    if (!reportVariant(report, span, wanted)) reportCharacter(report, span, found.fault.at);
    return;
  }
  if (found.fault?.kind === 'overflow') {
    const start = span.start + found.fault.at;
    const group = { start, end: Math.min(start + 5, span.end) };
    const message = `The group ${quote(report.slice(group))} stands for more than four bytes can hold: encode the data again`;
    report.add('aicl/tensor-payload', group, message);
    return;
  }
  if (!checkLength(report, span, found, wanted)) return;
  if (dtype?.name === 'bool') checkBools(report, span);
  checkBlanks(report, span, found);
  checkTail(report, span, found);
}

/** Reports that data is left out, as documents do; true where it is. */
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

/** Data of more characters is named for what it is, but a fix that holds all of it would be too large. */
const MAX_REENCODED = 1_000_000;

/** Reports data that another encoder wrote, where it holds exactly the bytes that type and shape want. */
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
  const message = `${quote(String.fromCodePoint(point))} is no character of Base85 (RFC 1924), ${offset} characters into the data: encode the data again`;
  report.add('aicl/tensor-payload', { start, end }, message);
}

/** True where the data has the length that type and shape want; a tail of one character has no length at all. */
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

/** A shape of one dimension can be corrected from the data, where whole elements are there. */
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
