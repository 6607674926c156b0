import type { AicfSide } from '../../../core/catalog/aicf.ts';
import type { Span } from '../../../core/text/span.ts';
import { scanJson, type JsonToken } from '../../json/json-scanner.ts';
import type { TokenBuilder } from '../../tokens.ts';
import { embedField } from '../codec.ts';

/** An escape of JSON, of the field, or of both combined. */
const ESCAPE = /\\+(?:u[0-9a-f]{4}|[^\\\s])?/gi;

/** Adds the tokens of JSON in a field that starts at an offset: keys, strings, numbers, words. It may be invalid. */
export function addJsonTokens(tokens: TokenBuilder, source: string, start: number, side: AicfSide): void {
  const embedded = embedField(source, start, side);
  let last: JsonToken | undefined;
  for (const token of scanJson(embedded.text)) {
    if (last?.kind === 'string')
      addString(tokens, source, start, embedded.toSource(last), token.kind === ':' ? 'property' : 'string');
    else if (last && !last.fault && (last.kind === 'number' || last.kind === 'word')) {
      const span = embedded.toSource(last);
      tokens.add(span.start, span.end, last.kind === 'word' ? 'enumMember' : 'number');
    }
    last = token;
  }
}

function addString(
  tokens: TokenBuilder,
  source: string,
  start: number,
  span: Span,
  kind: 'property' | 'string',
): void {
  // A quotation mark at the end is no part of an escape.
  const content = source.slice(span.start - start, span.end - start - 1);
  for (const { index, 0: escape } of content.matchAll(ESCAPE)) {
    const at = span.start + index;
    tokens.add(span.start, at, kind);
    tokens.add(at, at + escape.length, 'regexp');
  }
  tokens.add(span.start, span.end, kind);
}
