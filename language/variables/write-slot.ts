import { decodeField, encodeField } from '../aicf/codec.ts';
import { encodeJsonPart, looksLikeJson } from '../aicf/json-field.ts';
import { escapeText, unescapeText } from '../aicl/escapes.ts';
import { findVariables, replaceVariables, type WrittenVariable } from '../variables.ts';
import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import { findLiteralFault } from '../rules/aicl/literal-fault.ts';
import type { SlotForm } from './slots.ts';
import { trimEndOf } from '../../core/text/trim.ts';

/** The value of a variable; undefined for braces that are text. */
export type ValueOf = (variable: WrittenVariable) => string | undefined;

/** A slot as it goes out, or why no value of it can be one. */
export type WrittenSlot =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/**
 * Replaces the variables of one slot. Values are data: whoever reads the slot gets exactly them in the places of the
 * braces, and nothing else in the message changes, whatever they hold.
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

/** True for a slot in which a value cannot hold a CR, or in which receivers may read it as a line end. */
export function losesReturns(form: SlotForm, source: string): boolean {
  return form === 'text' || (form === 'field' && !findJsonReading(source));
}

/** The variables of a slot that are looked up, as they are written in it. */
export function variablesOf(form: SlotForm, source: string): readonly WrittenVariable[] {
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

/** A backslash directly before the braces is itself; before a value it might begin an escape, so it is doubled. */
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

/** How the JSON of a field is read: unescaped, or by servers that do not unescape as it stands. */
const JSON_READINGS: readonly ((raw: string) => string)[] = [raw => decodeField(raw, 'request'), raw => raw];

/** The way to read a field in which it is JSON but for its variables; undefined where it is none. */
function findJsonReading(source: string): ((raw: string) => string) | undefined {
  if (!looksLikeJson(source)) return undefined;
  return JSON_READINGS.find(read => parseJson(replaceVariables(read(source), '0')) !== undefined);
}

/** Inside a string a value is a part of it; elsewhere it must be a whole number, word or string of JSON itself. */
function writeJson(source: string, read: (raw: string) => string, valueOf: ValueOf): WrittenSlot {
  const strings = new JsonStrings();
  let from = 0;
  let problem: string | undefined;
  const text = fillField(source, valueOf, (value, { start, end, source: name }) => {
    const isInString = strings.push(read(source.slice(from, start)));
    from = end;
    if (isInString) return encodeJsonPart(value);
    if (JSON_LITERAL.test(value)) return value;
    problem ??= `${quote(`{{${name}}}`)} stands where JSON wants a number, true, false or null, and its value is none of these; put quotation marks around it`;
    return value;
  });
  return problem === undefined ? { ok: true, text } : { ok: false, problem };
}

const JSON_LITERAL = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/** Tells what lies in a string of JSON that comes in pieces, cut where no escape is. */
class JsonStrings {
  #isInString = false;

  /** True where a string is open at the end of the pieces so far. */
  push(piece: string): boolean {
    for (let at = 0; at < piece.length; at++) {
      if (piece[at] === '"') this.#isInString = !this.#isInString;
      else if (piece[at] === '\\' && this.#isInString) at++;
    }
    return this.#isInString;
  }
}
