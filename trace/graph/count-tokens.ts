import type { HeadEvent, TokenUsage, WireEvent } from '../../core/events/events.ts';
import { joinPayload } from '../export/payload-text.ts';
import { readChecked } from '../payload-check.ts';
import type { CallNode } from '../fold/tree.ts';

/** Counts the tokens of texts, each by itself; as many numbers as texts. Rejects where it cannot. */
export type CountTexts = (texts: readonly string[]) => Promise<readonly number[]>;

/** Why a message was not counted: nothing of it is kept, or it is no text. */
export type Uncounted = 'notKept' | 'noText';

/** The tokens of a call that its agent did not report, as they were counted. */
export interface CountedCall {
  readonly call: string;
  /** A member that was reported, or that could not be counted, is not there. */
  readonly tokens: TokenUsage;
  /** Without it, all was counted that was not reported. */
  readonly uncounted?: Uncounted;
}

/** So many characters of a message are counted; of a longer one the rest is taken to be like them. */
const MOST_COUNTED = 1_000_000;

/** Calls and characters that are counted together, between two answers. */
const MOST_CALLS = 200;
const MOST_CHARACTERS = 200_000;

/** What was on the wire of a call, in order. */
type ReadPayload = (call: string) => Promise<readonly (HeadEvent | WireEvent)[]>;

/**
 * Counts the tokens of requests and replies whose agents report none, as they are on the wire, frames of their protocol included.
 * Calls that are another one seen from elsewhere, and those of which all was reported, are left out. Tells some calls at a time,
 * so that whoever asks may rest or stop between; rejects where `countTexts` does.
 */
export async function* countUnreported(
  nodes: Iterable<CallNode>,
  payload: ReadPayload,
  countTexts: CountTexts,
): AsyncGenerator<readonly CountedCall[], void> {
  let asked: Asked[] = [];
  let characters = 0;
  for (const node of nodes) {
    const { usage = {}, isView } = node;
    if (isView || (usage.input !== undefined && usage.output !== undefined)) continue;
    const { events, isWhole } = await readChecked(node, payload);
    // What is left of a message is not counted as the whole.
    const found = readMessages(node, isWhole ? events : []);
    asked.push(found);
    characters += lengthOf(found.input) + lengthOf(found.output);
    if (asked.length < MOST_CALLS && characters < MOST_CHARACTERS) continue;
    yield await countAll(asked, countTexts);
    asked = [];
    characters = 0;
  }
  if (asked.length > 0) yield await countAll(asked, countTexts);
}

/** A message that is counted: its text, cut, and how many times longer it is. */
interface Counted {
  readonly text: string;
  readonly times: number;
}

/** What is to be counted of a call. */
interface Asked {
  readonly call: string;
  readonly input: Counted | Uncounted | undefined;
  readonly output: Counted | Uncounted | undefined;
}

function readMessages(
  { call, usage = {}, traffic }: CallNode,
  heard: readonly (HeadEvent | WireEvent)[],
): Asked {
  const isUnheard = traffic.bytesOut === 0 && traffic.bytesIn === 0;
  const read = (direction: 'out' | 'in', bytes: number): Counted | Uncounted | undefined => {
    const said = joinPayload(heard, direction);
    if (!said) return bytes > 0 || isUnheard ? 'notKept' : undefined;
    if (!('text' in said)) return 'noText';
    const { text } = said;
    return { text: text.slice(0, MOST_COUNTED), times: Math.max(1, text.length / MOST_COUNTED) };
  };
  return {
    call: call.call,
    input: usage.input === undefined ? read('out', traffic.bytesOut) : undefined,
    output: usage.output === undefined ? read('in', traffic.bytesIn) : undefined,
  };
}

function lengthOf(message: Asked['input']): number {
  return typeof message === 'object' ? message.text.length : 0;
}

async function countAll(asked: readonly Asked[], countTexts: CountTexts): Promise<readonly CountedCall[]> {
  const messages = asked.flatMap(({ input, output }) =>
    [input, output].filter(message => typeof message === 'object'),
  );
  const counts = messages.length === 0 ? [] : await countTexts(messages.map(({ text }) => text));
  const counted = new Map(messages.map((message, at) => [message, counts[at]]));
  const read = (message: Asked['input']): number | undefined => {
    const count = typeof message === 'object' ? counted.get(message) : undefined;
    return count === undefined || typeof message !== 'object' ? undefined : Math.round(count * message.times);
  };
  return asked.map(({ call, input, output }) => {
    const tokens = { input: read(input), output: read(output) };
    const uncounted = [input, output].find(message => typeof message === 'string');
    return {
      call,
      tokens: {
        ...(tokens.input === undefined ? {} : { input: tokens.input }),
        ...(tokens.output === undefined ? {} : { output: tokens.output }),
      },
      ...(uncounted === undefined ? {} : { uncounted }),
    };
  });
}
