import { listWrongRules, readSettings, type Settings } from '../../core/catalog/settings.ts';
import { isRecord } from '../../core/guard.ts';

/** Reads the settings in a client's section `parley`, either nested, as in editors, or with dotted keys. */
export function settingsOf(section: unknown): Settings {
  return readSettings(key => findSetting(section, key));
}

/** The log message about invalid severities; undefined if all are valid. */
export function describeWrongRules(section: unknown): string | undefined {
  const wrong = listWrongRules(findSetting(section, 'rules'));
  return wrong.length === 0
    ? undefined
    : `parley.rules names no rule or no severity for ${wrong.join(', ')}: see the list of rules in docs/reference`;
}

/** True if both have the same values, so that nothing must be read again. */
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
