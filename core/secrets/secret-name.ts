import { SECRET_MEMBERS, SECRET_NAMES, SECRET_WORDS } from '../catalog/secret-names.ts';

/**
 * What the name is of: a header, in any case, or a parameter,
 * JSON member, attribute or variable, which may be in camel case.
 */
export type NameKind = 'header' | 'other';

const ALWAYS: ReadonlySet<string> = new Set(SECRET_WORDS.always);
const KEYS: ReadonlySet<string> = new Set(SECRET_WORDS.keys);
const HARMLESS_BEFORE: ReadonlySet<string> = new Set(SECRET_WORDS.harmlessBefore);
const ABOUT_IT: ReadonlySet<string> = new Set(SECRET_WORDS.aboutIt);
const JOINED = new RegExp(
  `(?:${SECRET_WORDS.joinedEnds.join('|')}|(?:${SECRET_WORDS.joinedStarts.join('|')})(?:${SECRET_WORDS.joinedKeys.join('|')}))$`,
);
const NAMED = new Set(SECRET_NAMES.always.flatMap(name => [name, joinWords(splitName(name, 'other'))]));
const MEMBERS = new Set(SECRET_MEMBERS.map(name => joinWords(splitName(name, 'other'))));

/** Names that the user added, as they were given and as joined words. */
let given: readonly string[] = [];
let added: ReadonlySet<string> = new Set();

/** Caches judgements, because the same few names recur. */
const KNOWN = {
  header: new Map<string, boolean>(),
  other: new Map<string, boolean>(),
  member: new Map<string, boolean>(),
} as const;
const MAX_KNOWN = 10_000;

function judgeOnce(names: Map<string, boolean>, name: string, judgeName: (name: string) => boolean): boolean {
  const before = names.get(name);
  if (before !== undefined) return before;
  const answer = judgeName(name);
  if (names.size >= MAX_KNOWN) names.clear();
  names.set(name, answer);
  return answer;
}

/**
 * Sets the names that are secret in addition to those that the
 * rule finds, in any case and spelling; replaces earlier ones.
 */
export function setSecretNames(names: readonly string[]): void {
  given = names;
  const kinds = ['header', 'other'] as const;
  added = new Set(names.flatMap(name => kinds.map(kind => joinWords(splitName(name, kind)))));
  for (const each of Object.values(KNOWN)) each.clear();
}

export function listSecretNames(): readonly string[] {
  return given;
}

/** True for the credential after an option of a command line: `abc` after `--token`. */
export function isSecretArgument(argument: string, before: string): boolean {
  return /^--[\w-]+$/.test(before) && isSecretName(before, 'other') && !argument.startsWith('-');
}

/** True if the words of a name say that its value is a credential. */
export function isSecretName(name: string, kind: NameKind): boolean {
  return judgeOnce(KNOWN[kind], name, each => judge(each.toLowerCase(), splitName(each, kind), 0));
}

/**
 * The same for a dotted name, `http.request.header.x-api-key`: only
 * its last part can be secret, and the words before it are context.
 */
export function isSecretPath(path: string): boolean {
  const dot = path.lastIndexOf('.');
  const words = splitName(path, 'other');
  return judge(
    path.slice(dot + 1).toLowerCase(),
    words,
    splitName(path.slice(0, Math.max(0, dot)), 'other').length,
  );
}

/** True for a JSON member that is a credential in any message. */
export function isSecretMember(name: string): boolean {
  return judgeOnce(KNOWN.member, name, each => {
    const words = joinWords(splitName(each, 'other'));
    return MEMBERS.has(words) || added.has(words);
  });
}

/** Judges a lower-case name by its words, of which only those from index `from` on may be secret. */
function judge(name: string, words: readonly string[], from: number): boolean {
  const [first, second] = SECRET_NAMES.never;
  if (name === first || name.startsWith(second.slice(0, -1))) return false;
  const joined = joinWords(words.slice(from));
  if (NAMED.has(name) || NAMED.has(joined) || added.has(joined)) return true;
  let last = -1;
  for (let at = from; at < words.length; at++) if (ABOUT_IT.has(words[at] ?? '')) last = at;
  return words.some((word, at) => at >= from && at > last && isSecretWord(word, words[at - 1] ?? ''));
}

function isSecretWord(word: string, before: string): boolean {
  return ALWAYS.has(word) || JOINED.test(word) || (KEYS.has(word) && !HARMLESS_BEFORE.has(before));
}

/**
 * The lower-case words of a name, split at everything except
 * letters and digits and, unless it is a header, at capitals.
 */
function splitName(name: string, kind: NameKind): readonly string[] {
  const spaced =
    kind === 'header'
      ? name
      : name.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ').replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ');
  return spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function joinWords(words: readonly string[]): string {
  return words.join('_');
}
