import { CredentialScanner, type BodyKind } from './credential-scanner.ts';
import type { SecretSpan } from './credential-values.ts';
import type { SecretAutomaton, State } from './redact-automaton.ts';

/** What may become a secret: where it begins, and the state that its characters so far lead to. */
interface Candidate {
  readonly start: number;
  state: State;
}

/**
 * Searches a text that arrives in pieces in one pass: for known secrets in all their spellings, and for credentials that
 * show themselves. What it has read of a secret is its state, so a secret is found however the text is cut.
 */
export class SecretSearch {
  readonly #findAutomaton: () => SecretAutomaton;
  readonly #scanner: CredentialScanner;
  #automaton: SecretAutomaton | undefined;
  /** In the order of their beginnings. */
  readonly #candidates: Candidate[] = [];
  #found: SecretSpan[] = [];
  #length = 0;
  #work = 0;

  /** `findAutomaton` is called with the first piece, because many texts have none. */
  constructor(findAutomaton: () => SecretAutomaton, kind: BodyKind) {
    this.#findAutomaton = findAutomaton;
    this.#scanner = new CredentialScanner(kind);
  }

  /** The number of candidates that were followed, each for a character. */
  get work(): number {
    return this.#work;
  }

  /** The number of characters that were read. */
  get length(): number {
    return this.#length;
  }

  push(piece: string): void {
    const automaton = (this.#automaton ??= this.#findAutomaton());
    if (!automaton.isEmpty) this.#read(piece, automaton);
    this.#length += piece.length;
    this.#scanner.push(piece, this.#found);
  }

  /** Ends the text: what comes then is not searched together with it. */
  end(): void {
    this.#candidates.length = 0;
    this.#scanner.end(this.#found);
  }

  /** The secrets that were found since the last call. A secret before `hold` is complete. */
  take(): readonly SecretSpan[] {
    const found = this.#found;
    if (found.length > 0) this.#found = [];
    return found;
  }

  /** The offset from which on the text may belong to a secret that is not complete. */
  get hold(): number {
    return Math.min(this.#candidates[0]?.start ?? this.#length, this.#scanner.hold);
  }

  #read(piece: string, automaton: SecretAutomaton): void {
    for (let at = 0, begin = -1; at < piece.length; at++) {
      if (begin < at) begin = automaton.skip(piece, at);
      if (this.#candidates.length > 0) this.#follow(piece.charCodeAt(at), this.#length + at + 1, automaton);
      else at = begin;
      if (at !== begin) continue;
      const state = automaton.move(automaton.root, piece.charCodeAt(at));
      if (state) this.#keep({ start: this.#length + at, state }, this.#length + at + 1);
    }
  }

  #follow(code: number, end: number, automaton: SecretAutomaton): void {
    const all = this.#candidates.splice(0);
    this.#work += all.length;
    for (const candidate of all) {
      const state = automaton.move(candidate.state, code);
      if (state) this.#keep({ start: candidate.start, state }, end);
    }
  }

  #keep(candidate: Candidate, end: number): void {
    const { start, state } = candidate;
    if (state.isFound) this.#found.push({ start, end, named: state.named });
    if (state.places.length > 0) this.#candidates.push(candidate);
  }
}
