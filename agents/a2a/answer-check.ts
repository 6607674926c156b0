import { A2A_RESULTS } from '../../protocols/a2a/names.ts';
import { MESSAGE_METHODS } from '../../protocols/a2a/reader.ts';
import { readJsonValue } from '../../language/values/json-reader.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { quote } from '../../core/text/quote.ts';

/** Holds the answers to one request to what A2A answers: the id of the request, a task, a message or news of a task. */
export class AnswerCheck {
  #id: string | undefined;
  #isMessage = false;
  #odd = 0;
  #sound = 0;
  #strangeId: string | undefined;
  #isCut = false;

  /** The body of the request goes out. */
  begin(body: string): void {
    const request = readJsonValue(body);
    this.#id = readId(request);
    this.#isMessage = MESSAGE_METHODS.has(textIn(findEntry(request, 'method')) ?? '');
  }

  /** A whole text of JSON, or an event's data, and its value; undefined where it is no JSON. */
  take(data: string, value: Value | undefined): void {
    this.#isCut = value === undefined && /^\s*[{[]/.test(data);
    const id = readId(value);
    if (id !== undefined && this.#id !== undefined && id !== this.#id) this.#strangeId ??= id;
    const result = findEntry(value, 'result');
    if (!this.#isMessage || !result) return;
    if (isAnswer(result)) this.#sound++;
    else this.#odd++;
  }

  /** True where what came last is JSON that breaks off. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** True where there were results and none of them is one of A2A. */
  get isForeign(): boolean {
    return this.#odd > 0 && this.#sound === 0;
  }

  /** A sentence for each thing that is odd. */
  get notes(): readonly string[] {
    const notes: string[] = [];
    if (this.#strangeId !== undefined && this.#id !== undefined)
      notes.push(
        `The reply names the id ${quote(this.#strangeId)}, and the request has ${quote(this.#id)}; it was taken for the reply all the same`,
      );
    if (this.#odd > 0 && this.#sound > 0)
      notes.push(
        `${this.#odd} of the stream's results are neither a task nor a message; they stand in what came over the wire only`,
      );
    return notes;
  }
}

function readId(message: Value | undefined): string | undefined {
  const id = findEntry(message, 'id');
  if (id?.kind === 'int') return String(id.int);
  return id?.kind === 'float' ? String(id.float) : textIn(id);
}

/** Members decide: an agent that leaves the `kind` out is understood all the same. */
function isAnswer(result: Value): boolean {
  const told = textIn(findEntry(result, 'kind'));
  return (
    A2A_RESULTS.some(({ name }) => findEntry(result, name)?.kind === 'dict') ||
    A2A_RESULTS.some(({ kind }) => kind === told) ||
    findEntry(result, 'status')?.kind === 'dict' ||
    findEntry(result, 'artifact')?.kind === 'dict' ||
    findEntry(result, 'parts')?.kind === 'list'
  );
}
