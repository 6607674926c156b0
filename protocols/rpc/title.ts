import { findEntry, textIn, type Value } from '../../core/values/value.ts';

/** Where the parameters of a method name what it is about, by the method's name; the first member that is there counts. */
export type MethodSubjects = ReadonlyMap<string, readonly string[]>;

/**
 * The title of a JSON-RPC message: its method with what it is about. A call of a tool, a method of `calls`, is named by the
 * tool alone. Undefined for a message without a method.
 */
export function titleOfRpc(
  message: Value,
  subjects: MethodSubjects,
  calls: ReadonlySet<string>,
): string | undefined {
  const method = textIn(findEntry(message, 'method'));
  const name = method?.replace(/^[^:]*::/, '');
  if (method === undefined || name === undefined) return undefined;
  const params = findEntry(message, 'params');
  const subject = subjects
    .get(name)
    ?.map(key => textIn(findEntry(params, key)))
    .find(each => each !== undefined);
  if (subject === undefined) return name;
  return calls.has(name) ? subject : `${method} ${subject}`;
}
