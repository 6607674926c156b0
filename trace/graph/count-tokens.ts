import { defined } from '../../core/text/fields.ts';
import type { HeadEvent, TokenUsage, WireEvent } from '../../core/events/events.ts';
import { joinPayload } from '../export/payload-text.ts';
import { readChecked } from '../payload-check.ts';
import type { CallNode } from '../fold/tree.ts';

/** Counts the tokens of each text separately. Rejects if it cannot. */
export type CountTexts = (texts: readonly string[]) => Promise<readonly number[]>;

/** Why a message was not counted: its payload is not stored, or is no text. */
export type Uncounted = 'notKept' | 'noText';

/** Counted tokens of a call, where its agent did not report them. */
export interface CountedCall {
  readonly call: string;
  /** Without members that were reported, or could not be counted. */
  readonly tokens: TokenUsage;
  /** Missing if everything was counted that was not reported. */
  readonly uncounted?: Uncounted;
}

/** The maximum number of characters of a message that are counted; the count of a longer one is extrapolated. */
const MAX_COUNTED = 1_000_000;

/** The maximum numbers of calls and characters that are counted together. */
const MAX_CALLS = 200;
const MAX_CHARACTERS = 200_000;

/** Reads the heads and bytes of a call, in order. */
type ReadPayload = (call: string) => Promise<readonly (HeadEvent | WireEvent)[]>;

/**
 * Counts the tokens of requests and replies for which agents report none, as they are on the wire, protocol
 * frames included. Views from other sides and fully reported calls are skipped. Yields some calls at a time,
 * so that the caller may pause or stop; rejects if `countTexts` does.
 */
export async function* countUnreported(
  nodes: Iterable<CallNode>,
  payload: ReadPayload,
  countTexts: CountTexts,
): AsyncGenerator<readonly CountedCall[], void> {
  let requests: CountRequest[] = [];
  let characters = 0;
  for (const node of nodes) {
    const { usage = {}, isView } = node;
    if (isView || (usage.input !== undefined && usage.output !== undefined)) continue;
    const { events, isWhole } = await readChecked(node, payload);
    // An incomplete payload is not counted as the whole.
    const found = readMessages(node, isWhole ? events : []);
    requests.push(found);
    characters += lengthOf(found.input) + lengthOf(found.output);
    if (requests.length < MAX_CALLS && characters < MAX_CHARACTERS) continue;
    yield await countAll(requests, countTexts);
    requests = [];
    characters = 0;
  }
  if (requests.length > 0) yield await countAll(requests, countTexts);
}

/** A message to be counted: its text, cut, and the ratio of its length to that of the cut text. */
interface Counted {
  readonly text: string;
  readonly times: number;
}

/** The messages of a call to be counted. */
interface CountRequest {
  readonly call: string;
  readonly input: Counted | Uncounted | undefined;
  readonly output: Counted | Uncounted | undefined;
}

function readMessages(
  { call, usage = {}, traffic }: CallNode,
  observed: readonly (HeadEvent | WireEvent)[],
): CountRequest {
  const isUnobserved = traffic.bytesOut === 0 && traffic.bytesIn === 0;
  const read = (direction: 'out' | 'in', bytes: number): Counted | Uncounted | undefined => {
    const replyText = joinPayload(observed, direction);
    if (!replyText) return bytes > 0 || isUnobserved ? 'notKept' : undefined;
    if (!('text' in replyText)) return 'noText';
    const { text } = replyText;
    return { text: text.slice(0, MAX_COUNTED), times: Math.max(1, text.length / MAX_COUNTED) };
  };
  return {
    call: call.call,
    input: usage.input === undefined ? read('out', traffic.bytesOut) : undefined,
    output: usage.output === undefined ? read('in', traffic.bytesIn) : undefined,
  };
}

function lengthOf(message: CountRequest['input']): number {
  return typeof message === 'object' ? message.text.length : 0;
}

async function countAll(
  requests: readonly CountRequest[],
  countTexts: CountTexts,
): Promise<readonly CountedCall[]> {
  const messages = requests.flatMap(({ input, output }) =>
    [input, output].filter(message => typeof message === 'object'),
  );
  const counts = messages.length === 0 ? [] : await countTexts(messages.map(({ text }) => text));
  const counted = new Map(messages.map((message, at) => [message, counts[at]]));
  const read = (message: CountRequest['input']): number | undefined => {
    const count = typeof message === 'object' ? counted.get(message) : undefined;
    return count === undefined || typeof message !== 'object' ? undefined : Math.round(count * message.times);
  };
  return requests.map(({ call, input, output }) => {
    const tokens = { input: read(input), output: read(output) };
    const uncounted = [input, output].find(message => typeof message === 'string');
    return defined({ call, tokens: defined({ input: tokens.input, output: tokens.output }), uncounted });
  });
}
