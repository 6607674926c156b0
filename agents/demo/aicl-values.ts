import type { Value } from '../../core/values/value.ts';

/** A value of a message as a tool receives it; a tensor is passed as its source text. */
export type AiclValue = string | number | boolean | readonly AiclValue[] | ReadonlyMap<string, AiclValue>;

/** The members of a dictionary by key; empty for any other value. */
export function readMembers(value: Value): ReadonlyMap<string, AiclValue> {
  return new Map(
    value.kind === 'dict' ? value.entries.map(entry => [entry.key, readValue(entry.value)]) : [],
  );
}

function readValue(value: Value): AiclValue {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'int':
      return Number(value.int);
    case 'float':
      return value.float;
    case 'bool':
      return value.bool;
    case 'null':
      return '';
    case 'list':
      return value.items.map(readValue);
    case 'dict':
      return readMembers(value);
    case 'tensor':
      return value.source;
  }
}
