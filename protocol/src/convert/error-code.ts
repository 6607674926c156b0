import { findAiclError } from '../catalog/aicl.ts';
import { ERROR_MEANINGS, type ErrorMeaning } from '../catalog/error-meanings.ts';
import type { ProtocolName } from '../catalog/protocols.ts';

/** What a code of a protocol means; undefined for one without a row. Numbers of LightAICL's range are its first one. */
export function findMeaning(protocol: ProtocolName, code: string | undefined): ErrorMeaning | undefined {
  if (code === undefined || !/^\d+$/.test(code)) return undefined;
  const number = protocol === 'aicl' ? (findAiclError(Number(code))?.code ?? Number(code)) : Number(code);
  return ERROR_MEANINGS.find(row => row[protocol] === number)?.name;
}

/** The words for a meaning. */
export function meaningTitle(meaning: ErrorMeaning): string {
  return ERROR_MEANINGS.find(row => row.name === meaning)?.title ?? meaning;
}
