import { isSse } from '../../../core/text/event-stream.ts';

/** The editor language of server-sent events. */
const EVENTS = 'parley-sse';

/** The editor language of a reply in JSON: plain JSON, or a stream of events. */
export function languageOfJson(text: string): string {
  return isSse(text) ? EVENTS : 'json';
}
