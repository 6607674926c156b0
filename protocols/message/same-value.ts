import type { Message } from '../../core/message/message.ts';
import type { Entry, Value } from '../../core/values/value.ts';
import { readTensor } from '../../tensor/read-tensor.ts';

/**
 * True for the same message: the same kind, and the same fields with the same values. An id that equals `defaultId`
 * counts as none.
 */
export function isSameMessage(one: Message, other: Message, defaultId?: number): boolean {
  return (
    one.kind === other.kind &&
    isSameField(ownId(one, defaultId), ownId(other, defaultId)) &&
    hasFields(other.fields, one.fields) &&
    hasNames(one.fields, other.fields)
  );
}

/** The id of a message; undefined for the default one. */
export function ownId({ fields: { id } }: Message, defaultId: number | undefined): Value | undefined {
  return id?.kind === 'int' && id.int === defaultId ? undefined : id;
}

type FieldsByName = Readonly<Record<string, Value | undefined>>;

/** True if the first object has all fields of the second one besides the id, with the same values. */
function hasFields(all: FieldsByName, some: FieldsByName): boolean {
  for (const name in some) if (name !== 'id' && !isSameField(all[name], some[name])) return false;
  return true;
}

/** True if the first object has all fields of the second one besides the id, with any values. */
function hasNames(all: FieldsByName, some: FieldsByName): boolean {
  for (const name in some) if (name !== 'id' && some[name] && !all[name]) return false;
  return true;
}

/** True for equal values, and if both are missing. */
export function isSameField(one: Value | undefined, other: Value | undefined): boolean {
  return one && other ? isSameValue(one, other) : one === other;
}

/** True for equal values: same kind, same bits, same keys in the same order. */
export function isSameValue(one: Value, other: Value): boolean {
  if (one === other) return true;
  switch (one.kind) {
    case 'text':
      return other.kind === 'text' && one.text === other.text;
    case 'int':
      return other.kind === 'int' && one.int === other.int;
    case 'float':
      return other.kind === 'float' && Object.is(one.float, other.float);
    case 'bool':
      return other.kind === 'bool' && one.bool === other.bool;
    case 'null':
      return other.kind === 'null';
    case 'tensor':
      return other.kind === 'tensor' && isSameTensor(one.source, other.source);
    case 'list':
      return other.kind === 'list' && isSameList(one.items, other.items);
    case 'dict':
      return other.kind === 'dict' && isSameEntries(one.entries, other.entries);
  }
}

function isSameList(one: readonly Value[], other: readonly Value[]): boolean {
  return (
    one.length === other.length &&
    one.every((item, index) => {
      const same = other[index];
      return same !== undefined && isSameValue(item, same);
    })
  );
}

function isSameEntries(one: readonly Entry[], other: readonly Entry[]): boolean {
  return (
    one.length === other.length &&
    one.every((entry, index) => {
      const same = other[index];
      return same?.key === entry.key && isSameValue(entry.value, same.value);
    })
  );
}

/**
 * True for two tensors `dtype:shape:payload` with the same type, shape and bytes; unsound ones must have the
 * same text.
 */
function isSameTensor(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [readTensor(one), readTensor(other)];
  if (a?.dtype !== b?.dtype || a?.shape.join() !== b?.shape.join() || !a || !b) return false;
  return a.bytes.length === b.bytes.length && a.bytes.every((byte, index) => byte === b.bytes[index]);
}
