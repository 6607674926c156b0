import { readdirSync, readFileSync } from 'node:fs';
import type { RuleCode } from '../../../core/catalog/rules.ts';
import type { OutlineSymbol } from '../../../language/support.ts';
import type { Issue } from '../../../core/text/issue.ts';
import type { Span } from '../../../core/text/span.ts';

/** A token of a sample; `name` is its row in the table. */
export interface SampleToken extends Span {
  readonly name: string;
}

type DamageKind = 'deleted' | 'doubled' | 'swapped';

/** A text with one token damaged. */
export interface Damage {
  readonly kind: DamageKind;
  /** The damaged token; of a swap the first of the two. */
  readonly token: SampleToken;
  readonly text: string;
  /** From the end of the token before the damage to the end of the one after it: at the damage or right after it. */
  readonly place: Span;
  /** How much longer the text became. */
  readonly moveBy: number;
}

/** A file of samples. */
export interface SampleFile {
  readonly name: string;
  readonly text: string;
}

/** The files of samples of one language. */
export function listSamples(language: 'aicl' | 'aicf'): readonly SampleFile[] {
  const folder = new URL(`../samples/${language}/`, import.meta.url);
  return readdirSync(folder)
    .sort()
    .map(name => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));
}

/** Each token of a message or line deleted, doubled, and swapped with the one after it. */
export function* listDamages(text: string, tokens: readonly SampleToken[]): Generator<Damage> {
  for (const [index, token] of tokens.entries()) {
    const { start, end } = token;
    const own = text.slice(start, end);
    const next = tokens[index + 1];
    const from = tokens[index - 1]?.end ?? start;
    const around = (kind: DamageKind, newText: string, last: SampleToken, after?: SampleToken): Damage => {
      const moveBy = newText.length - (last.end - start);
      return {
        kind,
        token,
        text: text.slice(0, start) + newText + text.slice(last.end),
        place: { start: from, end: (after ?? last).end + moveBy },
        moveBy,
      };
    };
    yield around('deleted', '', token, next);
    yield around('doubled', own + own, token, next);
    if (!next) continue;
    const swapped = text.slice(next.start, next.end) + text.slice(end, next.start) + own;
    yield around('swapped', swapped, next, tokens[index + 2]);
  }
}

/** What a damage brought, hints apart: what is said of the whole sample too, counted by code, is taken off. */
export function listNewIssues(
  before: readonly Issue<RuleCode>[],
  after: readonly Issue<RuleCode>[],
): readonly Issue<RuleCode>[] {
  const known = new Map<RuleCode, number>();
  for (const { code } of before) known.set(code, (known.get(code) ?? 0) + 1);
  return after.filter(({ code, severity }) => {
    const left = known.get(code) ?? 0;
    known.set(code, left - 1);
    return left <= 0 && severity !== 'hint';
  });
}

/** A symbol and all that is in it, as it is in a text that has more characters before it. */
export function moveSymbol(symbol: OutlineSymbol, by: number): OutlineSymbol {
  const move = ({ start, end }: Span): Span => ({ start: start + by, end: end + by });
  return {
    ...symbol,
    span: move(symbol.span),
    nameSpan: move(symbol.nameSpan),
    children: symbol.children.map(child => moveSymbol(child, by)),
  };
}

/** A damage for a failure's message: what was done where, and what was said of it. */
export function describeDamage(
  { kind, token, text, place }: Damage,
  issues: readonly Issue<RuleCode>[],
): string {
  const around = JSON.stringify(text.slice(Math.max(0, place.start - 20), place.end + 40));
  const said = issues.map(issue => `${issue.code} at ${issue.span.start}`).join(', ');
  return `${token.name} ${kind} at ${token.start}, ${around}: ${said}`;
}

/** Counts damages by token and kind, and by how many diagnostics they gave. */
export class DamageTable {
  readonly #rows = new Map<string, number[]>();

  count({ token, kind }: Damage, issues: number): void {
    const name = `${token.name.padEnd(12)}${kind.padEnd(8)}`;
    const row = this.#rows.get(name) ?? [0, 0, 0, 0];
    this.#rows.set(name, row);
    row[Math.min(issues, 3)] = (row[Math.min(issues, 3)] ?? 0) + 1;
  }

  /** The table as lines of text. */
  print(): string {
    const cells = (row: readonly (number | string)[]): string =>
      row.map(cell => String(cell).padStart(7)).join('');
    const lines = [...this.#rows].sort().map(([name, row]) => `      ${name}${cells(row)}`);
    return [`      ${'token       damage  '}${cells(['none', 'one', 'two', 'more'])}`, ...lines].join('\n');
  }
}
