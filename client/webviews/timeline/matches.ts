import { parentageOf, type CallState } from '../../../trace/fold/call-state.ts';
import { showCycle } from '../../../core/events/recursion-guard.ts';
import { describeProtocol, STATUS_WORDS } from '../../../trace/words.ts';
import type { TraceCall, TraceModel } from './model.ts';

/** Calls to check between two steps. */
const STEP = 500;

/** Folds a text for comparison without case. */
export function foldCase(text: string): string {
  return text.toLowerCase();
}

/** True if the state of a call contains a text. `text` must be folded by `foldCase`. */
export function holdsText(state: CallState, text: string): boolean {
  return listWords(state).some(words => foldCase(words).includes(text));
}

/** Finds the calls whose state contains a text. Yields the completed share from 0 to 1. */
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

/** A match with its rank among all matches, from 1. */
export interface MatchPlace {
  readonly call: string;
  readonly rank: number;
}

/**
 * Finds the match next to a call in row order, and wraps around at the end. `here` is the call itself if it
 * matches. Returns undefined without a match. Cost: O(all calls).
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
    // A call between two matches gets a position halfway between them.
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
