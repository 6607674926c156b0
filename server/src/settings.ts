import { readSettings, type Settings } from '../../protocol/src/catalog/settings.ts';
import { isRecord } from '../../protocol/src/wire/guard.ts';

/** Settings from what a client answers for the section `parley`: nested, as editors hold them, or with dotted keys. */
export function settingsOf(section: unknown): Settings {
  return readSettings(key => findMember(section, key) ?? findPath(section, key.split('.')));
}

/** True where both have the same values, so that nothing has to be read again. */
export function sameSettings(a: Settings, b: Settings): boolean {
  const before = new Map<string, unknown>(Object.entries(a));
  return Object.entries(b).every(([key, value]) => before.get(key) === value);
}

function findPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce(findMember, value);
}

function findMember(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
