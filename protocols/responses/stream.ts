import {
  dictValue,
  findEntry,
  intValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { ENVELOPE } from '../message/envelope.ts';
import { errorOf, hasFailed } from '../conversation/ended.ts';
import { ownId } from '../conversation/items.ts';
import { Members } from '../message/members.ts';
import { responseFrame } from './frame.ts';
import type { ProtocolShape, StreamShape } from '../message/shape.ts';
import {
  closedItems,
  DEFAULT_ITEM,
  nextNumber,
  pickError,
  withMembers,
  type Step,
  type StreamDialect,
  type StreamState,
} from '../event-stream/dialect.ts';
import { EventReader } from '../event-stream/event-reader.ts';
import { EventWriter } from '../event-stream/event-writer.ts';
import { advance, isCallType, START, type StepName } from '../event-stream/stages.ts';
import { dictOf } from '../conversation/verified.ts';

/** A reply of OpenAI's Responses in events, each named by its `type`. */
export function responsesStream(read: ProtocolShape['read']): StreamShape {
  return {
    recognises: isEvent,
    reader: reading =>
      new EventReader(dialect, reading, (value, whole) => read(findEntry(value, 'response') ?? value, whole)),
    writer: writing => new EventWriter(dialect, writing),
  };
}

const CARRIER = 'parley.part';

function isEvent(value: Value): boolean {
  if (value.kind !== 'dict') return false;
  const type = textIn(findEntry(value, 'type')) ?? '';
  return type.startsWith('response.') || type === CARRIER || (type === 'error' && isNumbered(value));
}

function isNumbered(value: Value): boolean {
  return findEntry(value, 'sequence_number')?.kind === 'int';
}

const dialect: StreamDialect = {
  protocol: 'responses',
  hasBegin: false,
  hasParts: true,
  start: {
    stage: START,
    number: 0,
    response: responseFrame({ status: textValue('in_progress') }),
    item: { id: textValue('msg_1'), open: DEFAULT_ITEM, text: '' },
    count: 0,
    closed: undefined,
  },
  classify,
  derive,
  observe,
  carrier: state => event(state, CARRIER, {}),
  isWhole: value => findEntry(value, 'response') !== undefined,
  isCarrier: value =>
    textIn(findEntry(value, 'type')) === CARRIER && findEntry(value, ENVELOPE)?.kind === 'dict',
};

const OTHER: Step = { name: 'other' };

const NAMES: ReadonlyMap<string, StepName> = new Map([
  ['response.created', 'created'],
  ['response.in_progress', 'progress'],
  ['response.content_part.added', 'part'],
  ['response.output_text.done', 'contentDone'],
  ['response.function_call_arguments.done', 'contentDone'],
  ['response.content_part.done', 'partDone'],
  ['response.output_item.done', 'close'],
]);

/** The events that end a stream with a response. */
const LAST = new Set(['response.completed', 'response.incomplete', 'response.failed']);

const DELTAS: ReadonlyMap<string, StepName> = new Map([
  ['response.output_text.delta', 'text'],
  ['response.function_call_arguments.delta', 'arguments'],
  ['response.reasoning_summary_text.delta', 'reasoning'],
]);

function classify(given: Value): Step {
  const type = textIn(findEntry(given, 'type')) ?? '';
  const delta = DELTAS.get(type);
  const text = findEntry(given, 'delta');
  if (delta) return text?.kind === 'text' ? { name: delta, text } : OTHER;
  const response = findEntry(given, 'response');
  if (LAST.has(type))
    return type === 'response.failed' || hasFailed(response)
      ? { name: 'failed', error: errorOf(response) }
      : { name: 'final' };
  if (type === 'error') return { name: 'failed', error: errorOfEvent(given) };
  const name = NAMES.get(type);
  if (name) return { name };
  if (type === 'response.output_item.added') {
    const item = readOpen(findEntry(given, 'item'));
    return item ? { name: 'open', item } : OTHER;
  }
  return OTHER;
}

/** The error of an event of the type `error`, which has no response; some servers put it into a member of its own. */
function errorOfEvent(given: Value): Value {
  const inner = findEntry(given, 'error');
  const members = new Members(inner?.kind === 'dict' ? inner : given);
  const code = members.takeKind('code', 'text') ?? members.takeKind('code', 'int');
  return dictOf({ code, message: members.take('message') });
}

/** The item that opens: without its id and status, and without what is empty at first. */
function readOpen(item: Value | undefined): Value | undefined {
  const members = new Members(item);
  const type = members.takeKind('type', 'text');
  if (!type) return undefined;
  for (const key of ['id', 'status']) members.take(key);
  for (const key of emptyKeys(type.text)) {
    const found = members.peek(key);
    if (found?.kind === 'list' && found.items.length === 0) members.take(key);
  }
  return dictValue([{ key: 'type', value: type }, ...members.entries()]);
}

/** Lists that an item of this type has from the start. */
function emptyKeys(type: string): readonly string[] {
  return type === 'message' ? ['content'] : type === 'reasoning' ? ['summary'] : [];
}

function event(state: StreamState, type: string, more: Readonly<Record<string, Value>>): DictValue {
  const entries = Object.entries({
    type: textValue(type),
    sequence_number: intValue(state.number),
    ...more,
  });
  return dictValue(entries.map(([key, value]) => ({ key, value })));
}

/** An event about the open item. */
function itemEvent(state: StreamState, type: string, more: Readonly<Record<string, Value>>): DictValue {
  return event(state, type, { item_id: state.item.id, output_index: place(state, -1), ...more });
}

function place({ count }: StreamState, back: number): Value {
  return intValue(Math.max(0, count + back));
}

const FIRST = intValue(0);
const NOTHING = listValue([]);

function outputText(text: string): Value {
  return dictOf({
    type: textValue('output_text'),
    annotations: NOTHING,
    logprobs: NOTHING,
    text: textValue(text),
  });
}

function derive(state: StreamState, step: Step): DictValue | undefined {
  const { text } = step;
  switch (step.name) {
    case 'created':
      return event(state, 'response.created', { response: state.response });
    case 'progress':
      return event(state, 'response.in_progress', { response: state.response });
    case 'open':
      return deriveOpen(state, step.item);
    case 'part':
      return itemEvent(state, 'response.content_part.added', { content_index: FIRST, part: outputText('') });
    case 'text':
      return (
        text &&
        itemEvent(state, 'response.output_text.delta', {
          content_index: FIRST,
          delta: text,
          logprobs: NOTHING,
        })
      );
    case 'arguments':
      return text && itemEvent(state, 'response.function_call_arguments.delta', { delta: text });
    case 'reasoning':
      return (
        text &&
        itemEvent(state, 'response.reasoning_summary_text.delta', { summary_index: FIRST, delta: text })
      );
    default:
      return deriveEnd(state, step);
  }
}

function deriveEnd(state: StreamState, step: Step): DictValue | undefined {
  const text = textValue(state.item.text);
  switch (step.name) {
    case 'contentDone':
      return isCallType(state.stage.type)
        ? itemEvent(state, 'response.function_call_arguments.done', { arguments: text })
        : itemEvent(state, 'response.output_text.done', { content_index: FIRST, text, logprobs: NOTHING });
    case 'partDone':
      return itemEvent(state, 'response.content_part.done', {
        content_index: FIRST,
        part: outputText(state.item.text),
      });
    case 'close':
      return event(state, 'response.output_item.done', {
        output_index: place(state, -1),
        item: closedItem(state),
      });
    case 'final':
      return event(state, 'response.completed', {
        response: withMembers(state.response, {
          status: textValue('completed'),
          output: listValue(closedItems(state)),
        }),
      });
    case 'failed':
      return event(state, 'response.failed', {
        response: withMembers(state.response, { status: textValue('failed'), error: pickError(step.error) }),
      });
    default:
      return undefined;
  }
}

function deriveOpen(state: StreamState, item: Value | undefined): DictValue | undefined {
  const type = textIn(findEntry(item, 'type'));
  if (item?.kind !== 'dict' || type === undefined) return undefined;
  if (findEntry(item, 'id') || findEntry(item, 'status')) return undefined;
  const [head, ...others] = item.entries;
  const status = hasStatus(type) ? textValue('in_progress') : undefined;
  const whole = dictValue([
    { key: 'id', value: textValue(ownId(item, state.count)) },
    ...(head ? [head] : []),
    ...dictValue([{ key: 'status', value: status }]).entries,
    ...emptyKeys(type).map(key => ({ key, value: NOTHING })),
    ...others,
  ]);
  const isTwice = new Set(whole.entries.map(({ key }) => key)).size < whole.entries.length;
  if (isTwice) return undefined;
  return event(state, 'response.output_item.added', { output_index: place(state, 0), item: whole });
}

/** OpenAI sends an item of its reasoning without a status. */
function hasStatus(type: string): boolean {
  return type !== 'reasoning';
}

/** The open item as it is when it is done. */
function closedItem({ item, stage }: StreamState): Value {
  const members = new Members(item.open);
  const text = textValue(item.text);
  const type = members.take('type') ?? textValue('message');
  if (isCallType(stage.type)) members.put('arguments', text);
  const content = stage.hasPart ? listValue([outputText(item.text)]) : NOTHING;
  const status = hasStatus(stage.type) ? { status: textValue('completed') } : {};
  const head = { id: item.id, type, ...status };
  for (const key of emptyKeys(stage.type)) members.put(key, key === 'content' ? content : NOTHING);
  return dictValue([...Object.entries(head).map(([key, value]) => ({ key, value })), ...members.entries()]);
}

function observe(state: StreamState, given: Value, step: Step): StreamState {
  const type = textIn(findEntry(step.item, 'type')) ?? '';
  const next = {
    ...state,
    number: nextNumber(given, state),
    stage: advance(state.stage, { name: step.name, type }),
  };
  const { item } = state;
  switch (step.name) {
    case 'created':
    case 'progress': {
      const response = findEntry(given, 'response');
      return response?.kind === 'dict' ? { ...next, response } : next;
    }
    case 'open': {
      const open = step.item ?? DEFAULT_ITEM;
      const id = findEntry(findEntry(given, 'item'), 'id') ?? textValue(ownId(open, state.count));
      const text = isCallType(type) ? (textIn(findEntry(open, 'arguments')) ?? '') : '';
      return { ...next, item: { id, open, text }, count: state.count + 1 };
    }
    case 'text':
    case 'arguments': {
      const more = textIn(step.text) ?? '';
      if (state.stage.at === 'item') return { ...next, item: { ...item, text: item.text + more } };
      const id = findEntry(given, 'item_id') ?? item.id;
      return { ...next, item: { id, open: DEFAULT_ITEM, text: more }, count: state.count + 1 };
    }
    case 'close': {
      const closed = findEntry(given, 'item');
      return closed ? { ...next, closed: { item: closed, before: state.closed } } : next;
    }
    default:
      return next;
  }
}
