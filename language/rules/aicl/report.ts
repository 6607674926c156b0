import type { AtomNode } from '../../aicl/ast.ts';
import { atomSource, contentSpan } from '../../aicl/ast.ts';
import type { UnitReading } from '../../aicl/document.ts';
import { AICL_RULES, type AiclRuleCode } from '../../../core/catalog/aicl-rules.ts';
import type { RuleRow } from '../../../core/catalog/rule-row.ts';
import type { Settings } from '../../../core/catalog/settings.ts';
import type { Fix, Issue, RelatedPlace } from '../../../core/text/issue.ts';
import type { Span } from '../../../core/text/span.ts';

const ROWS = new Map<AiclRuleCode, RuleRow>(AICL_RULES.map(row => [row.code, row]));

/** So many issues of one unit are listed: a reader mends the first ones, and a long message must not fill the memory. */
const MOST_ISSUES = 10_000;

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
  add(
    code: AiclRuleCode,
    { start, end }: Span,
    message: string,
    fixes: readonly Fix[] = [],
    related: readonly RelatedPlace[] = [],
  ): void {
    const issue = makeIssue(code, { start, end }, message);
    if (this.issues.length >= MOST_ISSUES) return this.#leaveOut(issue);
    this.issues.push({
      ...issue,
      ...(fixes.length > 0 && { fixes }),
      ...(related.length > 0 && { related }),
    });
  }

  /** Adds an issue that was found before. */
  addFound(issue: Issue<AiclRuleCode>): void {
    if (this.issues.length >= MOST_ISSUES) this.#leaveOut(issue);
    else this.issues.push(issue);
  }

  /** Past the limit one issue stands for all that follow. */
  #leaveOut(issue: Issue<AiclRuleCode>): void {
    const last = this.issues[MOST_ISSUES];
    const hidesError =
      (last?.hidesError === true || issue.severity === 'error') && ({ hidesError: true } as const);
    const { code, severity, span, message } = last ?? {
      ...issue,
      message: `More than ${MOST_ISSUES} issues in one message: the rest is not listed`,
    };
    this.issues[MOST_ISSUES] = { code, severity, span, message, ...hidesError };
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

/** An issue with the severity and the wire code of its row. */
export function makeIssue(code: AiclRuleCode, span: Span, message: string): Issue<AiclRuleCode> {
  const row = ROWS.get(code);
  if (!row) throw new Error(`makeIssue: no rule '${code}'`);
  const suffix = row.wire === undefined ? '' : ` (${row.wire})`;
  return {
    code,
    severity: row.severity,
    span,
    message: message + suffix,
    ...(row.wire !== undefined && { wire: row.wire }),
  };
}

/** What an atom holds, or all of it where that is nothing: an empty span cannot be underlined. */
export function widenAtom(atom: AtomNode): Span {
  const content = contentSpan(atom);
  return content.start === content.end ? atom : content;
}

/** An empty span cannot be underlined: the character before it is taken too. */
export function widen(span: Span): Span {
  return span.start === span.end ? { start: span.start - 1, end: span.end } : span;
}
