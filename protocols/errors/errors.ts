import type { ErrorFacts, ErrorMeaning } from '../../core/catalog/error-meanings.ts';
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
import { isSameField } from '../message/same-value.ts';
import { findCode, findMeaning, meaningTitle, isNotFoundText } from './error-code.ts';
import type { Conversion } from '../message/shape.ts';
import type { MessageProtocols } from '../protocol.ts';

/** The members of an error in a protocol's message. */
export interface FoundError {
  readonly code?: Value | undefined;
  readonly text?: Value | undefined;
  readonly data?: Value | undefined;
}

/** The fields of a neutral error. Its protocol is included, because codes belong to one. */
export interface ErrorFields extends FoundError {
  readonly protocol?: Value | undefined;
}

/** The members of an error to be written to a protocol's message. */
export interface WrittenError {
  readonly code: Value | undefined;
  readonly text: string;
  readonly data: Value | undefined;
}

/**
 * Reads the neutral fields of an error. If its data are another protocol's error, and its code and text are
 * what `writeError` makes of that, the original is restored. Other data belong to the error itself.
 */
export function readError(
  protocol: string,
  found: FoundError,
  { report, protocols }: Pick<Conversion, 'report' | 'protocols'>,
): ErrorFields {
  const original = readOriginal(found.data);
  if (original && carries(protocol, found, protocols)) return original;
  if (original && original.protocol !== undefined && original.code !== undefined)
    report.note('An error names an original that does not match its code and text; it is stored as data');
  return { protocol: textValue(protocol), code: found.code, text: found.text, data: found.data };
}

/**
 * Writes an error for a protocol. An error of another protocol gets the code of the same meaning, a text for
 * people, and the original as its data (reading of the protocols, section 8).
 */
export function writeError(
  error: ErrorFields,
  to: string,
  { report, protocols }: Pick<Conversion, 'report' | 'protocols'>,
): WrittenError {
  const text = textIn(error.text);
  if (text !== undefined && isOwn(error, to) && !carries(to, error, protocols))
    return { code: error.code, text, data: error.data };
  if (!isOwn(error, to) && !keepsCode(error, to, protocols) && !findMeaningOf(error, protocols) && error.code)
    report.note(
      `The code ${showCode(error.code)} has no counterpart in ${to}; it is written in the data of the error`,
    );
  return {
    code: isOwn(error, to) && error.code ? error.code : deriveCode(error, to, protocols),
    text: deriveText(error, to, protocols),
    data: writeOriginal(error),
  };
}

/** An error in the form in which another protocol's error carries it as data. */
export function writeOriginal(error: ErrorFields): DictValue {
  return dictValue([
    { key: 'protocol', value: error.protocol },
    { key: 'code', value: error.code },
    { key: 'text', value: error.text },
    { key: 'data', value: error.data },
  ]);
}

/**
 * True for an error of a tool that ran and failed; most JSON-RPC errors do not distinguish that from a fault
 * of the server.
 */
export function isToolFailure(error: ErrorFields, protocols: MessageProtocols): boolean {
  const { failsBy } = factsOf(error, protocols) ?? {};
  if (failsBy === 'no-code') return error.code === undefined;
  const isFailure = findMeaningOf(error, protocols) === 'tool-failed';
  return failsBy === 'code' && isFailure && showCode(error.code ?? NULL) !== '-32603';
}

function factsOf({ protocol }: ErrorFields, protocols: MessageProtocols): ErrorFacts | undefined {
  return protocols.errorFacts(textIn(protocol));
}

/** True for an error of this protocol. */
export function isOwn(error: ErrorFields, protocol: string): boolean {
  return textIn(error.protocol) === protocol;
}

const ORIGINAL_KEYS = ['protocol', 'code', 'text', 'data'];

/** The original error in data; undefined for data of another form. */
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

/** True if writing the original in the data gives this code and text, so that this error is one that we wrote. */
function carries(protocol: string, found: FoundError, protocols: MessageProtocols): boolean {
  let outer = found;
  // An error of our own is wrapped only if it would otherwise be read as a carrier, possibly at several levels.
  for (;;) {
    const original = readOriginal(outer.data);
    if (!original) return false;
    const isOurs = isOwn(original, protocol);
    const code = isOurs && original.code ? original.code : deriveCode(original, protocol, protocols);
    if (!isSameField(outer.code, code)) return false;
    if (textIn(outer.text) !== deriveText(original, protocol, protocols)) return false;
    if (!isOurs || textIn(original.text) === undefined) return true;
    outer = original;
  }
}

/** The code of the same meaning; a code without a meaning is retained if the other protocol can express it. */
export function deriveCode(error: ErrorFields, to: string, protocols: MessageProtocols): Value {
  const facts = protocols.errorFacts(to);
  const retained =
    keepsCode(error, to, protocols) || isMalformedIn(error, facts, protocols) ? error.code : undefined;
  if (retained) return facts?.hasWords && retained.kind === 'int' ? textValue(showCode(retained)) : retained;
  const code = (facts && findCode(facts, findMeaningOf(error, protocols) ?? 'tool-failed')) ?? 0;
  return facts?.hasWords ? textValue(String(code)) : intValue(code);
}

/** True for a JSON-RPC code of a malformed request that the other protocol has as well, so that it is retained. */
function isMalformedIn(
  error: ErrorFields,
  facts: ErrorFacts | undefined,
  protocols: MessageProtocols,
): boolean {
  const { code, text } = error;
  if (code?.kind !== 'int' || (facts?.column !== 'jsonRpc' && facts?.column !== 'aip')) return false;
  return (
    findMeaningOf(error, protocols) === 'malformed' &&
    findMeaning(facts, showCode(code), textIn(text)) === 'malformed'
  );
}

/**
 * True for a code without a row, which keeps its value (section 8), unless the protocol has a closed set of
 * codes or gives this code another meaning.
 */
function keepsCode(error: ErrorFields, to: string, protocols: MessageProtocols): boolean {
  const { code } = error;
  const facts = protocols.errorFacts(to);
  if (facts?.isClosed || !code || findMeaningOf(error, protocols) !== undefined) return false;
  const isNumber = code.kind === 'int' && typeof code.int === 'number';
  const isExpressible = isNumber || (facts?.hasWords === true && code.kind === 'text');
  return isExpressible && findMeaning(facts, showCode(code), textIn(error.text)) === undefined;
}

function findMeaningOf(error: ErrorFields, protocols: MessageProtocols): ErrorMeaning | undefined {
  const { code, text } = error;
  return code && findMeaning(factsOf(error, protocols), showCode(code), textIn(text));
}

function showCode(code: Value): string {
  if (code.kind === 'text') return code.text;
  return code.kind === 'int' ? String(code.int) : code.kind;
}

/** A text for people: the error's text, and the detail of an AICL error. */
export function deriveText(error: ErrorFields, to: string, protocols: MessageProtocols): string {
  const text = textIn(error.text) ?? '';
  if (isOwn(error, to)) return text;
  const detail = detailOf(error, protocols);
  const stated = [text, detail ?? ''].filter(part => part !== '').join(': ');
  const meaning = findMeaningOf(error, protocols) ?? 'tool-failed';
  if (protocols.errorFacts(to)?.namesMissingTool && meaning === 'no-such-tool' && !isNotFoundText(stated))
    return stated === '' ? 'Tool not found' : `Tool not found: ${stated}`;
  return stated === '' ? meaningTitle(meaning) : stated;
}

/** The detail that continues an error's text. */
export function detailOf(error: ErrorFields, protocols: MessageProtocols): string | undefined {
  return factsOf(error, protocols)?.hasDetail ? textIn(error.data) : undefined;
}
