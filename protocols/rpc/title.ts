import { findEntry, textIn, type Value } from '../../core/values/value.ts';

/** By method name, the parameters that name its subject; the first one that the message has is used. */
export type MethodSubjects = ReadonlyMap<string, readonly string[]>;

/**
 * The title of a JSON-RPC message: its method and subject. A method of `calls` is a call of a tool and has
 * the tool's name alone. Undefined for a message without a method.
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
