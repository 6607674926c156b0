import { countWhile } from '../../core/text/number-list.ts';
import { touchesOffset, type Span } from '../../core/text/span.ts';
import { readJsonString, type JsonTree, type JsonValue } from './json-tree.ts';

/*
 * Our own search, because it works on our tree, of which a hover needs the exact text of numbers, and finds
 * members without a value, too.
 */

/** A value or key at an offset, its path, and the enclosing spans from outer to inner. */
export interface JsonSpot {
  /** The value; for a key, the value of its member. */
  readonly value: JsonValue | undefined;
  /** The element at the offset. */
  readonly span: Span;
  /** The path in JavaScript notation: `$.a[2].b`. */
  readonly path: string;
  readonly around: readonly Span[];
}

const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
/** Maximum length of names in a path. */
const LONGEST_NAME = 200;

/** Finds the value or key at an offset. */
export function findJsonSpot({ root }: JsonTree, text: string, offset: number): JsonSpot | undefined {
  if (!root || !touchesOffset(root, offset)) return undefined;
  const around: Span[] = [root];
  let value = root;
  let path = '$';
  for (;;) {
    const index = findMember(value, offset);
    const member = value.members[index];
    if (!member) return { value, span: value, path, around };
    around.push(member);
    path += member.key ? showStep(readJsonString(text, member.key)) : `[${index}]`;
    if (member.key && touchesOffset(member.key, offset)) {
      around.push(member.key);
      return { value: member.value, span: member.key, path, around };
    }
    if (!member.value || !touchesOffset(member.value, offset))
      return { value: member.value, span: member, path, around };
    value = member.value;
    around.push(value);
  }
}

/** The index of the member at an offset; between two adjacent members the first one. */
function findMember({ members }: JsonValue, offset: number): number {
  const index = countWhile(members.length, at => (members[at]?.end ?? 0) < offset);
  const found = members[index];
  return found && found.start <= offset ? index : -1;
}

function showStep(name: string): string {
  const shown = name.slice(0, LONGEST_NAME);
  return NAME.test(shown) ? `.${shown}` : `[${JSON.stringify(shown)}]`;
}
