import { AIO_NAMES } from '../core/catalog/trace-names.ts';
import { findAll } from './search.ts';
import type { SourceText } from '../core/text/source-text.ts';
import { touchesOffset, type Span } from '../core/text/span.ts';
import type { NameOccurrence } from './names.ts';

const CALL_ID = new RegExp(`${AIO_NAMES.traceId}#${AIO_NAMES.id}`, 'g');

/** True if the whole text is a call name, `trace_id#id` (reading of AIO-MCP 4). */
export function isCallId(text: string): boolean {
  return text.length <= AIO_NAMES.longest && text.match(CALL_ID)?.[0] === text;
}

/** The call name at an offset, in any kind of text. */
export function callIdAt(text: SourceText, offset: number): NameOccurrence | undefined {
  const from = Math.max(0, offset - AIO_NAMES.longest);
  for (const found of text.slice(from, offset + AIO_NAMES.longest).matchAll(CALL_ID)) {
    const span = { start: from + found.index, end: from + found.index + found[0].length };
    if (touchesOffset(span, offset)) return toOccurrence(found[0], span);
  }
  return undefined;
}

/** Finds the occurrences of a call name in a span. */
export function* findCallId(text: SourceText, name: string, within: Span): Generator<NameOccurrence> {
  for (const start of findAll(text, name, within)) {
    // The match may be part of a longer name: check the character before it and the characters after it.
    const from = Math.max(0, start - 1);
    for (const found of text.slice(from, start + AIO_NAMES.longest).matchAll(CALL_ID)) {
      if (from + found.index > start) break;
      if (found[0] === name) yield toOccurrence(name, { start, end: start + name.length });
    }
  }
}

function toOccurrence(name: string, span: Span): NameOccurrence {
  return { kind: 'call', name, scope: '', span, role: 'uses' };
}
