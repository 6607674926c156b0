/** The part of the TextMate grammar format that we use. */
export interface Grammar {
  readonly name: string;
  readonly scopeName: string;
  /** The selector of the grammar that this one is injected into. */
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

/** Captures by group number, from 1. An empty scope leaves its group without one. */
export function captures(...scopes: readonly (string | Rule)[]): Captures {
  const entries = scopes.map(
    (scope, index) => [String(index + 1), typeof scope === 'string' ? { name: scope } : scope] as const,
  );
  return Object.fromEntries(entries.filter(([, rule]) => rule.name !== ''));
}

/** An alternation of names. Longer names come first, so that a prefix does not match in their place. */
export function anyOf(names: readonly string[]): string {
  const ordered = [...names].sort((a, b) => b.length - a.length);
  return `(?:${ordered.map(name => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`;
}
