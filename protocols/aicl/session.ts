import { findEntry, textIn } from '../../core/values/value.ts';
import { escapeText } from '../../language/aicl/escapes.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import type { Places } from '../../language/values/text-layer.ts';

/** The session of the first message in a text of AICL; undefined if it names none. */
export function readAiclSession(text: string): string | undefined {
  return textIn(findEntry(readAiclPieces(text).pieces[0]?.value, SESSION)) || undefined;
}

/** Puts another session into a message of AICL and changes nothing else; text that is no message is unchanged. */
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
  // In the header, the session is between the protocol and the type.
  const next = entries.find(({ key }) => key !== 'protocol');
  const at = next && places.get(next.value)?.start;
  return { text: at === undefined ? text : `${text.slice(0, at)}${pair},${text.slice(at)}`, isSigned };
}

/** A result in a session whose data is still empty. */
export function writeAiclAnswer(session: string): string {
  const fields = [
    '[s:protocol]:[s:LightAICL]',
    `[s:${SESSION}]:[s:${escapeText(session)}]`,
    '[s:msg_type]:[s:result]',
    '[s:data]:[s:]',
  ];
  return `[d:\n  ${fields.join(',\n  ')}\n]\n`;
}

const SESSION = 'session_id';
