import { countWhile } from '../../core/text/count-while.ts';
import { touchesOffset, type Span } from '../../core/text/span.ts';
import { readJsonString, type JsonTree, type JsonValue } from './json-tree.ts';

/** A value or key at an offset, with the way to it, and all that holds it from the outside in. */
export interface JsonSpot {
  /** The value; for a key the value that it names. */
  readonly value: JsonValue | undefined;
  /** What the offset touches. */
  readonly span: Span;
  /** The way to it as JavaScript writes it: `$.a[2].b`. */
  readonly path: string;
  readonly around: readonly Span[];
}

const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
/** Names in a path are shown up to this length. */
const LONGEST_NAME = 200;

/** Finds what stands at an offset. */
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

/** The member at an offset; the one that ends there where two meet. */
function findMember({ members }: JsonValue, offset: number): number {
  const index = countWhile(members.length, at => (members[at]?.end ?? 0) < offset);
  const found = members[index];
  return found && found.start <= offset ? index : -1;
}

function showStep(name: string): string {
  const shown = name.slice(0, LONGEST_NAME);
  return NAME.test(shown) ? `.${shown}` : `[${JSON.stringify(shown)}]`;
}
