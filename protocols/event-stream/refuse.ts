import type { HttpReply, RefusedRequest } from '../protocol.ts';
import { JSON_TYPE } from '../serving/http-replies.ts';

/** A failed response, with `error` where clients look for an HTTP error. */
export function refuseResponse(_request: RefusedRequest, code: number | undefined, why: string): HttpReply {
  return {
    line: '508 Loop Detected',
    contentType: JSON_TYPE,
    body: JSON.stringify({
      object: 'response',
      status: 'failed',
      error: { code: String(code), message: why },
    }),
  };
}
