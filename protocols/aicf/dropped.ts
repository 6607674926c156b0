import { findConversion } from '../../core/catalog/conversions.ts';
import type { Value } from '../../core/values/value.ts';
import { joinPath } from '../../core/message/report.ts';
import type { Conversion } from '../message/shape.ts';

/** Tells of a field for which AICF has no place. */
export function tellDropped(name: string, value: Value, { report }: Conversion): void {
  if (name !== 'rest' || value.kind !== 'dict') {
    const told = `AICF has no place for ${FIELD_WORDS.get(name) ?? `the field ${name}`}`;
    report.lose('dropped', name, told, value);
    return;
  }
  for (const { key, value: own } of value.entries) {
    const { path, names } = placeOf(own);
    const told = `AICF has no place for what only ${findConversion(key)?.short ?? key} knows`;
    report.lose('dropped', path, names === '' ? told : `${told}: ${names}`, own);
  }
}

const FIELD_WORDS: ReadonlyMap<string, string> = new Map([
  ['id', 'an id: replies are told apart by their order'],
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
