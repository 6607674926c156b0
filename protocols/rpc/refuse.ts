import { splitObjectList, parseJson } from '../../core/text/json.ts';
import { defined, readFields } from '../../core/text/fields.ts';
import type { HttpReply, RefusedRequest } from '../protocol.ts';
import { JSON_TYPE } from '../serving/http-replies.ts';

/**
 * Writes the JSON-RPC error for a refused request. A batch gets one error for each of its requests, in order;
 * notifications get none (JSON-RPC 2.0, section 6).
 */
export function refuseRpc({ text }: RefusedRequest, code: number | undefined, why: string): HttpReply {
  const messages = splitObjectList(text);
  const requests = messages?.filter(each => readFields(parseJson(each))?.has('id'));
  const body = requests
    ? `[${requests.map(each => writeError(each, code, why)).join(',')}]`
    : writeError(text, code, why);
  return { line: '200 OK', contentType: JSON_TYPE, body };
}

/** The error of one request, with the request's id and, for AIO, its trace id. */
function writeError(request: string, code: number | undefined, message: string): string {
  const fields = readFields(parseJson(request));
  const trace = fields?.get('trace_id');
  return JSON.stringify(
    defined({ jsonrpc: '2.0', id: fields?.get('id') ?? null, error: { code, message }, trace_id: trace }),
  );
}
