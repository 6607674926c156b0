import { CONTENT_START, type AtomNode } from '../../aicl/ast.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { checkBool, checkFloat, checkInt } from './literals.ts';
import { UnitReport } from './report.ts';

type LiteralKind = Extract<AtomNode['kind'], 'int' | 'float' | 'bool'>;

const CHECKS: Readonly<Record<LiteralKind, (report: UnitReport, atom: AtomNode) => void>> = {
  int: checkInt,
  float: checkFloat,
  bool: checkBool,
};

/**
 * The fault of a text as a literal of a kind, in the words of its rule; undefined for a valid literal. The
 * whole text is checked.
 */
export function findLiteralFault(kind: LiteralKind, source: string): string | undefined {
  const text = `[${kind.charAt(0)}:${source}]`;
  const atom: AtomNode = { kind, start: 0, end: text.length, contentEnd: CONTENT_START + source.length };
  const place = { text, base: 0, start: 0, end: text.length, readTo: text.length };
  const report = new UnitReport(
    { ...place, kind: 'fragment', tree: undefined, faults: [] },
    DEFAULT_SETTINGS,
  );
  CHECKS[kind](report, atom);
  return report.issues.find(({ severity }) => severity === 'error')?.message;
}
