import type { StoredHeader } from '../../core/events/events.ts';
import { isEventStream } from '../../core/events/headers.ts';
import type { RequestByReply } from '../request-recognition.ts';
import { LISTENING } from '../../core/catalog/protocols.ts';

/** Recognises the request for a server's stream (2024-11-05) by the `endpoint` event in its reply. */
export function findEndpoint(headers: readonly StoredHeader[], body: string): RequestByReply | undefined {
  if (!isEventStream(headers)) return undefined;
  const endpoint = /^event: ?endpoint\r?\ndata: ?(\S+)(?=[\r\n])/m.exec(body)?.[1];
  return endpoint === undefined ? undefined : { title: LISTENING, endpoint };
}
