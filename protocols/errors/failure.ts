import { findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import { isSameField } from '../message/same-value.ts';
import type { ErrorFields } from './errors.ts';

/** The value of an error's `protocol` field for both endpoints of AIP, which share `success:false`. */
const AIP = 'aip';

/**
 * Reads a result with `success:false` as an error (reading of AICF-RPC 2.3), on both endpoints of AIP: its
 * text is that of `error`, its data the whole result, and it has no code. Undefined for any other result.
 */
export function readFailure(result: Value | undefined): ErrorFields | undefined {
  const success = findEntry(result, 'success');
  if (success?.kind !== 'bool' || success.bool) return undefined;
  const error = findEntry(result, 'error');
  const text = textIn(findEntry(error, 'message')) ?? textIn(error);
  return { protocol: textValue(AIP), text: text === undefined ? undefined : textValue(text), data: result };
}

/** The result that an error was read from; undefined for any other error. */
export function findFailure(error: ErrorFields): Value | undefined {
  const failure = readFailure(error.data);
  const isSame = (name: 'protocol' | 'code' | 'text'): boolean => isSameField(failure?.[name], error[name]);
  return failure && isSame('protocol') && isSame('code') && isSame('text') ? error.data : undefined;
}
