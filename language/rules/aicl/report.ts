import type { AtomNode } from '../../aicl/ast.ts';
import { atomSource, contentSpan, isWord } from '../../aicl/ast.ts';
import type { UnitReading } from '../../aicl/document.ts';
import type { AiclRuleCode } from '../../../core/catalog/aicl-rules.ts';
import { findRule } from '../../../core/catalog/rules.ts';
import type { Settings } from '../../../core/catalog/settings.ts';
import type { Fix, Issue, RelatedPlace } from '../../../core/text/issue.ts';
import type { Span } from '../../../core/text/span.ts';

/** Maximum number of issues per unit, so that a long message does not fill the memory. */
const MAX_ISSUES = 10_000;

/** The unit that a rule checks, and the list of its issues. Spans are relative to the unit's start. */
export class UnitReport {
  readonly issues: Issue<AiclRuleCode>[] = [];
  readonly reading: UnitReading;
  readonly settings: Settings;

  constructor(reading: UnitReading, settings: Settings) {
    this.reading = reading;
    this.settings = settings;
  }

  /** Adds an issue with the severity and wire code of its catalog row. */
  add(
    code: AiclRuleCode,
    { start, end }: Span,
    message: string,
    fixes: readonly Fix[] = [],
    related: readonly RelatedPlace[] = [],
  ): void {
    const issue = makeIssue(code, { start, end }, message);
    if (this.issues.length >= MAX_ISSUES) return this.#leaveOut(issue);
    this.issues.push({
      ...issue,
      ...(fixes.length > 0 && { fixes }),
      ...(related.length > 0 && { related }),
    });
  }

  /** Adds an issue from the cache. */
  addFound(issue: Issue<AiclRuleCode>): void {
    if (this.issues.length >= MAX_ISSUES) this.#leaveOut(issue);
    else this.issues.push(issue);
  }

  /** Past the limit one issue represents all further ones. */
  #leaveOut(issue: Issue<AiclRuleCode>): void {
    const last = this.issues[MAX_ISSUES];
    const hidesError =
      (last?.hidesError === true || issue.severity === 'error') && ({ hidesError: true } as const);
    const { code, severity, span, message } = last ?? {
      ...issue,
      message: `More than ${MAX_ISSUES} issues in one message: the rest is not listed`,
    };
    this.issues[MAX_ISSUES] = { code, severity, span, message, ...hidesError };
  }

  /** The raw content of an atom. */
  source(atom: AtomNode): string {
    return atomSource(this.reading.text, this.reading.base, atom);
  }

  /** True if a word is the content of a text. */
  isWord(atom: AtomNode, word: string): boolean {
    return isWord(this.reading.text, this.reading.base, atom, word);
  }

  /** The unit's text in a span. */
  slice(span: Span): string {
    const { text, base } = this.reading;
    return text.slice(base + span.start, base + span.end);
  }
}

/** Creates an issue with the severity and wire code of its catalog row. */
export function makeIssue(code: AiclRuleCode, span: Span, message: string): Issue<AiclRuleCode> {
  const row = findRule(code);
  if (!row) throw new Error(`makeIssue: no rule '${code}'`);
  const suffix = row.wire === undefined ? '' : ` (error ${row.wire})`;
  return {
    code,
    severity: row.severity,
    span,
    message: message + suffix,
    ...(row.wire !== undefined && { wire: row.wire }),
  };
}

/**
 * The span of an atom's content, or of the whole atom if the content is empty, because an empty span cannot
 * be underlined.
 */
export function widenAtom(atom: AtomNode): Span {
  const content = contentSpan(atom);
  return content.start === content.end ? atom : content;
}

/** Extends an empty span by the character before it, because an empty span cannot be underlined. */
export function widen(span: Span): Span {
  return span.start === span.end ? { start: span.start - 1, end: span.end } : span;
}
