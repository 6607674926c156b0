import { parseJson } from '../text/json.ts';
import type { TraceEvent } from '../events/events.ts';
import type { Redactor } from './redact.ts';
import { REDACTED } from './redact-stream.ts';

/**
 * Redacts known secrets in a reported event, such as one from a telemetry span:
 * names of agents, titles, notes, messages and values of attributes. Observed
 * traffic is redacted when it arrives. Ids are not changed because they link calls.
 */
export function redactReported(event: TraceEvent, redactor: Redactor): TraceEvent {
  const mask = (text: string): string => redactor.redactText(text);
  switch (event.type) {
    case 'call':
      return {
        ...event,
        agent: mask(event.agent),
        title: mask(event.title),
        ...(event.from === undefined ? {} : { from: mask(event.from) }),
        ...(event.session === undefined ? {} : { session: mask(event.session) }),
      };
    case 'attributes':
      return {
        ...event,
        attributes: event.attributes.map(({ name, json }) => ({ name, json: maskJson(json, mask) })),
      };
    case 'note':
      return { ...event, text: mask(event.text) };
    case 'end':
      return {
        ...event,
        ...(event.code === undefined ? {} : { code: mask(event.code) }),
        ...(event.message === undefined ? {} : { message: mask(event.message) }),
      };
    case 'identity':
    case 'head':
    case 'wire':
      return event;
  }
}

/** Redacts a JSON text; if the result is not valid JSON, because a number was a secret, the whole value is replaced. */
function maskJson(json: string, mask: (text: string) => string): string {
  const masked = mask(json);
  return masked === json || parseJson(masked) !== undefined ? masked : JSON.stringify(REDACTED);
}
