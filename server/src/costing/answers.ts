import type { OpenDocument } from '../../../language/support.ts';
import { isRecord } from '../../../core/guard.ts';

/** A cache of results by document and question. Documents are immutable; an edit creates a new one. */
export class Answers<T> {
  readonly #answers = new WeakMap<OpenDocument, Map<string, T>>();

  /** Returns the cached result or computes it. Cancelled and refused results are not cached. */
  async get(
    document: OpenDocument | undefined,
    question: object,
    find: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (!document) return find();
    const known = this.#answers.get(document) ?? new Map<string, T>();
    this.#answers.set(document, known);
    const key = JSON.stringify(question);
    const answer = known.get(key) ?? (await find());
    if (answer !== undefined && !isRefusal(answer)) known.set(key, answer);
    return answer;
  }
}

/** True for a refusal. It is not cached because the user may have removed its cause, such as a missing file. */
function isRefusal(answer: unknown): boolean {
  return isRecord(answer) && answer['ok'] === false;
}
