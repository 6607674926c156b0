import { intValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { isSameValue } from '../message/same-value.ts';
import { parseJson } from '../../core/text/json.ts';
import { deriveCode, detailOf, isOwn, type ErrorFields } from '../errors/errors.ts';
import type { MessageProtocols } from '../protocol.ts';

/** The fields of an `ERR` line before escaping; undefined for a missing field. */
export interface AicfError {
  readonly code: string | undefined;
  readonly message: string | undefined;
}

const INTEGER = /^(?:0|-?[1-9]\d*)$/;
/** The longest suffix of a message that is searched for an original error. */
const LONGEST_ORIGINAL = 200;
const ORIGINAL = /(?:^| )\[([a-z0-9-]{1,40})(?: (-?\d+|[A-Za-z_][\w.:-]*|"(?:[^"\\]|\\.)*"))?\]$/;

/**
 * Reads the error of an `ERR` line. If the message ends with an error of another protocol, ` [aicl 4001]`,
 * that error is restored, provided that writing it gives the same line (reading of the protocols, section 8).
 */
export function readAicfError({ code, message }: AicfError, protocols: MessageProtocols): ErrorFields {
  const original = message === undefined ? undefined : readOriginal(message);
  const again = original && writeAicfError(original, protocols);
  if (original && again?.code === code && again?.message === message) return original;
  return {
    protocol: textValue('aicf'),
    code: code === undefined ? undefined : readCode(code),
    text: message === undefined ? undefined : textValue(message),
  };
}

/** Writes an error as the fields of an `ERR` line. `lostFields` names those that reading does not restore. */
export function writeAicfError(error: ErrorFields, protocols: MessageProtocols): AicfError {
  if (isOwn(error, 'aicf') && isPlain(error))
    return { code: error.code && showCode(error.code), message: textIn(error.text) };
  const isKept = isOwn(error, 'aicf') && error.code && isPlainCode(error.code);
  const code = isKept && error.code ? error.code : deriveCode(error, 'aicf', protocols);
  return { code: showCode(code), message: suffixed(withDetail(error, protocols), error) };
}

/** True for an error of AICF that a line can hold without naming AICF in its message. */
function isPlain({ code, text }: ErrorFields): boolean {
  if (code ? !isPlainCode(code) : text !== undefined) return false;
  return text === undefined || (text.kind === 'text' && readOriginal(text.text) === undefined);
}

/** True for a code that reading a field restores: an integer, or a text that does not look like one. */
function isPlainCode(code: Value): boolean {
  return code.kind === 'int' || (code.kind === 'text' && !INTEGER.test(code.text));
}

/** The text, followed by the detail. */
function withDetail(error: ErrorFields, protocols: MessageProtocols): string | undefined {
  const text = textIn(error.text);
  const detail = detailOf(error, protocols);
  return detail === undefined || detail === '' ? text : [text, detail].filter(part => part).join(': ');
}

function suffixed(text: string | undefined, { protocol, code }: ErrorFields): string | undefined {
  const name = textIn(protocol);
  if (name === undefined) return text;
  const shown = code?.kind === 'text' ? printWord(code.text) : code?.kind === 'int' ? String(code.int) : '';
  return `${text === undefined ? '' : `${text} `}[${name}${shown === '' ? '' : ` ${shown}`}]`;
}

function printWord(word: string): string {
  return /^[A-Za-z_][\w.:-]*$/.test(word) ? word : JSON.stringify(word);
}

function readOriginal(message: string): ErrorFields | undefined {
  const tail = message.slice(-LONGEST_ORIGINAL);
  const found = ORIGINAL.exec(tail);
  const [whole, protocol, code] = found ?? [];
  if (whole === undefined || protocol === undefined) return undefined;
  // Without a space before it, the bracket must be the start of the whole message, not of a cut tail.
  if (!whole.startsWith(' ') && tail.length < message.length) return undefined;
  return {
    protocol: textValue(protocol),
    code: code === undefined ? undefined : readWord(code),
    text: whole.startsWith(' ') ? textValue(message.slice(0, -whole.length)) : undefined,
  };
}

function readWord(word: string): Value {
  const quoted: unknown = word.startsWith('"') ? parseJson(word) : undefined;
  return typeof quoted === 'string' ? textValue(quoted) : readCode(word);
}

function readCode(code: string): Value {
  return INTEGER.test(code) ? intValue(BigInt(code)) : textValue(code);
}

function showCode(code: Value): string {
  if (code.kind === 'int') return String(code.int);
  return textIn(code) ?? '';
}

/** The fields of an error that reading the written line does not restore. */
export function lostFields(error: ErrorFields, protocols: MessageProtocols): readonly (keyof ErrorFields)[] {
  const back = readAicfError(writeAicfError(error, protocols), protocols);
  return (['protocol', 'code', 'text', 'data'] as const).filter(name => {
    const [one, other] = [error[name], back[name]];
    return one && other ? !isSameValue(one, other) : one !== other;
  });
}
