import { findMessageKind } from '../catalog/message-kinds.ts';
import type { Message } from '../message/message.ts';
import { textIn } from '../message/value.ts';

/**
 * The ids that the messages of one text have anyhow, in order: requests are counted from 1, and a reply has the id of
 * the oldest request of its session that is open, or of one without a session; a reply without a session that of the
 * oldest of all. A message whose id is this one needs no field for it, and where a protocol wants an id, one without
 * the field gets this one. So an id that nobody chose does not have to be carried.
 */
export class Numbering {
  /** Of each number whether it is answered; 0 is none. */
  readonly #isAnswered = [false];
  readonly #all = new Queue();
  /** The requests of each session; those without one stand under undefined. */
  readonly #sessions = new Map<string | undefined, Queue>();

  /** The id of the next message. */
  next(message: Message): number {
    const role = findMessageKind(message.kind)?.role;
    const session = textIn(message.fields.session);
    if (role === 'request') return this.#open(session);
    const number = this.#findOpen(session) ?? this.#open(session);
    if (role === 'reply' || isLast(message)) this.#isAnswered[number] = true;
    return number;
  }

  #findOpen(session: string | undefined): number | undefined {
    if (session === undefined) return this.#all.first(this.#isAnswered);
    const own = this.#sessions.get(session)?.first(this.#isAnswered);
    return own ?? this.#sessions.get(undefined)?.first(this.#isAnswered);
  }

  #open(session: string | undefined): number {
    const number = this.#isAnswered.length;
    this.#isAnswered.push(false);
    let queue = this.#sessions.get(session);
    if (!queue) this.#sessions.set(session, (queue = new Queue()));
    queue.push(number);
    this.#all.push(number);
    return number;
  }
}

/** Numbers in order, of which some are answered elsewhere. */
class Queue {
  readonly #numbers: number[] = [];
  #first = 0;

  push(number: number): void {
    this.#numbers.push(number);
  }

  /** The first one that is not answered. */
  first(isAnswered: readonly boolean[]): number | undefined {
    while (isAnswered[this.#numbers[this.#first] ?? 0]) this.#first++;
    return this.#numbers[this.#first];
  }
}

function isLast({ kind, fields }: Message): boolean {
  return kind === 'end' || (fields.final?.kind === 'bool' && fields.final.bool);
}
