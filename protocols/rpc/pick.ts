import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';

/** The index of the last JSON-RPC request among texts whose method is wanted; undefined where there is none. */
export function findLastMethod(
  texts: readonly (string | undefined)[],
  isWanted: (method: string) => boolean,
): number | undefined {
  const at = texts.findLastIndex(text => {
    const method = readFields(parseJson(text ?? ''))?.get('method');
    return typeof method === 'string' && isWanted(method);
  });
  return at < 0 ? undefined : at;
}
