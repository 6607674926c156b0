import { findEntry, textIn } from '../../core/values/value.ts';
import { escapeText } from '../../language/aicl/escapes.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import type { Places } from '../../language/values/text-layer.ts';

/** The session that a text of AICL names first; undefined where it names none. */
export function readAiclSession(text: string): string | undefined {
  return textIn(findEntry(readAiclPieces(text).pieces[0]?.value, SESSION)) || undefined;
}

/** A message of AICL in another session, and nothing else of it changed. What is no message stays as it is. */
export function nameAiclSession(
  text: string,
  session: string,
): { readonly text: string; readonly isSigned: boolean } {
  const places: Places = new Map();
  const [piece] = readAiclPieces(text, places).pieces;
  if (piece?.value.kind !== 'dict') return { text, isSigned: false };
  const { entries } = piece.value;
  const isSigned = findEntry(piece.value, 'signature') !== undefined;
  const own = findEntry(piece.value, SESSION);
  const pair = `[s:${SESSION}]:[s:${escapeText(session)}]`;
  const span = own && places.get(own);
  if (textIn(own) === session) return { text, isSigned };
  if (span) return { text: text.slice(0, span.start) + pair + text.slice(span.end), isSigned };
  // The header has it between the protocol and the type.
  const next = entries.find(({ key }) => key !== 'protocol');
  const at = next && places.get(next.value)?.start;
  return { text: at === undefined ? text : `${text.slice(0, at)}${pair},${text.slice(at)}`, isSigned };
}

const SESSION = 'session_id';
