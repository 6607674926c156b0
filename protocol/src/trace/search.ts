import type { HeadEvent, WireEvent } from './events.ts';
import { PART_WORDS, type ReplyParts, type TracePart } from './parts/part.ts';
import { Utf8Reader } from './parts/utf8-reader.ts';
import { saidBy } from './said.ts';
import type { CallNode } from './tree.ts';
import { STATUS_WORDS } from './words.ts';

/** What is searched of a call beside what was on its wire. */
type Searched = Pick<CallNode, 'attributes' | 'names' | 'call'>;

/**
 * True where the payload of a call, or what else is not told with its state, holds a text in lower case: its attributes, the
 * names of its trace, its heads and its bytes as text. Work: linear in the payload.
 */
export function holdsText(
  node: Searched,
  payload: readonly (HeadEvent | WireEvent)[],
  text: string,
): boolean {
  const { attributes, names, call } = node;
  const holds = (words: string): boolean => words.toLowerCase().includes(text);
  return (
    attributes.some(({ name, json }) => holds(name) || holds(json)) ||
    names.some(({ trace, id = '' }) => holds(trace) || holds(id)) ||
    holds(call.session ?? '') ||
    payload.some(event => event.type === 'head' && headHolds(event, holds)) ||
    (['out', 'in', 'stderr'] as const).some(direction => wireHolds(payload, direction, text))
  );
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

function headHolds({ line, headers }: HeadEvent, holds: (words: string) => boolean): boolean {
  return holds(line) || headers.some(({ name, value }) => holds(name) || holds(value));
}

/** Looks through the pieces of one direction, also where the text stands across their borders. */
function wireHolds(
  payload: readonly (HeadEvent | WireEvent)[],
  direction: WireEvent['direction'],
  text: string,
): boolean {
  const reader = new Utf8Reader();
  let rest = '';
  for (const event of payload) {
    if (event.type !== 'wire' || event.direction !== direction) continue;
    const words = `${rest}${reader.push(saidBy(event)).toLowerCase()}`;
    if (words.includes(text)) return true;
    rest = text.length > 1 ? words.slice(1 - text.length) : '';
  }
  return false;
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
