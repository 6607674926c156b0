import { message, type Message } from '../../core/message/message.ts';
import { findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import type { Carried } from '../protocol.ts';

/** A request that continues the session that the reply before it named. */
export function carrySession(request: Message, { session }: Carried): Message {
  const { kind, fields } = request;
  return session === undefined
    ? request
    : message(kind, { ...fields, session: textValue(session) }, fields.rest);
}

/** The last text that is not empty among the members of one name of several values. */
export function lastText(values: readonly Value[], member: string): string | undefined {
  return values.map(value => textIn(findEntry(value, member))).findLast(Boolean);
}
