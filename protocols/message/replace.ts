import { dictValue, type Value } from '../../core/values/value.ts';

/** A step into a dictionary: a key, or a pattern that may match several keys. */
export type Step = string | RegExp;

/**
 * Replaces the value at a path, or removes it if `to` is undefined; dictionaries that become empty are
 * removed as well. Returns the same object if nothing matches the path.
 */
export function replaceAt(value: Value, path: readonly Step[], to: Value | undefined): Value {
  const [step, ...rest] = path;
  if (value.kind !== 'dict' || step === undefined) return value;
  let isChanged = false;
  const entries = value.entries.flatMap(entry => {
    if (typeof step === 'string' ? entry.key !== step : !step.test(entry.key)) return [entry];
    const inner = rest.length === 0 ? to : replaceAt(entry.value, rest, to);
    if (inner === entry.value) return [entry];
    isChanged = true;
    const isEmptied = rest.length > 0 && inner?.kind === 'dict' && inner.entries.length === 0;
    return inner && !isEmptied ? [{ key: entry.key, value: inner }] : [];
  });
  return isChanged ? dictValue(entries) : value;
}
