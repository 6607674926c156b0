import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';

/** The names in a reply of the request that it answers. */
export interface AioAnswer {
  /** As received; undefined if the reply has none. */
  readonly id: string | undefined;
  readonly trace: string | undefined;
}

/** The members that hold the reply of an AIO agent (reading of AIO-MCP, section 4). */
const BODIES = ['result', 'error', 'output', 'outputs'] as const;

/** Reads a text as a reply: a JSON object with a result, an output or an error. Undefined for any other text. */
export function readAnswer(text: string): AioAnswer | undefined {
  const reply = text.trimStart().startsWith('{') ? readFields(parseJson(text)) : undefined;
  if (!reply || reply.has('method') || !BODIES.some(key => reply.has(key))) return undefined;
  return { id: readName(reply.get('id')), trace: readName(reply.get('trace_id')) };
}

function readName(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
