import { parentageOf, type CallState } from '../../../trace/fold/call-state.ts';
import { showCycle } from '../../../core/events/recursion-guard.ts';
import { describeProtocol, STATUS_WORDS } from '../../../trace/words.ts';
import type { TraceCall, TraceModel } from './model.ts';

/** Calls looked at between two looks at the clock. */
const STEP = 500;

/** A text as it is compared: case does not count. */
export function foldCase(text: string): string {
  return text.toLowerCase();
}

/** True where what is told of a call holds a text, of which case was folded. */
export function holdsText(state: CallState, text: string): boolean {
  return listWords(state).some(words => foldCase(words).includes(text));
}

/** Finds the calls of which something holds a text. Yields how much was looked at, from 0 to 1. */
export function* findMatches(model: TraceModel, text: string): Generator<number, ReadonlySet<string>> {
  const found = new Set<string>();
  let looked = 0;
  for (const { state } of model.all()) {
    if (holdsText(state, text)) found.add(state.id);
    looked++;
    if (looked % STEP === 0) yield looked / Math.max(looked, model.size);
  }
  return found;
}

/** A match with its place among all of them, from 1. */
export interface MatchPlace {
  readonly call: string;
  readonly rank: number;
}

/**
 * The next or the last match, from a call on, in the order of the rows; around the end it begins anew. `here` is the call
 * itself where that is a match. Undefined without a match. Work: all calls.
 */
export function stepMatch(
  model: TraceModel,
  found: ReadonlySet<string>,
  from: string,
  direction: 'here' | 'next' | 'previous',
): MatchPlace | undefined {
  let at = -0.5;
  const ordered: string[] = [];
  for (const id of listInOrder(model)) {
    const isMatch = found.has(id);
    // Between two matches, the last one counts as where one is, but for the one that comes next.
    if (isMatch) ordered.push(id);
    if (id === from) at = isMatch ? ordered.length - 1 : ordered.length - 0.5;
  }
  if (ordered.length === 0) return undefined;
  const wanted = { here: Math.ceil(at), next: Math.floor(at) + 1, previous: Math.ceil(at) - 1 }[direction];
  const index = (wanted + ordered.length) % ordered.length;
  return { call: ordered[index] ?? '', rank: index + 1 };
}

function* listInOrder(model: TraceModel): Generator<string> {
  const open: TraceCall[] = [...model.roots].reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    yield next.state.id;
    for (let at = next.children.length - 1; at >= 0; at--) {
      const child = next.children[at];
      if (child) open.push(child);
    }
  }
}

function listWords(state: CallState): readonly string[] {
  const { agent, from = '', title, protocol, status, code = '', message = '', notes = [], cycle } = state;
  return [
    title,
    agent,
    from,
    protocol,
    describeProtocol(protocol),
    STATUS_WORDS[status],
    code,
    message,
    state.id,
    parentageOf(state) === 'inferred' ? 'inferred' : '',
    cycle ? showCycle(cycle) : '',
    ...notes,
  ];
}
