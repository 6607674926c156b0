import { findLineEnd } from '../../core/text/line-splitter.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import { jsonShape } from '../json/shape.ts';
import type { MessageProtocols, ProtocolMessages, Protocols } from '../protocol.ts';

/** The syntax of a text: AICL and AICF have their own, all other protocols are JSON. */
export type TextLayerName = 'aicl' | 'aicf' | 'json';

/** A line that only AICF has: a command with a field, or alone. */
const AICF_LINE =
  /^[ \t]*(?:(?:Request|Response):[ \t]*)?(?:(?:CALL|INFO|OK|ERR|TOOLS|TOOL|STREAM)\||(?:LIST|END|OK|TOOLS)[ \t]*$)/;
const AICL_START = /^\s*\[[sifbldt]:/;
/** JSON, or an event of a stream. */
const JSON_START = /^(?:[{["\d-]|(?:true|false|null)\b|(?:data|event|id|retry)?:)/;
/** The number of lines examined before a text is taken for the requested language. */
const LINES_LOOKED_AT = 200;

/** True for a text that begins as a value of AICL does. */
export function startsAicl(text: string): boolean {
  return AICL_START.test(text);
}

/** The language of a text, by the first line that identifies one; otherwise that of the requested protocol, or JSON. */
export function detectLayer(
  protocols: MessageProtocols,
  text: string,
  from: string | undefined,
): TextLayerName {
  return findLayer(text) ?? protocols.format(from)?.language ?? 'json';
}

/** The language of a text, by the first line that identifies one; undefined if none of the first lines does. */
export function findLayer(text: string): TextLayerName | undefined {
  let start = 0;
  for (let line = 0; line < LINES_LOOKED_AT && start < text.length; line++) {
    const end = findLineEnd(text, start);
    const found = layerOfLine(text.slice(start, Math.min(end, start + LONGEST_START)));
    if (found) return found;
    start = end + 1;
  }
  return undefined;
}

/** The number of characters of a line that are examined; each sign of a language is shorter. */
const LONGEST_START = 200;

function layerOfLine(line: string): TextLayerName | undefined {
  const trimmed = line.replace(/^[\uFEFF \t]+/, '');
  if (startsAicl(trimmed)) return 'aicl';
  if (AICF_LINE.test(line)) return 'aicf';
  return JSON_START.test(trimmed) ? 'json' : undefined;
}

/**
 * The protocol of a value; undefined for a value that is no message. A JSON-RPC reply belongs to the protocol
 * of the message `before` it, because its members seldom identify it.
 */
export function recogniseValue<Known extends ProtocolMessages>(
  protocols: Protocols<Known>,
  value: Value,
  before: Known | undefined,
): Known | undefined {
  if (jsonShape.recognises(value)) return undefined;
  const found = protocols.byOrder.find(({ shape }) => shape?.recognises(value));
  if (!found?.isRpc || !before?.isRpc || value.kind !== 'dict') return found;
  return findEntry(value, 'method') ? found : before;
}
