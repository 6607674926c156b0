import type { HeadEvent, WireEvent } from '../core/events/events.ts';
import { PART_WORDS, type ReplyParts, type TracePart } from '../protocols/reply-parts/part.ts';
import { Utf8Reader } from '../protocols/reply-parts/utf8-reader.ts';
import { saidBy } from '../core/events/said.ts';
import type { CallNode } from './fold/tree.ts';
import { STATUS_WORDS } from './words.ts';

/** What is searched of a call beside what was on its wire. */
type Searched = Pick<CallNode, 'attributes' | 'names' | 'call'>;

/**
 * Looks for a text in lower case in what is not told with the state of a call: its attributes, the names of its trace, its
 * heads and its bytes as text, which may come in pieces. Work: linear in the payload.
 */
export class CallSearch {
  readonly #text: string;
  readonly #tails = new Map<WireEvent['direction'], Tail>();
  /** True as soon as it was found. */
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

  /** Also where the text stands across the borders of pieces. */
  #wireHolds(event: WireEvent): boolean {
    const tail = this.#tails.get(event.direction) ?? { reader: new Utf8Reader(), rest: '' };
    this.#tails.set(event.direction, tail);
    const words = `${tail.rest}${tail.reader.push(saidBy(event)).toLowerCase()}`;
    tail.rest = this.#text.length > 1 ? words.slice(1 - this.#text.length) : '';
    return words.includes(this.#text);
  }
}

/** The end of what was looked through in one direction. */
interface Tail {
  readonly reader: Utf8Reader;
  rest: string;
}

/** True where what is not told with the state of a call holds a text in lower case: see `CallSearch`. */
export function holdsText(
  node: Searched,
  payload: readonly (HeadEvent | WireEvent)[],
  text: string,
): boolean {
  const search = new CallSearch(node, text);
  search.push(payload);
  return search.isFound;
}

/** True where the parts of a reply hold a text in lower case: what came in many pieces, or as JSON spells it, as it reads. */
export function partsHold({ parts, notes }: ReplyParts, text: string): boolean {
  const holds = (words: string): boolean => words.toLowerCase().includes(text);
  return notes.some(holds) || parts.some(part => partHolds(part, holds));
}

/** What is told of a call with its state, and the names by which it is known elsewhere. */
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
