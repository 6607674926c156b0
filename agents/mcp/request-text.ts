import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { isRecord } from '../../core/guard.ts';
import { sliceJson } from '../../trace/json-slices.ts';

/** A request as text and as values for the library. */
export interface McpRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> | undefined;
  /** False for a notification, which has no answer. */
  readonly isRequest: boolean;
  /** The text of each member of the parameters that the library would print differently. */
  readonly members: ReadonlyMap<string, string>;
}

/** Reads the text of a JSON-RPC request; undefined if it is not one, or if its parameters are not an object. */
export function readMcpRequest(text: string): McpRequest | undefined {
  const value = parseJson(text);
  const fields = readFields(value);
  const method = fields?.get('method');
  if (!fields || typeof method !== 'string') return undefined;
  const params = fields.get('params');
  if (params !== undefined && !isRecord(params)) return undefined;
  const members =
    // Usually, the text is exactly what would be printed.
    JSON.stringify(value) === text
      ? NONE
      : new Map(
          [...listMembers(listMembers(text).get('params') ?? '{}')].filter(
            ([key, written]) => written !== JSON.stringify(params?.[key]),
          ),
        );
  return { method, params, isRequest: !method.startsWith('notifications/'), members };
}

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * The text of a message that the library has printed, with the parameters as they were written: numbers that JavaScript
 * cannot represent, such as 9007199254740993 and 1.0, reach the agent unchanged. Additions of the library stay.
 */
export function writeExactly(printed: string, members: ReadonlyMap<string, string>): string {
  if (members.size === 0) return printed;
  return replaceMembers(printed, key =>
    key === 'params' ? params => replaceMembers(params, member => exactMember(members, member)) : undefined,
  );
}

function exactMember(
  members: ReadonlyMap<string, string>,
  key: string,
): ((printed: string) => string) | undefined {
  const written = members.get(key);
  if (written === undefined) return undefined;
  if (key !== '_meta') return () => written;
  // The library adds members to this one.
  const own = listMembers(written);
  return printed =>
    replaceMembers(printed, name => {
      const text = own.get(name);
      return text === undefined ? undefined : () => text;
    });
}

function replaceMembers(
  object: string,
  find: (key: string) => ((printed: string) => string) | undefined,
): string {
  const members = [...listMembers(object)].map(
    ([key, text]) => `${JSON.stringify(key)}:${find(key)?.(text) ?? text}`,
  );
  return `{${members.join(',')}}`;
}

/** The texts of the members of an object in valid JSON; the last one of a repeated name counts. */
function listMembers(object: string): ReadonlyMap<string, string> {
  // A line end is white space between tokens; over stdio it would end the message.
  return new Map([...sliceJson(object)].map(({ name = '', text }) => [name, text.replace(/[\r\n]+/g, ' ')]));
}
