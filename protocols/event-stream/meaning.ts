import type { Message } from '../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  listValue,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { noteIncomplete } from '../conversation/ended.ts';
import { dictOf } from '../conversation/verified.ts';
import { readMessage } from '../message/envelope.ts';
import { readError } from '../errors/errors.ts';
import { Members } from '../message/members.ts';
import type { Reading } from '../message/shape.ts';
import { takeMark } from './apart.ts';
import { DEFAULT_ITEM, differenceOf, type Step, type StreamDialect, type StreamState } from './dialect.ts';
import { leadsTo, staged, type Pending } from './pending.ts';
import { pathTo, type StepName } from './stages.ts';

/**
 * Reads and writes the events of a reply, whatever the protocol. The writer puts the events before a part that a client
 * needs; the reader takes exactly those off again, by deriving what the writer would write. An event that is another one
 * gives a part of its own, which keeps how it differs. So the reader of what the writer wrote finds the same parts.
 */

/** What an event means at a place in a stream. */
export interface Meant {
  readonly step: Step;
  /** The event without its envelope. */
  readonly event: DictValue;
  readonly part: Message;
  /** True for an event that may only lead to another one. */
  readonly isHeld: boolean;
  /** True where what is held back is no way to this event, and stands for itself. */
  readonly isApart: boolean;
}

/** What the parts of a stream are called that are neither text nor the end. */
export const EVENTS = [
  { step: 'created', event: 'created' },
  { step: 'progress', event: 'in_progress' },
  { step: 'begin', event: 'begin' },
  { step: 'open', event: 'open' },
  { step: 'part', event: 'part' },
  { step: 'arguments', event: 'arguments' },
  { step: 'reasoning', event: 'reasoning' },
  { step: 'contentDone', event: 'content_done' },
  { step: 'partDone', event: 'part_done' },
  { step: 'close', event: 'close' },
  { step: 'other', event: 'other' },
] as const satisfies readonly { readonly step: StepName; readonly event: string }[];

/** Steps that the writer puts before others. */
const IMPLIED: ReadonlySet<StepName> = new Set([
  'created',
  'progress',
  'begin',
  'part',
  'contentDone',
  'partDone',
  'close',
]);

/** What an event means after what came before it. Nothing changes by asking. */
export function interpret(
  event: DictValue,
  state: StreamState,
  pending: Pending,
  dialect: StreamDialect,
  reading: Reading,
): Meant {
  const members = new Members(event);
  const { isApart, envelope } = takeMark(members);
  const actual = dictValue(members.entries());
  if (dialect.isCarrier(event) && envelope?.kind === 'dict') {
    const part = readMessage(
      { kind: 'chunk', fields: {}, rest: undefined, envelope },
      dialect.protocol,
      reading.report,
    );
    return { step: { name: 'other' }, event: actual, part, isHeld: false, isApart: true };
  }
  const step = dialect.classify(actual, state);
  if (step.name === 'final') noteIncomplete(findEntry(actual, 'response') ?? actual, reading.report);
  const isDue = pathTo(state.stage, staged(step), dialect)?.length === 0;
  const derived = isDue ? dialect.derive(state, step) : undefined;
  const difference = derived ? differenceOf(derived, actual) : 'impossible';
  const rest =
    difference === 'impossible' ? dictOf({ event: actual }) : difference && dictOf({ members: difference });
  const part = partOf(step, rest, envelope, dialect, reading);
  const isExact = difference === undefined && envelope === undefined;
  const isDefaultOpen =
    step.name === 'open' && step.item !== undefined && isSameValue(step.item, DEFAULT_ITEM);
  return {
    step,
    event: actual,
    part,
    isHeld: isExact && (IMPLIED.has(step.name) || isDefaultOpen),
    isApart: isApart || difference === 'impossible' || !leadsTo(pending, staged(step), dialect),
  };
}

function partOf(
  step: Step,
  rest: Value | undefined,
  envelope: Value | undefined,
  dialect: StreamDialect,
  reading: Reading,
): Message {
  const { protocol } = dialect;
  const dict = rest?.kind === 'dict' ? rest : undefined;
  if (step.name === 'final')
    return readMessage({ kind: 'end', fields: {}, rest: dict, envelope }, protocol, reading.report);
  if (step.name === 'failed') {
    const inner = new Members(step.error);
    const found = { code: inner.take('code'), text: inner.take('message'), data: inner.take('data') };
    const fields = readError(protocol, found, reading.report);
    return readMessage({ kind: 'error', fields, rest: dict, envelope }, protocol, reading.report);
  }
  const event = EVENTS.find(row => row.step === step.name)?.event;
  const marks = new Members(envelope);
  const isContent = step.name === 'text' && marks.takeWord(AS, CONTENT.text);
  const fields = {
    event: event === undefined ? undefined : textValue(event),
    [isContent ? 'content' : 'data']: step.text,
    items: step.item && listValue([step.item]),
  };
  const left = isContent ? marks.left() : envelope;
  return readMessage({ kind: 'chunk', fields, rest: dict, envelope: left }, protocol, reading.report);
}

/** Says in the envelope that the text of an event is not the data of the part but its content. */
export const AS = 'as';
export const CONTENT = textValue('content');
