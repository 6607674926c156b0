import type { Value } from '../values/value.ts';
import type { Span } from '../text/span.ts';

/**
 * What a conversion did to something. `dropped`: it is not in the result. `rounded`: its value is another one.
 * `moved`: it stands where its reader will not look for it, and comes back otherwise. `guessed`: the result says what
 * neither the source nor a schema said.
 */
export const LOSS_KINDS = ['dropped', 'rounded', 'moved', 'guessed'] as const;
export type LossKind = (typeof LOSS_KINDS)[number];

/** Why a text is rounded in a language whose texts are UTF-8. */
export const NO_SURROGATE = 'Half of a surrogate pair is no character; U+FFFD stands in its place';

/** Something that the result does not say as the source did. */
export interface Loss {
  readonly kind: LossKind;
  /** Where in the source it stands: `[2].params.limit`; the number of the message, from 1, only where there are several. */
  readonly path: string;
  /** A sentence without a full stop: what, and why. */
  readonly message: string;
  /** The value of the result at which a reader should look; undefined where only the message as a whole can be shown. */
  readonly value: Value | undefined;
  /** The message, from 0: of those that are converted, as they are listed. */
  readonly index: number;
  /** Where in the source's text it stands, for what could not be read; undefined for what a path names. */
  readonly span?: Span;
}

/** Something that a reader of the result should know although nothing is lost. */
export interface Note {
  readonly message: string;
  readonly index: number;
}

/** So many losses, and as many notes, are told one by one; of the others the number. */
export const MOST_TOLD = 1_000;

/**
 * What could not be carried. Without a loss, converting the result back gives the same messages; with one that is not
 * a guess, it does not. Notes are told once each.
 */
export class Report {
  readonly #losses: Loss[] = [];
  readonly #notes = new Map<string, Note>();
  /** Losses that were not told one by one. */
  #untold = 0;
  /** The same by what they say, as far as there are not too many different ones. */
  readonly #untoldBy = new Map<string, number>();
  #index: number | undefined = 0;
  /** What was told of the message that is told about now, by its path and by all that it is within. */
  readonly #told = new Map<string, LossKind>();

  /**
   * What is told from now on is about this message, from 0; of one that nobody asked about, which has no number, nothing is
   * kept.
   */
  begin(index: number | undefined): void {
    this.#index = index;
    this.#told.clear();
  }

  /** What was told first of a path in the message that is told about now, or of what is within it; undefined for nothing. */
  toldOf(path: string): LossKind | undefined {
    return this.#told.get(path);
  }

  /** True where anything was told of the message that is told about now. */
  get hasTold(): boolean {
    return this.#told.size > 0;
  }

  #remember(path: string, kind: LossKind): void {
    for (
      let end = path.length;
      end > 0;
      end = Math.max(path.lastIndexOf('.', end - 1), path.lastIndexOf('[', end - 1))
    ) {
      const outer = path.slice(0, end);
      if (!this.#told.has(outer)) this.#told.set(outer, kind);
    }
    if (path === '' && !this.#told.has('')) this.#told.set('', kind);
  }

  /** Tells of a loss at a path within the message: `params.limit`; empty for the message itself. */
  lose(kind: LossKind, path: string, message: string, value?: Value): void {
    this.#remember(path, kind);
    if (this.#index !== undefined) this.#add({ kind, path, message, value, index: this.#index });
  }

  /** Tells of a part of the source's text that could not be read as it stands; `path` names its line. */
  loseText(kind: LossKind, path: string, message: string, span: Span): void {
    const index = this.#index;
    if (index !== undefined) this.#add({ kind, path, message, value: undefined, index, span });
  }

  /** Tells all that another report tells. */
  adopt(other: Report): void {
    for (const loss of other.#losses) this.#add(loss);
    for (const [text, count] of other.#untoldBy) this.#count(text, count);
    this.#untold += other.#untold - other.untoldBy.reduce((sum, [, count]) => sum + count, 0);
    for (const [text, note] of other.#notes) if (!this.#notes.has(text)) this.#notes.set(text, note);
  }

  #add(loss: Loss): void {
    if (this.#losses.length >= MOST_TOLD) this.#count(loss.message, 1);
    else this.#losses.push(loss);
  }

  #count(message: string, more: number): void {
    this.#untold += more;
    const known = this.#untoldBy.get(message);
    if (known !== undefined || this.#untoldBy.size < MOST_TOLD)
      this.#untoldBy.set(message, (known ?? 0) + more);
  }

  note(message: string): void {
    const index = this.#index;
    if (index !== undefined && this.#notes.size < MOST_TOLD && !this.#notes.has(message))
      this.#notes.set(message, { message, index });
  }

  get losses(): readonly Loss[] {
    return this.#losses;
  }

  /** How many losses were not told one by one. */
  get untold(): number {
    return this.#untold;
  }

  /** How many of those say what, as far as that is known. */
  get untoldBy(): readonly (readonly [message: string, count: number])[] {
    return [...this.#untoldBy];
  }

  get notes(): readonly Note[] {
    return [...this.#notes.values()];
  }
}

/** A path with one step more: `params` and `limit` are `params.limit`; a number or a name that is no word stands in brackets. */
export function joinPath(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  if (!/^[\p{L}\p{N}_$@-]+$/u.test(step)) return `${path}[${JSON.stringify(step)}]`;
  return path === '' ? step : `${path}.${step}`;
}
