import type { HeadEvent, WireEvent } from '../core/events/events.ts';
import { PART_WORDS, type ReplyParts, type TracePart } from '../protocols/reply-parts/part.ts';
import { Utf8Reader } from '../core/events/bytes.ts';
import { payloadOf } from '../core/events/payload.ts';
import type { CallNode } from './fold/tree.ts';
import { STATUS_WORDS } from './words.ts';

/** The searched parts of a call besides its payload. */
type Searched = Pick<CallNode, 'attributes' | 'names' | 'call'>;

/**
 * Searches for a lower-case text in the parts of a call that are not shown with its state: attributes, trace
 * names, heads, and bytes as text, which may arrive in pieces. Linear in the payload.
 */
export class CallSearch {
  readonly #text: string;
  readonly #tails = new Map<WireEvent['direction'], Tail>();
  /** True as soon as the text was found. */
  isFound: boolean;

  constructor({ attributes, names, call }: Searched, text: string) {
    this.#text = text;
    const holds = (words: string): boolean => words.toLowerCase().includes(text);
    this.isFound =
      attributes.some(({ name, json }) => holds(name) || holds(json)) ||
      names.some(({ trace, id = '' }) => holds(trace) || holds(id)) ||
      holds(call.session ?? '');
  }

  /** Takes the next events of the payload. */
  push(events: readonly (HeadEvent | WireEvent)[]): void {
    for (const event of events) {
      if (this.isFound) return;
      this.isFound = event.type === 'head' ? headHolds(event, this.#text) : this.#wireHolds(event);
    }
  }

  /** Also finds a text that crosses the borders of pieces. */
  #wireHolds(event: WireEvent): boolean {
    const tail = this.#tails.get(event.direction) ?? { reader: new Utf8Reader(), rest: '' };
    this.#tails.set(event.direction, tail);
    const words = `${tail.rest}${tail.reader.push(payloadOf(event)).toLowerCase()}`;
    tail.rest = this.#text.length > 1 ? words.slice(1 - this.#text.length) : '';
    return words.includes(this.#text);
  }
}

/** The end of the searched text in one direction. */
interface Tail {
  readonly reader: Utf8Reader;
  rest: string;
}

/** True if a call's other parts hold a lower-case text: see `CallSearch`. */
export function holdsText(
  node: Searched,
  payload: readonly (HeadEvent | WireEvent)[],
  text: string,
): boolean {
  const search = new CallSearch(node, text);
  search.push(payload);
  return search.isFound;
}

/** True if the parts of a reply hold a lower-case text, where pieces are joined and JSON escapes decoded. */
export function partsHold({ parts, notes }: ReplyParts, text: string): boolean {
  const holds = (words: string): boolean => words.toLowerCase().includes(text);
  return notes.some(holds) || parts.some(part => partHolds(part, holds));
}

/** The texts that are shown with the state of a call, and its trace names. */
export function listWords(node: CallNode): readonly string[] {
  const { call, code = '', message = '', status } = node;
  const { agent, from = '', title, session = '', protocol } = call;
  const names = node.names.flatMap(({ trace, id = '' }) => [trace, id]);
  return [
    title,
    agent,
    from,
    session,
    protocol,
    code,
    message,
    STATUS_WORDS[status],
    ...node.notes,
    ...names,
  ];
}

function headHolds({ line, headers }: HeadEvent, text: string): boolean {
  const holds = (words: string): boolean => words.toLowerCase().includes(text);
  return holds(line) || headers.some(({ name, value }) => holds(name) || holds(value));
}

function partHolds(
  { kind, title, text = '', notes, children }: TracePart,
  holds: (words: string) => boolean,
): boolean {
  return (
    holds(PART_WORDS[kind]) ||
    holds(title) ||
    holds(text) ||
    notes.some(holds) ||
    children.some(child => partHolds(child, holds))
  );
}
