import type { ConversionName } from '../../core/catalog/conversions.ts';

/** How a text is read: AICL and AICF have languages of their own, all others are JSON. */
export type TextLayerName = 'aicl' | 'aicf' | 'json';

/** A line that only AICF has: a command with a field, or alone. */
const AICF_LINE =
  /^[ \t]*(?:(?:Request|Response):[ \t]*)?(?:(?:CALL|INFO|OK|ERR|TOOLS|TOOL|STREAM)\||(?:LIST|END|OK|TOOLS)[ \t]*$)/;
const AICL_START = /^\s*\[[sifbldt]:/;
/** JSON, or an event of a stream. */
const JSON_START = /^(?:[{["\d-]|(?:true|false|null)\b|(?:data|event|id|retry)?:)/;
/** Lines looked at before a text counts as the language that was asked for. */
const LINES_LOOKED_AT = 200;

/** True for a text that begins as a value of AICL does. */
export function startsAicl(text: string): boolean {
  return AICL_START.test(text);
}

/**
 * The language of a text by its first line that says one. A text that says none is in the language of the protocol that
 * was asked for, else JSON.
 */
export function detectLayer(text: string, from: ConversionName | undefined): TextLayerName {
  return findLayer(text) ?? (from === 'aicl' || from === 'aicf' ? from : 'json');
}

/** The language of a text by its first line that says one; undefined where none of the first ones does. */
export function findLayer(text: string): TextLayerName | undefined {
  let start = 0;
  for (let line = 0; line < LINES_LOOKED_AT && start < text.length; line++) {
    const end = lineEnd(text, start);
    const found = layerOfLine(text.slice(start, Math.min(end, start + LONGEST_START)));
    if (found) return found;
    start = end + 1;
  }
  return undefined;
}

/** No sign of a language is longer. */
const LONGEST_START = 200;

function layerOfLine(line: string): TextLayerName | undefined {
  const trimmed = line.replace(/^[\uFEFF \t]+/, '');
  if (startsAicl(trimmed)) return 'aicl';
  if (AICF_LINE.test(line)) return 'aicf';
  return JSON_START.test(trimmed) ? 'json' : undefined;
}

function lineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return text.length;
}
