import type { ConversionName } from '../../core/catalog/conversions.ts';
import type { ErrorMeaning } from '../../core/catalog/error-meanings.ts';
import {
  dictValue,
  findEntry,
  intValue,
  NULL,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { findCode, findMeaning, meaningTitle, saysNotFound } from './error-code.ts';
import type { Report } from '../../core/message/report.ts';

/** What an error says as a protocol's message holds it. */
export interface FoundError {
  readonly code?: Value | undefined;
  readonly text?: Value | undefined;
  readonly data?: Value | undefined;
}

/** The fields of a neutral error. Codes belong to their protocol, so it is named. */
export interface ErrorFields extends FoundError {
  readonly protocol?: Value | undefined;
}

/** An error as a protocol's message is to hold it. */
export interface WrittenError {
  readonly code: Value | undefined;
  readonly text: string;
  readonly data: Value | undefined;
}

/**
 * The neutral fields of an error. One that was another protocol's comes back as it was: its data is the original, and its
 * code and text are what `writeError` makes of that. Other data is the error's own.
 */
export function readError(protocol: ConversionName, found: FoundError, report: Report): ErrorFields {
  const original = readOriginal(found.data);
  if (original && carries(protocol, found)) return original;
  if (original && original.protocol !== undefined && original.code !== undefined)
    report.note('An error names an original that its own code and text do not fit; it is kept as data');
  return { protocol: textValue(protocol), code: found.code, text: found.text, data: found.data };
}

/**
 * An error in a protocol's own terms. One of another protocol gets the code of the
 * same meaning, a text for people, and the original as its data (reading of the protocols, section 8).
 */
export function writeError(error: ErrorFields, to: ConversionName, report: Report): WrittenError {
  const text = textIn(error.text);
  if (text !== undefined && isOwn(error, to) && !carries(to, error))
    return { code: error.code, text, data: error.data };
  if (!isOwn(error, to) && !keepsCode(error, to) && findMeaningOf(error) === undefined && error.code)
    report.note(
      `The code ${showCode(error.code)} has no counterpart in ${to}; it stands in the data of the error`,
    );
  return {
    code: isOwn(error, to) && error.code ? error.code : deriveCode(error, to),
    text: deriveText(error, to),
    data: writeOriginal(error),
  };
}

/** An error as another protocol's error carries it. */
export function writeOriginal(error: ErrorFields): DictValue {
  return dictValue([
    { key: 'protocol', value: error.protocol },
    { key: 'code', value: error.code },
    { key: 'text', value: error.text },
    { key: 'data', value: error.data },
  ]);
}

/**
 * True for an error of a tool that ran and failed; the errors of JSON-RPC do not tell it from a fault of the server. A
 * result of AIP that says so, and a task of A2A that failed, have no code.
 */
export function isToolFailure(error: ErrorFields): boolean {
  const protocol = textIn(error.protocol);
  if (protocol === 'aip' || protocol === 'a2a') return error.code === undefined;
  const isOfTool = protocol === 'aicl' || protocol === 'aicf' || protocol === 'json-rpc';
  return isOfTool && findMeaningOf(error) === 'tool-failed' && showCode(error.code ?? NULL) !== '-32603';
}

/** True for an error of this protocol. */
export function isOwn(error: ErrorFields, protocol: ConversionName): boolean {
  return textIn(error.protocol) === protocol;
}

const ORIGINAL_KEYS = ['protocol', 'code', 'text', 'data'];

/** The original that data holds; undefined for data of another form. */
export function readOriginal(data: Value | undefined): ErrorFields | undefined {
  if (data?.kind !== 'dict' || data.entries.length > ORIGINAL_KEYS.length) return undefined;
  let before = -1;
  for (const { key } of data.entries) {
    const place = ORIGINAL_KEYS.indexOf(key);
    if (place <= before) return undefined;
    before = place;
  }
  return toError(data);
}

function toError(original: DictValue): ErrorFields {
  return {
    protocol: findEntry(original, 'protocol'),
    code: findEntry(original, 'code'),
    text: findEntry(original, 'text'),
    data: findEntry(original, 'data'),
  };
}

/** True where writing the original in the data gives this code and this text: then it is one that we wrote. */
function carries(protocol: ConversionName, found: FoundError): boolean {
  let outer = found;
  // An error of our own is wrapped only where it would else be read as one that carries another, and so on inwards.
  for (;;) {
    const original = readOriginal(outer.data);
    if (!original) return false;
    const isOurs = isOwn(original, protocol);
    const code = isOurs && original.code ? original.code : deriveCode(original, protocol);
    if (!isSame(outer.code, code)) return false;
    if (textIn(outer.text) !== deriveText(original, protocol)) return false;
    if (!isOurs || textIn(original.text) === undefined) return true;
    outer = original;
  }
}

function isSame(one: Value | undefined, other: Value | undefined): boolean {
  return one && other ? isSameValue(one, other) : one === other;
}

/** The code of the same meaning; a code without a meaning stays as it is where the other protocol can say it. */
export function deriveCode(error: ErrorFields, to: ConversionName): Value {
  const kept = keepsCode(error, to) || isMalformedIn(error, to) ? error.code : undefined;
  if (kept) return hasWords(to) && kept.kind === 'int' ? textValue(showCode(kept)) : kept;
  const code = findCode(to, findMeaningOf(error) ?? 'tool-failed') ?? 0;
  return hasWords(to) ? textValue(String(code)) : intValue(code);
}

/** True for a code of JSON-RPC for a malformed request that is the other protocol's as well: which of them it is stays. */
function isMalformedIn(error: ErrorFields, to: ConversionName): boolean {
  const { code, text } = error;
  if (code?.kind !== 'int' || hasWords(to) || to === 'aicl' || to === 'aicf') return false;
  return (
    findMeaningOf(error) === 'malformed' && findMeaning(to, showCode(code), textIn(text)) === 'malformed'
  );
}

/**
 * True for a code without a row, which keeps its own value (section 8): but not in AICL, where all of them are the one of a
 * tool that failed, and not where it would mean something else.
 */
function keepsCode(error: ErrorFields, to: ConversionName): boolean {
  const { code } = error;
  if (to === 'aicl' || !code || findMeaningOf(error) !== undefined) return false;
  const isNumber = code.kind === 'int' && typeof code.int === 'number';
  const isSayable = isNumber || (hasWords(to) && code.kind === 'text');
  return isSayable && findMeaning(to, showCode(code), textIn(error.text)) === undefined;
}

/** True for the protocols whose codes are words. */
function hasWords(protocol: ConversionName): boolean {
  return protocol === 'agent-api' || protocol === 'responses';
}

function findMeaningOf({ protocol, code, text }: ErrorFields): ErrorMeaning | undefined {
  return code && findMeaning(textIn(protocol) ?? '', showCode(code), textIn(text));
}

function showCode(code: Value): string {
  if (code.kind === 'text') return code.text;
  return code.kind === 'int' ? String(code.int) : code.kind;
}

/** A text for people: what the error says, with the detail of an AICL one. */
export function deriveText(error: ErrorFields, to: ConversionName): string {
  const text = textIn(error.text) ?? '';
  if (isOwn(error, to)) return text;
  const detail = isOwn(error, 'aicl') ? textIn(error.data) : undefined;
  const said = [text, detail ?? ''].filter(part => part !== '').join(': ');
  const meaning = findMeaningOf(error) ?? 'tool-failed';
  if (to === 'mcp' && meaning === 'no-such-tool' && !saysNotFound(said))
    return said === '' ? 'Tool not found' : `Tool not found: ${said}`;
  return said === '' ? meaningTitle(meaning) : said;
}
