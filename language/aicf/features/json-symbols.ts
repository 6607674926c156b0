import { readJsonString, type JsonMember } from '../../json/json-tree.ts';
import type { OutlineSymbol } from '../../support.ts';
import { shiftSpan } from '../../../core/text/span.ts';
import type { PlacedLine } from '../lines.ts';
import { linkData, readLinked } from '../linked-json.ts';

/** The outline looks into no longer data, and lists so many members of it. */
const LONGEST_READ = 20_000;
const MOST_MEMBERS = 100;
const LONGEST_SHOWN = 80;

/** The members of the object that is the data of a result, for the outline; one that is not finished has those it has. */
export function listDataMembers(line: PlacedLine): readonly OutlineSymbol[] {
  const json = linkData(line, LONGEST_READ);
  if (!json) return [];
  const { embedded } = json;
  const toSymbol = ({ key, value, start, end }: JsonMember): OutlineSymbol[] => {
    if (!key) return [];
    const detail = value
      ? embedded.text.slice(value.start, Math.min(value.end, value.start + LONGEST_SHOWN))
      : '';
    return [
      {
        name: readJsonString(embedded.text, key).slice(0, LONGEST_SHOWN),
        detail,
        kind: 'field',
        span: shiftSpan(embedded.toSource({ start, end }), line.start),
        nameSpan: shiftSpan(embedded.toSource(key), line.start),
        children: [],
      },
    ];
  };
  const { root } = readLinked(json);
  return (root?.members ?? []).slice(0, MOST_MEMBERS).flatMap(toSymbol);
}
