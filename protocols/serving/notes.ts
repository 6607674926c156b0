import type { Report } from '../../core/message/report.ts';
import type { ProtocolRow } from '../../core/catalog/protocols.ts';
import type { Message } from '../../core/message/message.ts';
import { listForeignValues } from '../message/foreign-values.ts';
import type { CallerReply, ServedReply } from './serving.ts';

/** Notes what an agent asks before it goes on, for a protocol without conversations. */
export function noteQuestion(
  { question }: ServedReply,
  protocol: string,
  reply: Pick<CallerReply, 'note'>,
): void {
  if (question !== undefined)
    reply.note(`The agent asks before it goes on, and ${protocol} has no place for the answer: ${question}`);
}

/** Notes what writing a message for a caller has lost, and which values have another form in the caller's language. */
export function noteLosses(
  written: Message,
  facts: Pick<ProtocolRow, 'language'>,
  { losses }: Report,
  reply: Pick<CallerReply, 'note'>,
): void {
  for (const note of listForeignValues(written, facts, 'caller')) reply.note(note);
  for (const { path, message } of losses) reply.note(path === '' ? message : `${path}: ${message}`);
}
