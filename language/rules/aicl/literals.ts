import { contentSpan, type AtomNode } from '../../aicl/ast.ts';
import { replaceFix } from '../../fix.ts';
import type { Fix } from '../../../core/text/issue.ts';
import { quote } from '../../../core/text/quote.ts';
import type { Span } from '../../../core/text/span.ts';
import { widenAtom, type UnitReport } from './report.ts';

const INT_MAX = 9223372036854775807n;
const INT_MIN = -9223372036854775808n;
/** Integers up to this length, including the sign, are always in range. */
const SAFE_INT_LENGTH = 18;

/** An integer must match `[+-]?[0-9]+` and fit into 64 bits (reading of LightAICL 3.1). */
export function checkInt(report: UnitReport, atom: AtomNode): void {
  const source = report.source(atom);
  if (!isInt(source)) {
    const message = `${quote(source)} is not an integer: write digits with an optional sign`;
    const trimmed = source.trim();
    if (isInt(trimmed)) reportLiteral(report, 'aicl/invalid-int', atom, message, trimmed);
    else report.add('aicl/invalid-int', widenAtom(atom), message, mendInt(atom, trimmed));
    return;
  }
  if (source.length <= SAFE_INT_LENGTH) return;
  const digits = source.replace(/^[+-]?0*/, '');
  const isInRange =
    digits.length <= 19 && isInt64(BigInt(digits || '0') * (source.startsWith('-') ? -1n : 1n));
  if (!isInRange) {
    report.add(
      'aicl/int-range',
      contentSpan(atom),
      `${quote(source)} does not fit into 64 bits: send it as a text`,
      [replaceFix('Write it as a text', letterOf(atom), 's', { safe: false })],
    );
  }
}

/**
 * Fixes for a float with the wrong type letter, and for digits in the notations of programming languages and
 * input methods.
 */
function mendInt(atom: AtomNode, source: string): readonly Fix[] {
  if (source.length > 100) return [];
  if (isDecimalFloat(source) && source.length === atom.contentEnd - contentSpan(atom).start)
    return [replaceFix('Write it as a float', letterOf(atom), 'f', { safe: false })];
  const plain = source
    .replace(/[０-９]/g, digit => String(digit.charCodeAt(0) - 0xff10))
    .replace(/(?<=\d)_(?=\d)/g, '');
  const meant = /^0x[0-9a-f]{1,15}$/i.test(plain) ? String(BigInt(plain)) : plain;
  return isInt(meant) ? [replaceFix(`Write '${meant}'`, contentSpan(atom), meant, { safe: false })] : [];
}

/** The span of an atom's type letter. */
function letterOf({ start }: AtomNode): Span {
  return { start: start + 1, end: start + 2 };
}

/** True for an integer literal of any size. */
export function isInt(source: string): boolean {
  return INT.test(source);
}

const INT = /^[+-]?[0-9]+$/;

function isInt64(value: bigint): boolean {
  return INT_MIN <= value && value <= INT_MAX;
}

/** Notations of other languages, with the AICL notation of each. */
const MEANT_FLOATS: ReadonlyMap<string, string> = new Map([
  ['infinity', 'inf'],
  ['+infinity', 'inf'],
  ['-infinity', '-inf'],
  ['+inf', 'inf'],
  ['+nan', 'nan'],
  ['-nan', 'nan'],
]);

/**
 * A float must be digits with optional point and exponent, or `inf`, `-inf`, `nan` in any case (reading of
 * LightAICL 3.1).
 */
export function checkFloat(report: UnitReport, atom: AtomNode): void {
  const source = report.source(atom);
  if (/^(inf|-inf|nan)$/i.test(source)) return;
  if (!isDecimalFloat(source)) {
    reportLiteral(
      report,
      'aicl/invalid-float',
      atom,
      `${quote(source)} is not a float: write it as 1.5, 1e-9, inf or nan`,
      meantFloat(source),
    );
    return;
  }
  const value = Number(source);
  if (!Number.isFinite(value)) {
    report.add(
      'aicl/float-overflow',
      contentSpan(atom),
      `${quote(source)} is larger than a double can hold: write inf if that is meant`,
      writeFloat(atom, source.startsWith('-') ? '-inf' : 'inf'),
    );
  } else if (value === 0 && /[1-9]/.test(source.split(/e/i, 1)[0] ?? '')) {
    report.add(
      'aicl/float-underflow',
      contentSpan(atom),
      `${quote(source)} is nearer to zero than a double can hold: it is read as 0`,
      writeFloat(atom, source.startsWith('-') ? '-0.0' : '0.0'),
    );
  }
}

function writeFloat(atom: AtomNode, meant: string): readonly Fix[] {
  return [replaceFix(`Write '${meant}'`, contentSpan(atom), meant, { safe: false })];
}

function meantFloat(source: string): string | undefined {
  const known = MEANT_FLOATS.get(source.trim().toLowerCase());
  const repaired = source.trim().replace(/^([^,]*),([^,]*)$/, '$1.$2');
  return known ?? (isDecimalFloat(repaired) || /^(inf|-inf|nan)$/i.test(repaired) ? repaired : undefined);
}

/** True for a decimal literal with a point, an exponent, both or neither. */
export function isDecimalFloat(source: string): boolean {
  return DECIMAL.test(source);
}

const DECIMAL = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** A boolean must be `true` or `false`. */
export function checkBool(report: UnitReport, atom: AtomNode): void {
  const source = report.source(atom);
  if (source === 'true' || source === 'false') return;
  const lower = source.trim().toLowerCase();
  const message = `${quote(source)} is not a boolean: write true or false`;
  const number = lower === '1' ? 'true' : lower === '0' ? 'false' : undefined;
  if (number !== undefined) {
    const fix = replaceFix(`Write '${number}'`, contentSpan(atom), number, { safe: false });
    report.add('aicl/invalid-bool', contentSpan(atom), message, [fix]);
    return;
  }
  const meant = lower === 'true' || lower === 'false' ? lower : undefined;
  reportLiteral(report, 'aicl/invalid-bool', atom, message, meant);
}

type LiteralRule = 'aicl/invalid-int' | 'aicl/invalid-float' | 'aicl/invalid-bool';

function reportLiteral(
  report: UnitReport,
  code: LiteralRule,
  atom: AtomNode,
  message: string,
  meant: string | undefined,
): void {
  const fixes = meant === undefined ? [] : [replaceFix(`Write '${meant}'`, contentSpan(atom), meant)];
  report.add(code, widenAtom(atom), message, fixes);
}
