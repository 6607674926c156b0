import { LONG_TEXT, type PartPrinter } from '../../../language/values/json-printer.ts';
import type { JsonObject } from '../builder/events.ts';

/** The place of a long text, and of a text that looks like one. */
const PLACE = '\0';
/** A place as JSON has it, which is no key. */
const PRINTED_PLACE = /"\\u0000"(?!:)/;

/** Prints an event as JSON in one line, in parts. */
export function printParts(event: JsonObject, printer: PartPrinter): readonly string[] {
  const long: string[] = [];
  const frame = JSON.stringify(event, (_key, value: unknown) => {
    if (typeof value !== 'string' || (value.length < LONG_TEXT && value !== PLACE)) return value;
    long.push(value);
    return PLACE;
  });
  return printer.fill(frame, PRINTED_PLACE, long);
}
