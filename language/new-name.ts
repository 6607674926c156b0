import { AIO_NAMES } from '../core/catalog/trace-names.ts';
import { isCallId } from './call-ids.ts';
import type { NameKind } from './names.ts';

/** The reason why a name cannot be used for this kind, with advice; undefined for a valid name. */
export function refuseName(kind: NameKind, name: string): string | undefined {
  if (name.trim() === '') return `A ${kind} without a name cannot be distinguished from others: write a name`;
  if (/[\r\n]/.test(name)) return `The name of a ${kind} must be on one line: leave the line end out`;
  if (kind === 'stream' && name.includes('/'))
    return "The name of a stream holds no '/': write the name alone, each chunk keeps its number";
  if (kind === 'call' && !isCallId(name))
    return `A call is named by its trace and its id: write it as in ${AIO_NAMES.example}`;
  return undefined;
}
