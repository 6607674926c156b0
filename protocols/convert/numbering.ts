import { findMessageKind } from '../../core/catalog/message-kinds.ts';
import type { Message } from '../../core/message/message.ts';
import { textIn } from '../../core/values/value.ts';
import { NumberList } from '../../core/text/number-list.ts';

/**
 * The default ids of the messages of one text, in order. Requests are counted from 1. A reply has the id of the oldest
 * open request of its session, else of the oldest open one without a session; a reply without a session has the id of
 * the oldest open one of all. A message with its default id needs no field for it, and a protocol that requires an id
 * writes the default one. So an id that carries no information need not be carried.
 */
export class Numbering {
  /** By number, 1 if the request is answered; number 0 is unused. */
  readonly #isAnswered = new NumberList();
  readonly #all = new Queue();
  /** The requests of each session; undefined is the key for those without one. */
  readonly #sessions = new Map<string | undefined, Queue>();

  constructor() {
    this.#isAnswered.push(0);
  }

  /** The default id of the next message. */
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
    queue.push(number, this.#isAnswered);
    this.#all.push(number, this.#isAnswered);
    return number;
  }
}

/** Request numbers in order; `isAnswered` has which of them are answered. */
class Queue {
  readonly #numbers = new NumberList();
  #first = 0;

  /** Adds a number. A queue of answered requests begins anew, so that it takes no more memory than open requests need. */
  push(number: number, isAnswered: NumberList): void {
    if (this.first(isAnswered) === undefined) {
      this.#numbers.cut(0);
      this.#first = 0;
    }
    this.#numbers.push(number);
  }

  /** The first number that is not answered. */
  first(isAnswered: NumberList): number | undefined {
    while (isAnswered.at(this.#numbers.at(this.#first) ?? 0) === 1) this.#first++;
    return this.#numbers.at(this.#first);
  }
}

function isLast({ kind, fields }: Message): boolean {
  return kind === 'end' || (fields.final?.kind === 'bool' && fields.final.bool);
}
