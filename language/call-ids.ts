import { AIO_NAMES } from '../core/catalog/aio.ts';
import { findAll } from '../core/text/search.ts';
import type { SourceText } from '../core/text/source-text.ts';
import { touchesOffset, type Span } from '../core/text/span.ts';
import type { NameOccurrence } from './names.ts';

const CALL_ID = new RegExp(`${AIO_NAMES.traceId}#${AIO_NAMES.id}`, 'g');

/** True for a text that is the name of a call, `trace_id#id`, and nothing else (reading of AIO-MCP 4). */
export function isCallId(text: string): boolean {
  return text.length <= AIO_NAMES.longest && text.match(CALL_ID)?.[0] === text;
}

/** The name of a call that an offset touches, wherever in a text it stands. */
export function callIdAt(text: SourceText, offset: number): NameOccurrence | undefined {
  const from = Math.max(0, offset - AIO_NAMES.longest);
  for (const found of text.slice(from, offset + AIO_NAMES.longest).matchAll(CALL_ID)) {
    const span = { start: from + found.index, end: from + found.index + found[0].length };
    if (touchesOffset(span, offset)) return toOccurrence(found[0], span);
  }
  return undefined;
}

/** The places in a span where a call is named. */
export function* findCallId(text: SourceText, name: string, within: Span): Generator<NameOccurrence> {
  for (const start of findAll(text, name, within)) {
    // It may be a part of a longer name: the character before it tells, and how far the name goes.
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
