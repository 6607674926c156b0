import { boolValue, dictValue, type DictValue, type Value } from '../../core/values/value.ts';
import { ENVELOPE } from '../message/envelope.ts';
import { Members } from '../message/members.ts';

/** The member of an event's envelope that keeps what is held back before it from leading to it. */
const APART = 'apart';

/** Takes the envelope of an event, and the mark in it that keeps what is held back from leading to this event. */
export function takeMark(members: Members): {
  readonly isApart: boolean;
  readonly envelope: Value | undefined;
} {
  const envelope = members.take(ENVELOPE);
  const inner = new Members(envelope);
  const isApart = inner.takeKind(APART, 'bool')?.bool === true;
  return { isApart, envelope: isApart ? inner.left() : envelope };
}

/** An event with an envelope. */
export function withEnvelope(event: DictValue, envelope: Value | undefined): DictValue {
  return envelope ? dictValue([...event.entries, { key: ENVELOPE, value: envelope }]) : event;
}

/** The events with the mark that what is held back before them leads to none of them. */
export function setApart(events: readonly DictValue[]): readonly DictValue[] {
  const [first, ...others] = events;
  if (!first) return events;
  const members = new Members(first);
  const before = members.take(ENVELOPE);
  const marked = dictValue([
    { key: APART, value: boolValue(true) },
    ...(before?.kind === 'dict' ? before.entries : []),
  ]);
  return [withEnvelope(dictValue(members.entries()), marked), ...others];
}
