import { removeComments } from '../agent-json/comments.ts';
import { findFieldSpan, isRequestLine } from '../aicf/ast.ts';
import { readLine } from '../aicf/parse.ts';
import { contentSpan, topValues, type AiclNode, type AtomNode } from '../aicl/ast.ts';
import { parseAicl, readUnit } from '../aicl/parse.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { holdsVariable, findVariables, replaceVariables, type WrittenVariable } from '../variables.ts';
import type { Span } from '../../core/text/span.ts';
import { decodeField, encodeField } from '../aicf/codec.ts';
import { encodeJsonPart, looksLikeJson } from '../aicf/json-field.ts';
import { escapeText, unescapeText } from '../aicl/escapes.ts';
import { scanJson, type JsonToken } from '../json/json-scanner.ts';
import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import { findLiteralFault } from '../rules/aicl/literal-fault.ts';
import { trimEndOf } from '../../core/text/trim.ts';

/** A value of a request that contains variables: the raw span without brackets or delimiters. */
export interface VariableSlot extends Span {
  readonly form: SlotForm;
}

/**
 * `json-string` is the content of a string of JSON; `json-value` a whole string with nothing but `{{json name}}`,
 * in whose place the value of the variable is JSON.
 */
export type SlotForm = Exclude<AtomNode['kind'], 'tensor'> | 'field' | 'json-string' | 'json-value';

/** Message types of replies, in which variables are not replaced, because agents wrote the text. */
const REPLIES: ReadonlySet<string> = new Set(['result', 'error']);

/** The values with variables in a message, in order; `isReply` is true if they are not replaced. */
export interface SlotList {
  readonly slots: readonly VariableSlot[];
  readonly isReply: boolean;
}

const SLOTS: Readonly<Record<LanguageId, (text: string) => SlotList>> = {
  aicl: readAiclSlots,
  aicf: readAicfSlots,
  'agent-json': readJsonSlots,
};

const NO_SLOTS: SlotList = { slots: [], isReply: false };

/**
 * The values with variables in a message (reading of requests in files, section 9): texts and literals of
 * AICL, fields of AICF. Excludes keys, so that no value becomes a key, and tensors.
 */
export function readSlots(language: LanguageId, message: string): SlotList {
  return holdsVariable(message) ? SLOTS[language](message) : NO_SLOTS;
}

function readAicfSlots(line: string): SlotList {
  const tree = readLine(line);
  const slots = tree.pipes
    .map((_, index) => findFieldSpan(tree, index))
    .filter(span => span !== undefined)
    .filter(({ start, end }) => holdsVariable(line.slice(start, end)))
    .map(span => ({ ...span, form: 'field' as const }));
  return { slots, isReply: !isRequestLine(tree) };
}

/** A string that is only a variable as a whole JSON value. */
const WHOLE = /^"\{\{\s*json\s+([^{}\r\n]{1,500})\}\}"$/;

/** The strings that are values; names of members are excluded. */
function readJsonSlots(message: string): SlotList {
  const slots: VariableSlot[] = [];
  const { json } = removeComments(message);
  let last: JsonToken | undefined;
  for (const token of scanJson(json)) {
    if (last?.kind === 'string' && !last.fault && token.kind !== ':') {
      const { start, end } = last;
      if (WHOLE.test(json.slice(start, end))) slots.push({ start, end, form: 'json-value' });
      else if (holdsVariable(json.slice(start, end)))
        slots.push({ start: start + 1, end: end - 1, form: 'json-string' });
    }
    last = token;
  }
  return { slots, isReply: false };
}

function readAiclSlots(message: string): SlotList {
  const doc = parseAicl(message, DEFAULT_SETTINGS, () => []);
  const unit = doc.units.at(0);
  if (unit?.kind !== 'message') return NO_SLOTS;
  const reading = readUnit(doc, unit);
  const slots: VariableSlot[] = [];
  for (const value of topValues(reading.tree)) addSlots(slots, value, unit.start);
  return {
    slots: slots.filter(({ start, end }) => holdsVariable(message.slice(start, end))),
    isReply: REPLIES.has(unit.summary.messageType),
  };
}

function addSlots(slots: VariableSlot[], node: AiclNode, base: number): void {
  if (node.kind === 'list') for (const item of node.items) addSlots(slots, item, base);
  else if (node.kind === 'dict') {
    for (const { value } of node.pairs) if (value) addSlots(slots, value, base);
  } else if (node.kind !== 'tensor') {
    const { start, end } = contentSpan(node);
    slots.push({ start: start + base, end: end + base, form: node.kind });
  }
}

/** Returns the value of a variable; undefined for braces that remain text. */
export type ValueOf = (variable: WrittenVariable) => string | undefined;

/** The slot as it is sent, or the reason why its value is invalid. */
export type WrittenSlot =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/**
 * Replaces the variables of one slot. Values are treated as data: the receiver decodes exactly these values
 * in place of the braces, and the rest of the message does not change, whatever the values contain.
 */
export function writeSlot(form: SlotForm, source: string, valueOf: ValueOf): WrittenSlot {
  switch (form) {
    case 'text':
      return {
        ok: true,
        text: escapeText(
          fill(unescapeText(source), valueOf, value => value),
          'wire',
        ),
      };
    case 'field':
      return writeField(source, valueOf);
    case 'json-string':
      return { ok: true, text: fill(source, valueOf, value => JSON.stringify(value).slice(1, -1)) };
    case 'json-value':
      return writeJsonValue(source, valueOf);
    default: {
      const text = fill(source, valueOf, value => value);
      const problem = findLiteralFault(form, text);
      return problem === undefined ? { ok: true, text } : { ok: false, problem };
    }
  }
}

function writeField(source: string, valueOf: ValueOf): WrittenSlot {
  const read = findJsonReading(source);
  return read
    ? writeJson(source, read, valueOf)
    : { ok: true, text: fillField(source, valueOf, encodeField) };
}

function writeJsonValue(source: string, valueOf: ValueOf): WrittenSlot {
  const [variable] = variablesOf('json-value', source);
  const value = variable && valueOf(variable)?.trim();
  if (!variable || value === undefined) return { ok: true, text: source };
  if (parseJson(value) !== undefined) return { ok: true, text: value };
  return {
    ok: false,
    problem: "its value is not JSON; without 'json' it becomes a part of the string",
  };
}

/** True for a slot that cannot contain a CR, or in which receivers may read it as a line end. */
export function losesReturns(form: SlotForm, source: string): boolean {
  return form === 'text' || (form === 'field' && !findJsonReading(source));
}

/** The variables of a slot that must be looked up, with offsets in its decoded text. */
export function variablesOf(form: SlotForm, source: string): readonly WrittenVariable[] {
  if (form === 'json-value')
    return [{ start: 1, end: source.length - 1, source: (WHOLE.exec(source)?.[1] ?? '').trim() }];
  return findVariables(form === 'text' ? unescapeText(source) : source);
}

function fill(
  text: string,
  valueOf: ValueOf,
  write: (value: string, variable: WrittenVariable) => string,
): string {
  const parts: string[] = [];
  let from = 0;
  for (const variable of findVariables(text)) {
    const value = valueOf(variable);
    if (value === undefined) continue;
    parts.push(text.slice(from, variable.start), write(value, variable));
    from = variable.end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** A backslash directly before the braces is literal. Before a value it might start an escape, so it is doubled. */
function fillField(
  source: string,
  valueOf: ValueOf,
  write: (value: string, variable: WrittenVariable) => string,
): string {
  return fill(source, valueOf, (value, variable) =>
    endsInLoneBackslash(source.slice(0, variable.start))
      ? `\\${write(value, variable)}`
      : write(value, variable),
  );
}

function endsInLoneBackslash(before: string): boolean {
  const run = before.length - trimEndOf(before, '\\').length;
  return run % 2 === 1;
}

/** The readings of a field's JSON: unescaped, or as written by servers that do not unescape. */
const JSON_READINGS: readonly ((raw: string) => string)[] = [raw => decodeField(raw, 'request'), raw => raw];

/** The reading in which a field is JSON, apart from its variables; undefined if there is none. */
function findJsonReading(source: string): ((raw: string) => string) | undefined {
  if (!looksLikeJson(source)) return undefined;
  return JSON_READINGS.find(read => parseJson(replaceVariables(read(source))) !== undefined);
}

/** Inside a JSON string a value becomes part of the string; elsewhere it must be a JSON number or word itself. */
function writeJson(source: string, read: (raw: string) => string, valueOf: ValueOf): WrittenSlot {
  let isInString = false;
  let from = 0;
  let problem: string | undefined;
  const text = fillField(source, valueOf, (value, { start, end, source: name }) => {
    for (const [mark] of read(source.slice(from, start)).matchAll(/"|\\./gs))
      if (mark === '"') isInString = !isInString;
    from = end;
    if (isInString) return encodeJsonPart(value);
    if (JSON_LITERAL.test(value)) return value;
    problem ??= `${quote(`{{${name}}}`)} is where JSON requires a number, true, false or null, and its value is none of these; put quotation marks around it`;
    return value;
  });
  return problem === undefined ? { ok: true, text } : { ok: false, problem };
}

const JSON_LITERAL = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
