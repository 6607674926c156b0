import type { CancellationToken } from 'vscode-languageserver';
import type { EncodingName } from '../../../core/catalog/costs.ts';
import type { Encoding, TokenCount } from '../../../protocols/cost/encoding.ts';
import type { OpenDocument } from '../../../language/support.ts';
import type { Span } from '../../../core/text/span.ts';
import { utf8Length } from '../../../core/text/utf8.ts';
import type { FeatureHost } from '../features/feature.ts';
import { runInSlices } from '../slices.ts';
import { Answers } from './answers.ts';

/** The cost of a part of a document in its own notation. */
export interface SpanCost extends TokenCount {
  /** The size in UTF-8. */
  readonly bytes: number;
}

const known = new Answers<SpanCost>();

/** A part of a document and the encoding for counting it. */
export interface SpanQuestion {
  readonly span: Span;
  readonly encoding: EncodingName;
}

/** Counts the tokens of a part of a document; undefined if cancelled. Rejects if the encoding cannot be loaded. */
export function countSpan(
  host: FeatureHost,
  document: OpenDocument,
  { span, encoding }: SpanQuestion,
  token: CancellationToken,
): Promise<SpanCost | undefined> {
  return known.get(document, { span, encoding }, async () => {
    const text = document.text.slice(span.start, span.end);
    const loaded = await loadEncoding(host, encoding);
    const count = await runInSlices(host, loaded.counting(text), token);
    return count && { ...count, bytes: utf8Length(text) };
  });
}

/** Loads an encoding on first use. Rejects with a sentence for the user if that fails. */
export function loadEncoding({ runtime, connection }: FeatureHost, name: EncodingName): Promise<Encoding> {
  return runtime.loadEncoding(name, (method, params) => connection.sendRequest(method, params));
}
