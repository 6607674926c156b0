import { findConversion, type ConversionName } from '../../core/catalog/conversions.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { joinPath, type Report } from '../../core/message/report.ts';

/** Tells of a field for which a protocol has no place. */
export function tellDropped(name: string, value: Value, to: ConversionName, report: Report): void {
  if (name === 'rest') return tellRest(value, undefined, to, report);
  const told = `${shortOf(to)} has no place for ${FIELD_WORDS.get(name) ?? `the field ${name}`}`;
  report.lose('dropped', name, told, value);
}

/** Tells what only one protocol knows and the other one has no place for; `found` is what came back of it. */
export function tellRest(rest: Value, found: Value | undefined, to: ConversionName, report: Report): void {
  for (const { key, value } of rest.kind === 'dict' ? rest.entries : []) {
    const back = findEntry(found, key);
    if (back && isSameValue(back, value)) continue;
    const { path, names } = placeOf(value);
    const told = `${shortOf(to)} has no place for what only ${shortOf(key)} knows`;
    report.lose('dropped', path, names === '' ? told : `${told}: ${names}`, value);
  }
}

function shortOf(name: string): string {
  return findConversion(name)?.short ?? name;
}

const FIELD_WORDS: ReadonlyMap<string, string> = new Map([
  ['id', 'an id of this form'],
  ['session', 'a session'],
  ['trace', 'a trace'],
  ['agent', "an agent's name"],
  ['signature', 'a signature'],
  ['stream', "a stream's name"],
  ['timeout', 'a timeout'],
  ['deadline', 'a deadline'],
  ['metadata', 'metadata'],
]);

/**
 * Where in the source it stands what only one protocol knows, because that is kept as it was: down to the only member,
 * or to several, which are named.
 */
function placeOf(rest: Value): { readonly path: string; readonly names: string } {
  let path = '';
  let at = rest;
  while (at.kind === 'dict') {
    const [only, ...others] = at.entries;
    if (!only || others.length > 0) break;
    path = joinPath(path, only.key);
    at = only.value;
  }
  return { path, names: at.kind === 'dict' ? at.entries.map(({ key }) => key).join(', ') : '' };
}
