import { listDelimiters, parseJson } from '../../core/text/json.ts';

/** A member of an object in JSON text. */
interface WrittenMember {
  readonly key: string;
  /** The offset after the colon. */
  readonly valueStart: number;
}

/**
 * Adds a member to an object in valid JSON, as its first one; everything else remains as it is written. The last step
 * of the path is the name of the member. Undefined if the object does not exist or has that member. Linear in the text.
 */
export function insertMember(json: string, path: readonly string[], value: string): string | undefined {
  const start = findObject(json, path.slice(0, -1));
  if (start < 0) return undefined;
  const name = path.at(-1) ?? '';
  const members = listMembers(json, start);
  if (members.some(({ key }) => key === name)) return undefined;
  const member = `${JSON.stringify(name)}:${value}${members.length > 0 ? ',' : ''}`;
  return json.slice(0, start + 1) + member + json.slice(start + 1);
}

/** True if an object in valid JSON has a member at a path. */
export function hasMember(json: string, path: readonly string[]): boolean {
  const start = findObject(json, path.slice(0, -1));
  return start >= 0 && listMembers(json, start).some(({ key }) => key === path.at(-1));
}

/** The offset of the bracket that opens the object at a path; -1 if there is none. */
function findObject(json: string, path: readonly string[]): number {
  let at = json.search(/\S/);
  for (const step of path) {
    if (json[at] !== '{') return -1;
    const member = listMembers(json, at).find(({ key }) => key === step);
    if (!member) return -1;
    at = member.valueStart;
    while (/\s/.test(json.charAt(at))) at++;
  }
  return json[at] === '{' ? at : -1;
}

/** The members of the object that begins at an offset. */
function listMembers(json: string, start: number): readonly WrittenMember[] {
  const members: WrittenMember[] = [];
  const object = json.slice(start);
  const colon = /\s*:/y;
  let depth = 0;
  for (const { sign, at, end } of listDelimiters(object)) {
    if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') depth--;
    if (depth === 0) break;
    colon.lastIndex = end;
    if (sign === '"' && depth === 1 && colon.test(object))
      members.push({ key: String(parseJson(object.slice(at, end))), valueStart: start + colon.lastIndex });
  }
  return members;
}
