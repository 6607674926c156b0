import { findMessageKind } from '../../core/catalog/message-kinds.ts';
import type { Message } from '../../core/message/message.ts';
import { textIn } from '../../core/values/value.ts';
import { NumberList } from '../../core/text/number-list.ts';

/**
 * The ids that the messages of one text have anyhow, in order: requests are counted from 1, and a reply has the id of
 * the oldest request of its session that is open, or of one without a session; a reply without a session that of the
 * oldest of all. A message whose id is this one needs no field for it, and where a protocol wants an id, one without
 * the field gets this one. So an id that nobody chose does not have to be carried.
 */
export class Numbering {
  /** Of each number 1 where it is answered; 0 is none. */
  readonly #isAnswered = new NumberList();
  readonly #all = new Queue();
  /** The requests of each session; those without one stand under undefined. */
  readonly #sessions = new Map<string | undefined, Queue>();

  constructor() {
    this.#isAnswered.push(0);
  }

  /** The id of the next message. */
  next(message: Message): number {
    const role = findMessageKind(message.kind)?.role;
    const session = textIn(message.fields.session);
    if (role === 'request') return this.#open(session);
    const number = this.#findOpen(session) ?? this.#open(session);
    if (role === 'reply' || isLast(message)) this.#isAnswered.set(number, 1);
    return number;
  }

  #findOpen(session: string | undefined): number | undefined {
    if (session === undefined) return this.#all.first(this.#isAnswered);
    const own = this.#sessions.get(session)?.first(this.#isAnswered);
    return own ?? this.#sessions.get(undefined)?.first(this.#isAnswered);
  }

  #open(session: string | undefined): number {
    const number = this.#isAnswered.length;
    this.#isAnswered.push(0);
    let queue = this.#sessions.get(session);
    if (!queue) this.#sessions.set(session, (queue = new Queue()));
    queue.push(number);
    this.#all.push(number);
    return number;
  }
}

/** Numbers in order, of which some are answered elsewhere. */
class Queue {
  readonly #numbers = new NumberList();
  #first = 0;

  push(number: number): void {
    this.#numbers.push(number);
  }

  /** The first one that is not answered. */
  first(isAnswered: NumberList): number | undefined {
    while (isAnswered.at(this.#numbers.at(this.#first) ?? 0) === 1) this.#first++;
    return this.#numbers.at(this.#first);
  }
}

function isLast({ kind, fields }: Message): boolean {
  return kind === 'end' || (fields.final?.kind === 'bool' && fields.final.bool);
}
