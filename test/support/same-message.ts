import { fieldNames, type Message } from '../../core/message/message.ts';
import type { Value } from '../../core/values/value.ts';
import { isSameValue } from '../../protocols/message/same-value.ts';

/** True for the same message: the same kind, and the same fields with the same values. */
export function isSameMessage(one: Message, other: Message): boolean {
  if (one.kind !== other.kind) return false;
  const names = fieldNames(one);
  return (
    names.length === fieldNames(other).length &&
    names.every(name => isSameField(one.fields[name], other.fields[name]))
  );
}

function isSameField(one: Value | undefined, other: Value | undefined): boolean {
  return one !== undefined && other !== undefined ? isSameValue(one, other) : one === other;
}
