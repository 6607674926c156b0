import { A2A_RESULTS, MESSAGE_METHODS } from '../../protocols/a2a/results.ts';
import { readJsonValue } from '../../language/values/json-reader.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { quote } from '../../core/text/quote.ts';
import { readId } from '../http/rpc-check.ts';

/**
 * Checks the answers to one request against A2A: the id of the request, and a task, a message or an update of
 * a task.
 */
export class AnswerCheck {
  #id: string | undefined;
  #isMessage = false;
  #unexpected = 0;
  #sound = 0;
  #strangeId: string | undefined;
  #isCut = false;

  /** The body of the request is being sent. */
  begin(body: string): void {
    const request = readJsonValue(body);
    this.#id = readId(request);
    this.#isMessage = MESSAGE_METHODS.has(textIn(findEntry(request, 'method')) ?? '');
  }

  /** Takes a whole JSON text, or an event's data, and its value; undefined if it is not JSON. */
  take(data: string, value: Value | undefined): void {
    this.#isCut = value === undefined && /^\s*[{[]/.test(data);
    const id = readId(value);
    if (id !== undefined && this.#id !== undefined && id !== this.#id) this.#strangeId ??= id;
    const result = findEntry(value, 'result');
    if (!this.#isMessage || !result) return;
    if (isAnswer(result)) this.#sound++;
    else this.#unexpected++;
  }

  /** True if the latest text is JSON that breaks off. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** True if there were results and none of them is one of A2A. */
  get isForeign(): boolean {
    return this.#unexpected > 0 && this.#sound === 0;
  }

  /** One sentence for each deviation. */
  get notes(): readonly string[] {
    const notes: string[] = [];
    if (this.#strangeId !== undefined && this.#id !== undefined)
      notes.push(
        `The reply names the id ${quote(this.#strangeId)}, and the request has ${quote(this.#id)}; it was treated as the reply anyway`,
      );
    if (this.#unexpected > 0 && this.#sound > 0)
      notes.push(
        `${this.#unexpected} of the stream's results are neither a task nor a message; they are only in the raw reply`,
      );
    return notes;
  }
}

/** The members decide, so that a result without `kind` is accepted too. */
function isAnswer(result: Value): boolean {
  const reported = textIn(findEntry(result, 'kind'));
  return (
    A2A_RESULTS.some(({ name }) => findEntry(result, name)?.kind === 'dict') ||
    A2A_RESULTS.some(({ kind }) => kind === reported) ||
    findEntry(result, 'status')?.kind === 'dict' ||
    findEntry(result, 'artifact')?.kind === 'dict' ||
    findEntry(result, 'parts')?.kind === 'list'
  );
}
