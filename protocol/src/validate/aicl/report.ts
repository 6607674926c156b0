import type { AtomNode } from '../../aicl/ast.ts';
import { atomSource } from '../../aicl/ast.ts';
import type { UnitReading } from '../../aicl/document.ts';
import { AICL_RULES, type AiclRuleCode } from '../../catalog/aicl-rules.ts';
import type { RuleRow } from '../../catalog/rule-row.ts';
import type { Settings } from '../../catalog/settings.ts';
import type { Fix, Issue } from '../../text/issue.ts';
import type { Span } from '../../text/span.ts';

const ROWS = new Map<AiclRuleCode, RuleRow>(AICL_RULES.map(row => [row.code, row]));

/** What a rule gets: the unit that it looks at, and where its findings go. Spans count from the unit's start. */
export class UnitReport {
  readonly issues: Issue<AiclRuleCode>[] = [];
  readonly reading: UnitReading;
  readonly settings: Settings;

  constructor(reading: UnitReading, settings: Settings) {
    this.reading = reading;
    this.settings = settings;
  }

  /** Adds an issue with the severity and the wire code of its row. */
  add(code: AiclRuleCode, { start, end }: Span, message: string, fixes: readonly Fix[] = []): void {
    const row = ROWS.get(code);
    if (!row) throw new Error(`UnitReport.add: no rule '${code}'`);
    const suffix = row.wire === undefined ? '' : ` (${row.wire})`;
    this.issues.push({
      code,
      severity: row.severity,
      span: { start, end },
      message: message + suffix,
      ...(row.wire !== undefined && { wire: row.wire }),
      ...(fixes.length > 0 && { fixes }),
    });
  }

  /** An atom's content as it is written. */
  source(atom: AtomNode): string {
    return atomSource(this.reading.text, this.reading.base, atom);
  }

  /** The unit's text at a span. */
  slice(span: Span): string {
    const { text, base } = this.reading;
    return text.slice(base + span.start, base + span.end);
  }
}
