import { dictValue, findEntry, type Value } from '../../core/values/value.ts';
import { isSameValue } from './same-value.ts';
import { joinPath } from '../../core/message/report.ts';
import type { MessageProtocols } from '../protocol.ts';
import type { Conversion } from './shape.ts';

/** The report, and the protocols for their names. */
type ReportContext = Pick<Conversion, 'report' | 'protocols'>;

/** Reports a field that a protocol has no place for. */
export function reportDropped(
  name: string,
  value: Value,
  to: string,
  { report, protocols }: ReportContext,
): void {
  if (name === 'rest') return reportRest(value, undefined, to, { report, protocols });
  report.lose('dropped', name, noPlaceFor(name, shortOf(protocols, to)), value);
}

/** The sentences of `noPlaceFor` by field and protocol: a long text may lose the same few fields in each message. */
const NO_PLACE = new Map<string, Map<string, string>>();

function noPlaceFor(name: string, title: string): string {
  let sentences = NO_PLACE.get(name);
  if (!sentences) NO_PLACE.set(name, (sentences = new Map<string, string>()));
  const known = sentences.get(title);
  if (known !== undefined) return known;
  const sentence = `${title} has no place for ${FIELD_WORDS.get(name) ?? `the field ${name}`}`;
  sentences.set(title, sentence);
  return sentence;
}

/** Reports members of one protocol that another one has no place for; `found` is what reading restores of them. */
export function reportRest(
  rest: Value,
  found: Value | undefined,
  to: string,
  { report, protocols }: ReportContext,
): void {
  for (const { key, value } of rest.kind === 'dict' ? rest.entries : []) {
    const { defaults } = protocols.find(key)?.shape ?? {};
    const back = findEntry(found, key);
    if (back && isSameValue(back, value)) continue;
    const stated = withoutDefaults(value, defaults);
    const restored = back && withoutDefaults(back, defaults);
    if (!stated || (restored && isSameValue(restored, stated))) continue;
    const { path, names } = placeOf(stated);
    const reported = `${shortOf(protocols, to)} has no place for fields that only ${shortOf(protocols, key)} has`;
    report.lose('dropped', path, names === '' ? reported : `${reported}: ${names}`, value);
  }
}

/** A value without the members that are the defaults; undefined if nothing is left of it. */
function withoutDefaults(value: Value, defaults: Value | undefined): Value | undefined {
  if (defaults?.kind === 'null' || (defaults && isSameValue(value, defaults))) return undefined;
  // An empty dictionary has no member that could be a default.
  if (value.kind !== 'dict' || value.entries.length === 0 || defaults?.kind !== 'dict') return value;
  const entries = value.entries.flatMap(entry => {
    const left = withoutDefaults(entry.value, findEntry(defaults, entry.key));
    return left ? [{ ...entry, value: left }] : [];
  });
  return entries.length > 0 ? dictValue(entries) : undefined;
}

/** The name of a protocol in a report. */
export function shortOf(protocols: MessageProtocols, name: string): string {
  return protocols.format(name)?.short ?? name;
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
 * The path of protocol-specific members in the source, which `rest` mirrors: down to a single member, or to
 * several, whose names are returned.
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
