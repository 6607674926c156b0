import { parseJson } from '../text/json.ts';
import type { TraceEvent } from '../events/events.ts';
import type { Redactor } from './redact.ts';
import { REDACTED } from './redact-stream.ts';

/**
 * An event that was told of, such as a span of telemetry, with all known secrets in what it says replaced: names of agents and
 * titles, notes, messages and values of attributes. What was on a wire is redacted as it comes; ids stay, since they hold calls
 * together.
 */
export function redactTold(event: TraceEvent, redactor: Redactor): TraceEvent {
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

/** A secret within a text leaves JSON; one that is a number does not, and goes as a whole. */
function maskJson(json: string, mask: (text: string) => string): string {
  const masked = mask(json);
  return masked === json || parseJson(masked) !== undefined ? masked : JSON.stringify(REDACTED);
}
