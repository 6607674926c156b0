import { readFields, type Fields } from '../../core/text/fields.ts';
import { quote } from '../../core/text/quote.ts';

/**
 * What is wrong with an agent's answer to `initialize` (MCP, "Lifecycle"), as the end of a sentence: `has no
 * 'protocolVersion', which is a text`. Undefined if it has all members that MCP requires there and a version
 * that the client supports.
 */
export function findGreetingFault(read: unknown, versions: readonly string[]): string | undefined {
  // A batch, which one version of MCP has, is left to the library.
  if (Array.isArray(read)) return undefined;
  const message = readFields(read);
  if (!message) return 'is not a JSON-RPC message';
  const result = readFields(message.get('result'));
  if (!result) return "has no object as its 'result'";
  const version = result.get('protocolVersion');
  const server = readFields(result.get('serverInfo'));
  return (
    findMisfit(result, 'protocolVersion', 'a text') ??
    findMisfit(result, 'capabilities', 'an object') ??
    findMisfit(result, 'serverInfo', 'an object') ??
    (server && findMisfit(server, 'name', 'a text', "'serverInfo'")) ??
    (server && findMisfit(server, 'version', 'a text', "'serverInfo'")) ??
    (typeof version === 'string' && !versions.includes(version)
      ? `names the version ${quote(version)} of MCP, which Parley does not support (${versions.join(', ')})`
      : undefined)
  );
}

type Form = 'a text' | 'an object';

function findMisfit(fields: Fields, name: string, form: Form, where?: string): string | undefined {
  const value = fields.get(name);
  const fits = form === 'a text' ? typeof value === 'string' : readFields(value) !== undefined;
  if (fits) return undefined;
  const place = where === undefined ? '' : ` in its ${where}`;
  return value === undefined ? `has no '${name}'${place}` : `has a '${name}'${place} that is not ${form}`;
}
