import { contentSpan, type AtomNode } from '../../aicl/ast.ts';
import { DTYPES, type DtypeRow } from '../../catalog/aicl.ts';
import { base85TextLength, checkBase85, type Base85Check } from '../../tensor/base85.ts';
import { countBytes, parseShape, splitTensor } from '../../tensor/tensor-text.ts';
import { replaceFix } from '../../text/fix.ts';
import { quote } from '../../text/quote.ts';
import { findSimilar } from '../../text/similar.ts';
import { shiftSpan, type Span } from '../../text/span.ts';
import type { UnitReport } from './report.ts';

/** A tensor in full, without decoding it: type, shape, alphabet, length (reading of LightAICL 3.3). */
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
  const shape = checkShape(report, shiftSpan(parts.shape, -base));
  checkPayload(report, shiftSpan(parts.payload, -base), dtype, shape);
}

function checkDtype(report: UnitReport, span: Span): DtypeRow | undefined {
  const name = report.slice(span);
  const row = DTYPES.find(candidate => candidate.name === name);
  if (row) return row;
  const meant =
    DTYPES.find(candidate => candidate.name === name.trim())?.name ??
    findSimilar(
      name.trim(),
      DTYPES.map(candidate => candidate.name),
    );
  const hint = meant ? `did you mean '${meant}'?` : 'see the data types in the documentation of this rule';
  const fixes = meant ? [replaceFix(`Write '${meant}'`, span, meant, { safe: name.trim() === meant })] : [];
  report.add('aicl/unknown-dtype', widen(span), `${quote(name)} is no data type: ${hint}`, fixes);
  return undefined;
}

/** The elements that a shape declares; undefined where it is none. */
function checkShape(report: UnitReport, span: Span): readonly bigint[] | undefined {
  const source = report.slice(span);
  const unquoted = /^(["'])(.*)\1$/s.exec(source)?.[2];
  const shape = parseShape(unquoted ?? source);
  if (shape.kind === 'ok') {
    if (unquoted !== undefined) {
      report.add('aicl/quoted-shape', span, 'A shape has no quotation marks: remove them', [
        replaceFix('Remove the quotation marks', span, unquoted),
      ]);
    }
    return shape.dimensions;
  }
  const squeezed = source.replace(/\s/g, '');
  const fixes = parseShape(squeezed).kind === 'ok' ? [replaceFix('Remove the blanks', span, squeezed)] : [];
  const at =
    shape.kind === 'too-large'
      ? { start: span.start + shape.start, end: span.start + shape.end }
      : widen(span);
  const message =
    shape.kind === 'too-large'
      ? `The dimension ${quote(report.slice(at))} is larger than 9007199254740991`
      : `${quote(source)} is no shape: write dimensions with commas between, as in 3,224,224`;
  report.add('aicl/tensor-shape', at, message, fixes);
  return undefined;
}

function checkPayload(
  report: UnitReport,
  span: Span,
  dtype: DtypeRow | undefined,
  shape: readonly bigint[] | undefined,
): void {
  const payload = report.slice(span);
  const elision = findElision(payload);
  if (elision) {
    const at = { start: span.start + elision.start, end: span.start + elision.end };
    report.add(
      'aicl/elided-tensor',
      at,
      'Data is left out here: all but the data was checked, and the message cannot be sent',
    );
    return;
  }
  const found = checkBase85(payload, 0, payload.length);
  if (found.fault?.kind === 'character') return reportCharacter(report, span, found.fault.at);
  if (found.fault?.kind === 'overflow') {
    const at = span.start + found.fault.at;
    const group = { start: at, end: Math.min(at + 5, span.end) };
    report.add(
      'aicl/tensor-payload',
      group,
      `The group ${quote(report.slice(group))} stands for more than four bytes can hold`,
    );
    return;
  }
  if (!checkLength(report, span, found, dtype, shape)) return;
  reportHints(report, span, found);
}

function findElision(payload: string): Span | undefined {
  const dots = payload.indexOf('...');
  const start = dots >= 0 ? dots : payload.indexOf('…');
  return start < 0 ? undefined : { start, end: start + (dots >= 0 ? 3 : 1) };
}

function reportCharacter(report: UnitReport, span: Span, offset: number): void {
  const start = span.start + offset;
  const point = report.slice({ start, end: start + 2 }).codePointAt(0) ?? 0;
  const end = start + (point > 0xffff ? 2 : 1);
  const message = `${quote(String.fromCodePoint(point))} is no character of Base85 (RFC 1924), ${offset} characters into the data`;
  report.add('aicl/tensor-payload', { start, end }, message);
}

/** True where the data has the length that type and shape want; a tail of one character has no length at all. */
function checkLength(
  report: UnitReport,
  span: Span,
  found: Base85Check,
  dtype: DtypeRow | undefined,
  shape: readonly bigint[] | undefined,
): boolean {
  const needed = dtype && shape ? countBytes(shape, dtype.bytes) : undefined;
  const isShort = found.fault?.kind === 'short-tail';
  const held = Math.floor(found.characters / 5) * 4 + Math.max(0, (found.characters % 5) - 1);
  if (!isShort && (needed === undefined || needed === BigInt(held))) return true;
  const wants =
    needed === undefined || !dtype || !shape
      ? ''
      : `${dtype.name} of shape ${quote(shape.join(','))} needs ${needed} bytes (${describeCharacters(needed)})`;
  const tail = 'its last group has one character, which holds no byte';
  const has = isShort
    ? `the data has ${found.characters} characters, and ${tail}`
    : `the data has ${found.characters} characters (${held} bytes)`;
  const message = wants ? `${has}; ${wants}` : has;
  report.add('aicl/tensor-length', widen(span), message.charAt(0).toUpperCase() + message.slice(1));
  return false;
}

function describeCharacters(bytes: bigint): string {
  return bytes <= BigInt(Number.MAX_SAFE_INTEGER)
    ? `${base85TextLength(Number(bytes))} characters`
    : 'more than any message can hold';
}

function reportHints(report: UnitReport, span: Span, found: Base85Check): void {
  if (found.strayBlank !== undefined) {
    const at = span.start + found.strayBlank;
    report.add(
      'aicl/payload-blank',
      { start: at, end: at + 1 },
      'A blank inside the data is never sent: remove it',
      [replaceFix('Remove the blank', { start: at, end: at + 1 }, '')],
    );
  }
  if (found.hasUnusedBits) {
    const tail = Math.max(span.start, span.end - (found.characters % 5));
    report.add(
      'aicl/payload-tail',
      { start: tail, end: span.end },
      'Bits of the last group belong to no byte: they are ignored',
    );
  }
}

/** An empty span cannot be underlined: the character before it is taken too. */
function widen(span: Span): Span {
  return span.start === span.end ? { start: span.start - 1, end: span.end } : span;
}
