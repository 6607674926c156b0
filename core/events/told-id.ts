/** No call that was heard has an id that begins so: those are digits of hex. */
const TOLD = 'told:';

/**
 * The id of a call that somebody told of, made of the id of its span. Anybody may send a span with the id of a call that was
 * heard: what it says is then another call, and cannot end, fail or rename that one.
 */
export function toToldId(span: string): string {
  return `${TOLD}${span}`;
}

/** The id of the span of a call; that of a call that was heard is its own. */
export function spanOf(call: string): string {
  return call.startsWith(TOLD) ? call.slice(TOLD.length) : call;
}
