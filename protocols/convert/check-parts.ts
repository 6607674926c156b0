import { findEntry, textIn } from '../../core/values/value.ts';
import { joinPath } from '../../core/message/report.ts';
import type { Part } from '../content/part.ts';
import { shortOf } from '../message/dropped.ts';
import { isSameField, isSameValue } from '../message/same-value.ts';
import type { Conversion } from '../message/shape.ts';

/** The report, and the protocols for their names. */
type ReportContext = Pick<Conversion, 'report' | 'protocols'>;

/** Reports what a reader finds changed about a part; `back` is what it reads in its place. */
export function reportPart(
  part: Part,
  back: Part | undefined,
  path: string,
  title: string,
  context: ReportContext,
): void {
  const { report } = context;
  const { value } = part;
  if (!back) return report.lose('dropped', path, `${title} has no place for this part`, value);
  if (!isSameValue(back.value, value) || back.holds !== part.holds)
    return report.lose('moved', path, `${title} has another value in the place of this part`, value);
  if (back.type !== part.type)
    report.lose('moved', path, `Nothing says in ${title} that this part is of the type ${part.type}`, value);
  reportAbout(part, back, path, title, context);
}

/** Reports the metadata of a part that is lost. */
export function reportAbout(
  part: Part,
  back: Part,
  path: string,
  title: string,
  { report, protocols }: ReportContext,
): void {
  const isDataUrl = back.type !== 'text' && textIn(back.value)?.startsWith('data:') === true;
  for (const name of ['mimeType', 'name', 'uri'] as const) {
    const at = joinPath(path, name);
    if (!part[name] || isSameField(part[name], back[name]) || report.lossAt(at)) continue;
    if (name === 'mimeType' && isDataUrl) continue;
    report.lose('dropped', at, `${title} has no place for the ${WORDS[name]} of such a part`, part[name]);
  }
  for (const { key, value: own } of part.rest?.entries ?? []) {
    const retained = findEntry(back.rest, key);
    if (retained && isSameValue(retained, own)) continue;
    const names = own.kind === 'dict' ? own.entries.map(entry => entry.key) : [];
    const stated = names.filter(name => !name.startsWith('$'));
    if (own.kind === 'dict' && stated.length === 0) continue;
    const words = `${title} has no place for fields that only ${shortOf(protocols, key)} has`;
    report.lose('dropped', path, stated.length === 0 ? words : `${words}: ${stated.join(', ')}`, own);
  }
}

const WORDS = { mimeType: 'media type', name: 'name', uri: 'address' } as const;

/** True for a part that is read back with all its metadata. */
export function isSamePart(one: Part, other: Part): boolean {
  return (
    one.type === other.type &&
    one.holds === other.holds &&
    isSameValue(one.value, other.value) &&
    (['mimeType', 'name', 'uri', 'rest'] as const).every(name => isSameField(one[name], other[name]))
  );
}
