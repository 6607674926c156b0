import { fieldNames, type Message } from '../../core/message/message.ts';
import { isSameField, meaningOf } from '../../protocols/content/canonical.ts';

/** True for messages with the same meaning. */
export function meansSame(one: Message, other: Message): boolean {
  const [left, right] = [meaningOf(one), meaningOf(other)];
  if (left.kind !== right.kind) return false;
  const names = fieldNames(left);
  return (
    names.length === fieldNames(right).length &&
    names.every(name => isSameField(left.fields[name], right.fields[name]))
  );
}
