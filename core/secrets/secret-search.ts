import { CredentialScanner, type BodyKind } from './credential-scanner.ts';
import type { SecretSpan } from './credential-values.ts';
import { HERE, type Origin, type SecretAutomaton, type State } from './redact-automaton.ts';

/**
 * Searches a text that arrives in pieces in one pass: for known secrets in all their spellings, and for credentials that
 * show themselves. What it has read of a secret is its state, so a secret is found however the text is cut.
 */
export class SecretSearch {
  readonly #findAutomaton: () => SecretAutomaton;
  readonly #scanner: CredentialScanner;
  #automaton: SecretAutomaton | undefined;
  #state: State | undefined;
  /** Where the groups of candidates of the state begin. */
  #starts: readonly number[] = NONE;
  #found: SecretSpan[] = [];
  #length = 0;
  #work = 0;

  /** `findAutomaton` is called with the first piece, because many texts have none. */
  constructor(findAutomaton: () => SecretAutomaton, kind: BodyKind) {
    this.#findAutomaton = findAutomaton;
    this.#scanner = new CredentialScanner(kind);
  }

  /** The number of groups of candidates that were followed, each for a character. */
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
    this.#state = undefined;
    this.#starts = NONE;
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
    let hold = Math.min(this.#length, this.#scanner.hold);
    for (const start of this.#starts) if (start < hold) hold = start;
    return hold;
  }

  #read(piece: string, automaton: SecretAutomaton): void {
    const { root } = automaton;
    const last = piece.length - 1;
    const skips = this.#length + piece.length >= LONG;
    let state = this.#state ?? root;
    let starts = this.#starts;
    // The start of the only group, which is the usual case.
    let start = starts[0] ?? 0;
    let work = 0;
    for (let at = 0; at <= last; at++) {
      if (skips && state === root) at = automaton.skip(piece, at);
      const code = piece.charCodeAt(at);
      const move = state.moves[code] ?? automaton.move(state, code);
      const here = this.#length + at;
      work += move.to.groups;
      if (move.isSimple) start = move.start === HERE ? here : start + move.start;
      else {
        const before = state.groups < 2 ? [start] : starts;
        for (const each of move.found)
          this.#keep({ start: startOf(each, before, here), end: here + 1, named: each.named });
        starts = move.origins.map(origin => startOf(origin, before, here));
        start = starts[0] ?? 0;
      }
      state = move.to;
    }
    this.#state = state;
    if (state.groups === 0) this.#starts = NONE;
    else this.#starts = state.groups === 1 ? [start] : starts;
    this.#work += work;
  }

  /** A longer match replaces the one at the same place. */
  #keep(found: SecretSpan): void {
    if (this.#found.at(-1)?.start === found.start) this.#found.pop();
    this.#found.push(found);
  }
}

const NONE: readonly number[] = [];

/** The length of a text from which on characters are skipped, which has to be prepared. */
const LONG = 2 ** 16;

function startOf({ from, later }: Origin, starts: readonly number[], here: number): number {
  return from === HERE ? here : (starts[from] ?? 0) + later;
}
