import type { Fix } from './issue.ts';
import type { Span } from './span.ts';

/** A fix that writes something else in one place; safe unless `options` says that it is a guess. */
export function replaceFix(
  title: string,
  { start, end }: Span,
  newText: string,
  options: { readonly safe: boolean } = { safe: true },
): Fix {
  return { title, edits: [{ span: { start, end }, newText }], safe: options.safe };
}
