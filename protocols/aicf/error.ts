import { intValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { parseJson } from '../../core/text/json.ts';
import { deriveCode, isOwn, type ErrorFields } from '../errors/errors.ts';

/** An `ERR` line: its fields as they are before escaping; undefined for one that it does not have. */
export interface AicfError {
  readonly code: string | undefined;
  readonly message: string | undefined;
}

const INTEGER = /^(?:0|-?[1-9]\d*)$/;
/** No original is looked for further from the end of a message. */
const LONGEST_ORIGINAL = 200;
const ORIGINAL = /(?:^| )\[([a-z0-9-]{1,40})(?: (-?\d+|[A-Za-z_][\w.:-]*|"(?:[^"\\]|\\.)*"))?\]$/;

/**
 * The error of an `ERR` line. The original that another protocol's error left at the end of the message, ` [aicl 4001]`,
 * comes back where code and message are what we write for it (reading of the protocols, section 8).
 */
export function readAicfError({ code, message }: AicfError): ErrorFields {
  const original = message === undefined ? undefined : readOriginal(message);
  const again = original && writeAicfError(original);
  if (original && again?.code === code && again?.message === message) return original;
  return {
    protocol: textValue('aicf'),
    code: code === undefined ? undefined : readCode(code),
    text: message === undefined ? undefined : textValue(message),
  };
}

/** An error as an `ERR` line. What does not come back by reading it is lost: `data` always is. */
export function writeAicfError(error: ErrorFields): AicfError {
  if (isOwn(error, 'aicf') && isPlain(error))
    return { code: error.code && showCode(error.code), message: textIn(error.text) };
  const isKept = isOwn(error, 'aicf') && error.code && isPlainCode(error.code);
  const code = isKept && error.code ? error.code : deriveCode(error, 'aicf');
  return { code: showCode(code), message: suffixed(withDetail(error), error) };
}

/** True for an error of AICF that a line says as it is, without naming AICF in its message. */
function isPlain({ code, text }: ErrorFields): boolean {
  if (code ? !isPlainCode(code) : text !== undefined) return false;
  return text === undefined || (text.kind === 'text' && readOriginal(text.text) === undefined);
}

/** True for a code that a field gives back: an integer, or a text that is none. */
function isPlainCode(code: Value): boolean {
  return code.kind === 'int' || (code.kind === 'text' && !INTEGER.test(code.text));
}

/** The text with the detail that an AICL error adds to it, if that is a text. */
function withDetail(error: ErrorFields): string | undefined {
  const text = textIn(error.text);
  const detail = isOwn(error, 'aicl') ? textIn(error.data) : undefined;
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
  // The first character of a tail is the start of the message only if that is no longer.
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

/** Which fields of an error do not come back from what was written. */
export function lostFields(error: ErrorFields): readonly (keyof ErrorFields)[] {
  const back = readAicfError(writeAicfError(error));
  return (['protocol', 'code', 'text', 'data'] as const).filter(name => {
    const [one, other] = [error[name], back[name]];
    return one && other ? !isSameValue(one, other) : one !== other;
  });
}
