import { fieldSource, findCredential } from '../../language/aicf/ast.ts';
import { readLine } from '../../language/aicf/parse.ts';
import { trimEndOf } from '../../core/text/trim.ts';

const AUTH = 'AUTH:';

/** The credential in a request's own text: what follows `AUTH:` in its last field, raw. */
export function findAicfCredential(wireText: string): string | undefined {
  const text = trimEndOf(wireText, '\r\n');
  const line = readLine(text);
  const field = findCredential(text, line);
  return field === undefined ? undefined : fieldSource(text, line, field).slice(AUTH.length);
}
