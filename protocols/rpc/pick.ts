import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';

/** The index of the last text that is a JSON-RPC request with a wanted method; undefined if there is none. */
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
