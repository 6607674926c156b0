import {
  boolValue,
  dictValue,
  findEntry,
  intValue,
  listValue,
  NULL,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { responseFrame } from './frame.ts';
import { defaultRole } from './items.ts';
import { errorOf, hasFailed } from '../conversation/ended.ts';
import { ENVELOPE } from '../message/envelope.ts';
import { Members } from '../message/members.ts';
import { looksLikeResponses } from '../event-stream/marks.ts';
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
import { advance, isCallType, START } from '../event-stream/stages.ts';
import { dictOf } from '../conversation/verified.ts';

/** A reply of the Agent API in events: objects of the kinds response, message and content with a status each. */
export function agentApiStream(read: ProtocolShape['read']): StreamShape {
  return {
    recognises: isEvent,
    reader: reading => new EventReader(dialect, reading, read),
    writer: writing => new EventWriter(dialect, writing),
  };
}

const OBJECTS = new Set(['message', 'content']);
const UNFINISHED = new Set(['created', 'in_progress', 'queued']);

function isEvent(value: Value): boolean {
  if (value.kind !== 'dict' || findEntry(value, 'jsonrpc')) return false;
  const object = textIn(findEntry(value, 'object')) ?? '';
  if (OBJECTS.has(object)) return true;
  if (object !== 'response' || looksLikeResponses(value)) return false;
  const isNumbered = findEntry(value, 'sequence_number')?.kind === 'int';
  return isNumbered || UNFINISHED.has(textIn(findEntry(value, 'status')) ?? '');
}

const dialect: StreamDialect = {
  protocol: 'agent-api',
  hasBegin: true,
  hasParts: false,
  start: {
    stage: START,
    number: 0,
    response: responseFrame('created', {}),
    item: { id: textValue('msg_1'), open: DEFAULT_ITEM, text: '' },
    count: 0,
    closed: undefined,
  },
  classify,
  derive,
  observe,
  carrier: state =>
    dictValue(
      messageEntries(state, {
        id: textValue(`heartbeat_${state.number}`),
        type: 'heartbeat',
        status: 'completed',
      }),
    ),
  isWhole: () => true,
  isCarrier: event =>
    textIn(findEntry(event, 'type')) === 'heartbeat' && findEntry(event, ENVELOPE)?.kind === 'dict',
};

const OTHER: Step = { name: 'other' };

function classify(event: Value, state: StreamState): Step {
  const status = textIn(findEntry(event, 'status')) ?? '';
  switch (textIn(findEntry(event, 'object'))) {
    case 'response':
      return classifyResponse(event, status);
    case 'message':
      return classifyMessage(event, status);
    case 'content':
      return classifyContent(event, status, state);
    default:
      return OTHER;
  }
}

/** True for the event that ends a stream. */
export function isLastEvent(value: Value): boolean {
  const { name } = classify(value, dialect.start);
  return name === 'final' || name === 'failed';
}

const FINAL = new Set(['completed', 'canceled', 'failed', 'rejected', 'incomplete']);

function classifyResponse(event: Value, status: string): Step {
  if (status === 'created') return { name: 'created' };
  if (status === 'in_progress') return { name: 'progress' };
  if (!FINAL.has(status)) return OTHER;
  return hasFailed(event) ? { name: 'failed', error: errorOf(event) } : { name: 'final' };
}

function classifyMessage(event: Value, status: string): Step {
  const type = findEntry(event, 'type');
  const name = textIn(type);
  if (name === undefined || name === 'heartbeat') return OTHER;
  if (FINAL.has(status)) return { name: 'close' };
  if (status !== 'in_progress' && status !== 'created') return OTHER;
  if (isCallType(name)) return { name: 'begin', item: dictOf({ type }) };
  const role = name === 'message' ? findEntry(event, 'role') : undefined;
  return { name: 'open', item: dictOf({ type, role }) };
}

function classifyContent(event: Value, status: string, { stage, item }: StreamState): Step {
  const delta = findEntry(event, 'delta');
  const isDelta = delta?.kind === 'bool' ? delta.bool : status === 'in_progress';
  if (!isDelta) return status === 'completed' ? { name: 'contentDone' } : OTHER;
  const type = textIn(findEntry(event, 'type'));
  const text = findEntry(event, 'text');
  if (type === 'text' && text?.kind === 'text')
    return { name: stage.type === 'reasoning' ? 'reasoning' : 'text', text };
  const data = findEntry(event, 'data');
  if (type !== 'data' || data?.kind !== 'dict' || !isCallType(stage.type) || findEntry(data, 'type'))
    return OTHER;
  if (stage.at === 'begun')
    return {
      name: 'open',
      item: dictValue([{ key: 'type', value: textValue(stage.type) }, ...data.entries]),
    };
  const given = findEntry(data, 'arguments');
  const isSame =
    given?.kind === 'text' && isSameValue(withMembers(dataOf(item.open), { arguments: given }), data);
  return isSame ? { name: 'arguments', text: given } : OTHER;
}

/** The data of a call from the item that opened it. */
function dataOf(item: Value): DictValue {
  return dictValue(item.kind === 'dict' ? item.entries.filter(({ key }) => key !== 'type') : []);
}

function derive(state: StreamState, step: Step): DictValue | undefined {
  const number = intValue(state.number);
  switch (step.name) {
    case 'created':
    case 'progress': {
      const status = step.name === 'created' ? 'created' : 'in_progress';
      return withMembers(state.response, { sequence_number: number, status: textValue(status) });
    }
    case 'begin':
      return deriveOpen(state, step.item);
    case 'open':
      return isCallType(textIn(findEntry(step.item, 'type')) ?? '')
        ? content(state, 'in_progress', { data: dataOf(step.item ?? NULL) })
        : deriveOpen(state, step.item);
    case 'text':
    case 'reasoning':
      return step.text && content(state, 'in_progress', { text: step.text });
    case 'arguments':
      return (
        step.text &&
        content(state, 'in_progress', {
          data: withMembers(dataOf(state.item.open), { arguments: step.text }),
        })
      );
    case 'contentDone':
      return content(state, 'completed', doneMember(state));
    case 'close':
      return deriveClose(state);
    case 'final':
      return withMembers(state.response, {
        sequence_number: number,
        status: textValue('completed'),
        completed_at: findEntry(state.response, 'created_at') ?? intValue(0),
        output: listValue(closedItems(state)),
      });
    case 'failed':
      return withMembers(state.response, {
        sequence_number: number,
        status: textValue('failed'),
        error: pickError(step.error),
      });
    default:
      return undefined;
  }
}

function deriveOpen(state: StreamState, item: Value | undefined): DictValue | undefined {
  const members = new Members(item);
  const type = members.takeKind('type', 'text')?.text;
  const role = type === 'message' ? members.take('role') : undefined;
  if (type === undefined || type === 'heartbeat' || members.size > 0) return undefined;
  return dictValue(
    messageEntries(state, { id: textValue(`msg_${state.count + 1}`), type, role, status: 'in_progress' }),
  );
}

interface MessageHead {
  readonly id: Value;
  readonly type: string;
  readonly role?: Value | undefined;
  readonly status: string;
  readonly content?: Value | undefined;
}

function messageEntries(
  state: StreamState,
  { id, type, role, status, content }: MessageHead,
): readonly Entry[] {
  return Object.entries({
    sequence_number: intValue(state.number),
    object: textValue('message'),
    status: textValue(status),
    error: NULL,
    id,
    type: textValue(type),
    role: role ?? textValue(defaultRole(type)),
    content: content ?? NULL,
    code: NULL,
    message: NULL,
    usage: NULL,
    metadata: NULL,
  }).map(([key, value]) => ({ key, value }));
}

type ContentMember = { readonly text: Value } | { readonly data: Value };

function content(state: StreamState, status: 'in_progress' | 'completed', member: ContentMember): DictValue {
  const entries = Object.entries({
    sequence_number: intValue(state.number),
    object: textValue('content'),
    status: textValue(status),
    error: NULL,
    type: textValue('text' in member ? 'text' : 'data'),
    index: intValue(0),
    delta: boolValue(status === 'in_progress'),
    msg_id: state.item.id,
    ...member,
  });
  return dictValue(entries.map(([key, value]) => ({ key, value })));
}

/** What the open item has when it is done. */
function doneMember({ stage, item }: StreamState): ContentMember {
  const text = textValue(item.text);
  return isCallType(stage.type) ? { data: withMembers(dataOf(item.open), { arguments: text }) } : { text };
}

function deriveClose(state: StreamState): DictValue {
  const { stage, item } = state;
  const done = withMembers(content(state, 'completed', doneMember(state)), { sequence_number: NULL });
  const role = stage.type === 'message' ? findEntry(item.open, 'role') : undefined;
  const contents = listValue(stage.hasText || isCallType(stage.type) ? [done] : []);
  return dictValue(
    messageEntries(state, { id: item.id, type: stage.type, role, status: 'completed', content: contents }),
  );
}

function observe(state: StreamState, event: Value, step: Step): StreamState {
  const type = textIn(findEntry(step.item, 'type')) ?? '';
  const next = {
    ...state,
    number: nextNumber(event, state),
    stage: advance(state.stage, { name: step.name, type }),
  };
  const { item } = state;
  const opened = { id: findEntry(event, 'id') ?? item.id, open: step.item ?? DEFAULT_ITEM, text: '' };
  switch (step.name) {
    case 'created':
    case 'progress':
      return event.kind === 'dict' ? { ...next, response: event } : next;
    case 'begin':
      return { ...next, item: opened, count: state.count + 1 };
    case 'open': {
      if (!isCallType(type)) return { ...next, item: opened, count: state.count + 1 };
      const first = textIn(findEntry(step.item, 'arguments')) ?? '';
      return { ...next, item: { ...opened, id: item.id, text: first } };
    }
    case 'text':
    case 'arguments': {
      const more = textIn(step.text) ?? '';
      if (state.stage.at === 'item') return { ...next, item: { ...item, text: item.text + more } };
      const id = findEntry(event, 'msg_id') ?? textValue(`msg_${state.count + 1}`);
      return { ...next, item: { id, open: DEFAULT_ITEM, text: more }, count: state.count + 1 };
    }
    case 'close':
      return { ...next, closed: { item: event, before: state.closed } };
    default:
      return next;
  }
}
