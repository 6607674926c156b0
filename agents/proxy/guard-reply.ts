import { findCode } from '../../protocols/errors/error-code.ts';
import { escapeText } from '../../language/aicl/escapes.ts';
import { readFields } from '../../core/text/fields.ts';
import { splitObjectList } from '../../core/text/json-list.ts';
import { parseJson } from '../../core/text/json.ts';
import type { TraceProtocol } from '../../core/events/events.ts';
import { encodeField } from '../../language/aicf/codec.ts';
import type { RequestSign } from '../../protocols/recognise/request.ts';
import { PLAIN_TEXT, sayPlainly, type OwnReply } from './own-reply.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const LOOP = '508 Loop Detected';

/**
 * What a caller gets for a call that the recursion guard refuses: the error of its protocol (reading of codes across
 * protocols, section 8), and HTTP 508 where that has none. `request` is the text of the call.
 */
export function writeGuardReply({ protocol, session }: RequestSign, request: string, why: string): OwnReply {
  const code = findCode(protocol, 'recursion-guard');
  return {
    ...writeReply(protocol, session, code, request, why),
    ...(code === undefined ? {} : { code: String(code) }),
  };
}

function writeReply(
  protocol: TraceProtocol,
  session: string | undefined,
  code: number | undefined,
  request: string,
  why: string,
): OwnReply {
  switch (protocol) {
    case 'aicf':
      return { line: '200 OK', contentType: PLAIN_TEXT, body: `ERR|${code ?? 500}|${encodeField(why)}` };
    case 'aicl':
      return { line: '200 OK', contentType: PLAIN_TEXT, body: writeAicl(session, code, why) };
    case 'json-rpc':
    case 'aio':
    case 'mcp':
      return { line: '200 OK', contentType: JSON_TYPE, body: writeRpc(request, code, why) };
    case 'a2a':
      return /"(?:jsonrpc|method)"/.test(request)
        ? { line: '200 OK', contentType: JSON_TYPE, body: writeRpc(request, code, why) }
        : // Over HTTP+JSON an error is a status of HTTP with its words.
          {
            line: LOOP,
            contentType: JSON_TYPE,
            body: JSON.stringify({ error: { code: 508, status: 'ABORTED', message: why } }),
          };
    case 'agent-api':
    case 'responses':
      return {
        line: LOOP,
        contentType: JSON_TYPE,
        // A failed response, with the member in which clients look for an error of HTTP.
        body: JSON.stringify({
          object: 'response',
          status: 'failed',
          error: { code: String(code), message: why },
        }),
      };
    case 'other':
      return sayPlainly(LOOP, why);
  }
}

function writeAicl(session: string | undefined, code: number | undefined, why: string): string {
  const fields = [
    ['protocol', '[s:LightAICL]'],
    ['session_id', `[s:${escapeText(session ?? 'none', 'wire')}]`],
    ['msg_type', '[s:error]'],
    ['code', `[i:${code ?? 5005}]`],
    ['reason', '[s:RECURSION_GUARD]'],
    ['detail', `[s:${escapeText(why, 'wire')}]`],
  ];
  return `[d:${fields.map(([key, value]) => `[s:${key}]:${value}`).join(',')}]`;
}

/** The requests of a batch are refused together, each in its place; notifications get no answer (JSON-RPC 2.0, section 6). */
function writeRpc(request: string, code: number | undefined, message: string): string {
  const messages = splitObjectList(request);
  if (!messages) return writeRpcError(request, code, message);
  const asked = messages.filter(each => readFields(parseJson(each))?.has('id'));
  return `[${asked.map(each => writeRpcError(each, code, message)).join(',')}]`;
}

/** The id and, of AIO, the trace id go back as they came. */
function writeRpcError(request: string, code: number | undefined, message: string): string {
  const fields = readFields(parseJson(request));
  const trace = fields?.get('trace_id');
  return JSON.stringify({
    jsonrpc: '2.0',
    id: fields?.get('id') ?? null,
    error: { code, message },
    ...(trace === undefined ? {} : { trace_id: trace }),
  });
}
