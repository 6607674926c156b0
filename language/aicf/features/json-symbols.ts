import { readJsonString, type JsonMember } from '../../json/json-tree.ts';
import type { OutlineSymbol } from '../../support.ts';
import { shiftSpan } from '../../../core/text/span.ts';
import type { PlacedLine } from '../parse.ts';
import { linkData, readLinked } from '../linked-json.ts';

/** Limits of the outline: length of the data that is read, number of members, and characters shown of each. */
const LONGEST_READ = 20_000;
const MAX_MEMBERS = 100;
const LONGEST_SHOWN = 80;

/**
 * The outline entries for the members of an `OK` line's data object. Incomplete JSON yields the members that
 * are there.
 */
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
  return (root?.members ?? []).slice(0, MAX_MEMBERS).flatMap(toSymbol);
}
