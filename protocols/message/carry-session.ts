import { message, type Message } from '../../core/message/message.ts';
import { findEntry, textIn, textValue } from '../../core/values/value.ts';
import type { Carried, Conversations } from '../protocol.ts';

/** A request in the session that the previous reply named. */
export function carrySession(request: Message, { session }: Carried): Message {
  const { kind, fields } = request;
  return session === undefined
    ? request
    : message(kind, { ...fields, session: textValue(session) }, fields.rest);
}

/** Reads the session of a reply from this member of its messages; the last one that is not empty counts. */
export function readSessionFrom(member: string): NonNullable<Conversations['readCarried']> {
  return (value, before) => ({ session: textIn(findEntry(value, member)) || before.session });
}
