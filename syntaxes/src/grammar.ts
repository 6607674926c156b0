/** A TextMate grammar, as far as we write it. */
export interface Grammar {
  readonly name: string;
  readonly scopeName: string;
  /** Where the grammar is added to another one. */
  readonly injectionSelector?: string;
  readonly patterns: readonly Rule[];
  readonly repository: Readonly<Record<string, Rule>>;
}

export interface Rule {
  readonly name?: string;
  readonly contentName?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly while?: string;
  readonly include?: string;
  readonly captures?: Captures;
  readonly beginCaptures?: Captures;
  readonly endCaptures?: Captures;
  readonly whileCaptures?: Captures;
  readonly patterns?: readonly Rule[];
}

type Captures = Readonly<Record<string, Rule>>;

/** Scopes by the number of their capture group, from 1; an empty scope leaves its group as it is. */
export function captures(...scopes: readonly (string | Rule)[]): Captures {
  const entries = scopes.map(
    (scope, index) => [String(index + 1), typeof scope === 'string' ? { name: scope } : scope] as const,
  );
  return Object.fromEntries(entries.filter(([, rule]) => rule.name !== ''));
}

/** An alternative of names, longest first, so that none hides a longer one. */
export function anyOf(names: readonly string[]): string {
  const ordered = [...names].sort((a, b) => b.length - a.length);
  return `(?:${ordered.map(name => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`;
}
