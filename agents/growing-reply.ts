import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RedactedPiece, SecretStream } from '../core/secrets/redact-stream.ts';

/** The number of characters that are searched for secrets in one turn of the event loop: a few milliseconds of work. */
const AT_ONCE = 1 << 18;

/** Shows the text of a growing reply with its secrets replaced; a text of megabytes over several turns. */
export class GrowingReply {
  readonly #show: (text: string) => void;
  #stream: SecretStream;
  /** The text that is not searched yet. */
  #waiting = '';
  #isScheduled = false;

  constructor(stream: SecretStream, show: (text: string) => void) {
    this.#stream = stream;
    this.#show = show;
  }

  /** Adds text. */
  push(added: string): void {
    this.#waiting += added;
    if (!this.#isScheduled) this.#showSome();
  }

  /** Shows all of the text so far; text that is added later is searched by another stream. */
  continueWith(stream: SecretStream): void {
    this.#pass(this.#stream.push(this.#waiting));
    this.#waiting = '';
    this.#pass(this.#stream.end());
    this.#stream = stream;
  }

  /** Shows the rest, over several turns. */
  async end(): Promise<void> {
    while (this.#waiting !== '') await nextTurn();
    this.#pass(this.#stream.end());
  }

  #showSome(): void {
    const piece = this.#waiting.slice(0, AT_ONCE);
    this.#waiting = this.#waiting.slice(AT_ONCE);
    this.#pass(this.#stream.push(piece));
    if (this.#waiting === '') return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#showSome();
    });
  }

  #pass({ text }: RedactedPiece): void {
    if (text !== '') this.#show(text);
  }
}
