import type { MessageLanguage } from '../../../core/catalog/protocols.ts';
import { encodeField } from '../../../language/aicf/codec.ts';
import { escapeText } from '../../../language/aicl/escapes.ts';

/** The form of a text in a message of a language. AICL cannot send lone surrogates: they are replaced. */
export function encodeText(language: MessageLanguage, text: string): string {
  return language === 'aicf' ? encodeField(text) : escapeText(text.replace(LONE_SURROGATES, '\ufffd'));
}

const LONE_SURROGATES = /\p{Surrogate}/gu;

/** The first half of a surrogate pair, whose second half may follow. */
const HALF = /[\ud800-\udbff]/;

/** Backslashes that may be part of an escape, or be followed by an escaped character. */
const UNDECIDED = /(?<!\\)\\+(?:u(?:0(?:0[05]?)?)?)?$/;

/**
 * The length of the prefix whose encoding does not depend on what follows. Excluded are half of a surrogate pair; in
 * AICF a CR, which may be half of a line end; in AICL backslashes, whose meaning depends on the next characters.
 */
export function decidedTo(text: string, language: MessageLanguage): number {
  if (HALF.test(text.slice(-1))) return text.length - 1;
  if (language === 'aicf') return text.endsWith('\r') ? text.length - 1 : text.length;
  return UNDECIDED.exec(text)?.index ?? text.length;
}
