import type { Report } from '../../core/message/report.ts';
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

/** Notes what writing a message has lost. */
export function noteLosses({ losses }: Report, reply: Pick<CallerReply, 'note'>): void {
  for (const { path, message } of losses) reply.note(path === '' ? message : `${path}: ${message}`);
}
