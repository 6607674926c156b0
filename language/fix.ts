import type { Fix } from '../core/text/issue.ts';
import type { Span } from '../core/text/span.ts';

/** A fix that replaces one span. It is safe unless `options` marks it as a guess. */
export function replaceFix(
  title: string,
  { start, end }: Span,
  newText: string,
  options: { readonly safe: boolean } = { safe: true },
): Fix {
  return { title, edits: [{ span: { start, end }, newText }], safe: options.safe };
}
