import type { AicfCommandName } from '../../core/catalog/aicf.ts';
import { encodeField } from './codec.ts';

/** Fields of a message as texts, before escaping. */
export interface AicfMessage {
  readonly command: AicfCommandName;
  readonly fields: readonly string[];
}

/** A message as one line without a line end; its fields are escaped (AICF-RPC 1.0, "Special Characters"). */
export function printMessage({ command, fields }: AicfMessage): string {
  return [command, ...fields.map(encodeField)].join('|');
}
