import type { OpenDocument } from '../../../language/support.ts';
import { isRecord } from '../../../core/guard.ts';

/** Answers about documents by what was asked: a document never changes, an edit makes another one. */
export class Answers<T> {
  readonly #answers = new WeakMap<OpenDocument, Map<string, T>>();

  /** The answer that is known, else the one that is found now. What was cancelled is not kept, nor what was refused. */
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

/** Whoever asks again after a refusal has done something about its reason, such as a file that was missing. */
function isRefusal(answer: unknown): boolean {
  return isRecord(answer) && answer['ok'] === false;
}
