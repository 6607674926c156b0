import type { Report } from '../../core/message/report.ts';
import type { CallerReply, ServedReply } from './serving.ts';

/** Adds each note to the trace of a request once: the chunks of a reply may all lose the same. */
export class NoteOnce implements Pick<CallerReply, 'note'> {
  readonly #reply: Pick<CallerReply, 'note'>;
  readonly #noted = new Set<string>();

  constructor(reply: Pick<CallerReply, 'note'>) {
    this.#reply = reply;
  }

  note(text: string): void {
    if (this.#noted.has(text)) return;
    this.#noted.add(text);
    this.#reply.note(text);
  }
}

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
