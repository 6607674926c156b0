import { message, type Message } from '../../core/message/message.ts';
import { textValue } from '../../core/values/value.ts';
import type { Carried } from '../protocol.ts';

/** A request in the session that the previous reply named. */
export function carrySession(request: Message, { session }: Carried): Message {
  const { kind, fields } = request;
  return session === undefined
    ? request
    : message(kind, { ...fields, session: textValue(session) }, fields.rest);
}
