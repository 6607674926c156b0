import type { AicfTypeName } from '../../core/catalog/aicf.ts';
import type { Value } from '../../core/values/value.ts';

const FITS: Readonly<Record<AicfTypeName, (value: Value) => boolean>> = {
  any: () => true,
  string: value => value.kind === 'text',
  number: value => value.kind === 'int' || value.kind === 'float',
  integer: value => value.kind === 'int' || (value.kind === 'float' && Number.isInteger(value.float)),
  boolean: value => value.kind === 'bool',
  object: value => value.kind === 'dict',
  // A tensor is an array of numbers in every protocol.
  array: value => value.kind === 'list' || value.kind === 'tensor',
};

/** True for a value of a declared type. Null counts as missing, and the agent decides whether it may be. */
export function fitsType(value: Value, type: AicfTypeName): boolean {
  return value.kind === 'null' || FITS[type](value);
}
