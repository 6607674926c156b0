import type { CancellationToken } from 'vscode-languageserver';
import type { EncodingName } from '../../../core/catalog/encodings.ts';
import type { Encoding, TokenCount } from '../../../protocols/cost/encoding.ts';
import type { OpenDocument } from '../../../language/support.ts';
import type { Span } from '../../../core/text/span.ts';
import { utf8Length } from '../../../core/text/utf8.ts';
import type { FeatureHost } from '../features/feature.ts';
import { runInSlices } from '../slices.ts';
import { Answers } from './answers.ts';

/** What a part of a document costs as it is written. */
export interface SpanCost extends TokenCount {
  /** In UTF-8. */
  readonly bytes: number;
}

const known = new Answers<SpanCost>();

/** What is asked of a part of a document. */
export interface SpanQuestion {
  readonly span: Span;
  readonly encoding: EncodingName;
}

/** Counts a part of a document; undefined once it is cancelled. Rejects where the encoding cannot be loaded. */
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

/** The encoding, which is loaded when it is first asked for. Rejects with a sentence where it cannot be. */
export function loadEncoding({ runtime, connection }: FeatureHost, name: EncodingName): Promise<Encoding> {
  return runtime.loadEncoding(name, (method, params) => connection.sendRequest(method, params));
}
