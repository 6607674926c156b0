import { listWrongRules, readSettings, type Settings } from '../../core/catalog/settings.ts';
import { isRecord } from '../../core/guard.ts';

/** Settings from what a client answers for the section `parley`: nested, as editors hold them, or with dotted keys. */
export function settingsOf(section: unknown): Settings {
  return readSettings(key => findSetting(section, key));
}

/** What is said in the log of severities that cannot be set; undefined where all can. */
export function describeWrongRules(section: unknown): string | undefined {
  const wrong = listWrongRules(findSetting(section, 'rules'));
  return wrong.length === 0
    ? undefined
    : `parley.rules names no rule or no severity for ${wrong.join(', ')}: see the list of rules in docs/reference`;
}

/** True where both have the same values, so that nothing has to be read again. */
export function sameSettings(a: Settings, b: Settings): boolean {
  const before = new Map<string, unknown>(Object.entries(a));
  return Object.entries(b).every(([key, value]) => isSame(before.get(key), value));
}

function isSame(a: unknown, b: unknown): boolean {
  if (!(a instanceof Map && b instanceof Map)) return a === b;
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

function findSetting(section: unknown, key: string): unknown {
  return findMember(section, key) ?? findPath(section, key.split('.'));
}

function findPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce(findMember, value);
}

function findMember(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
