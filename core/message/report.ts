import type { Value } from '../values/value.ts';
import type { Span } from '../text/span.ts';

/**
 * What a conversion did to a value. `dropped`: it is missing from the result. `rounded`: the result has a
 * different value. `moved`: it is at a place that the receiver does not read, and converting back returns it
 * changed. `guessed`: the result contains something that neither the source nor a schema specifies.
 */
export const LOSS_KINDS = ['dropped', 'rounded', 'moved', 'guessed'] as const;
export type LossKind = (typeof LOSS_KINDS)[number];

/** The reason given when text with a lone surrogate is rounded for a language whose text is UTF-8. */
export const NO_SURROGATE = 'Half of a surrogate pair is not a character; it is replaced by U+FFFD';

/** One difference between a message and its conversion. */
export interface Loss {
  readonly kind: LossKind;
  /**
   * The path in the source, such as `[2].params.limit`. The leading message number counts from 1 and is
   * present only if there are several messages.
   */
  readonly path: string;
  /** What was lost and why, as a sentence without a full stop. */
  readonly message: string;
  /** The value in the result to highlight; undefined if only the whole message can be shown. */
  readonly value: Value | undefined;
  /** The index of the message among those that are converted, from 0. */
  readonly index: number;
  /** The span in the source text of something that could not be parsed; undefined for what `path` locates. */
  readonly span?: Span;
}

/** Information for the reader of the result when nothing is lost. */
export interface Note {
  readonly message: string;
  readonly index: number;
}

/** The maximum number of losses, and of notes, that are listed; further losses are only counted. */
export const MAX_LISTED = 1_000;

/**
 * The losses and notes of a conversion. If there is no loss, converting the result back gives the same
 * messages; if there is a loss that is not `guessed`, it does not. Each note is listed once.
 */
export class Report {
  readonly #losses: Loss[] = [];
  /** Maps are created when they are needed, because each message that is read back has a report. */
  #notes: Map<string, Note> | undefined;
  /** The number of losses that are not listed. */
  #unreported = 0;
  /** The number of unlisted losses by message, for at most `MAX_LISTED` different messages. */
  #unlistedBy: Map<string, { count: number }> | undefined;
  #index: number | undefined = 0;
  /** The first loss in the current message by path, for each lossy path and all paths that enclose it. */
  #reported: Map<string, LossKind> | undefined;

  /**
   * Sets the message, from 0, to which the following losses belong. With `undefined`, losses are noted for
   * `lossAt` but not listed: the message was not one that the caller asked to convert.
   */
  begin(index: number | undefined): void {
    this.#index = index;
    if (this.hasLoss) this.#reported?.clear();
  }

  /** The kind of the first loss at a path of the current message or inside of it; undefined if there is none. */
  lossAt(path: string): LossKind | undefined {
    return this.#reported?.get(path);
  }

  /** True if the current message has a loss. */
  get hasLoss(): boolean {
    return this.#reported !== undefined && this.#reported.size > 0;
  }

  #remember(path: string, kind: LossKind): void {
    const reported = (this.#reported ??= new Map<string, LossKind>());
    for (
      let end = path.length;
      end > 0;
      end = Math.max(path.lastIndexOf('.', end - 1), path.lastIndexOf('[', end - 1))
    ) {
      const outer = path.slice(0, end);
      if (!reported.has(outer)) reported.set(outer, kind);
    }
    if (path === '' && !reported.has('')) reported.set('', kind);
  }

  /**
   * Reports a loss at a path within the message, such as
   * `params.limit`; the path is empty for the message itself.
   */
  lose(kind: LossKind, path: string, message: string, value?: Value): void {
    this.#remember(path, kind);
    if (this.#index !== undefined) this.#add({ kind, path, message, value, index: this.#index });
  }

  /** Reports a part of the source text that could not be parsed; `path` names its line. */
  loseText(kind: LossKind, path: string, message: string, span: Span): void {
    const index = this.#index;
    if (index !== undefined) this.#add({ kind, path, message, value: undefined, index, span });
  }

  /** Adds all losses and notes of another report. */
  adopt(other: Report): void {
    for (const loss of other.#losses) this.#add(loss);
    for (const [text, count] of other.unlistedBy) this.#count(text, count);
    this.#unreported += other.#unreported - other.unlistedBy.reduce((sum, [, count]) => sum + count, 0);
    for (const note of other.notes) this.#addNote(note);
  }

  #add(loss: Loss): void {
    if (this.#losses.length >= MAX_LISTED) this.#count(loss.message, 1);
    else this.#losses.push(loss);
  }

  #count(message: string, more: number): void {
    this.#unreported += more;
    const unlistedBy = (this.#unlistedBy ??= new Map<string, { count: number }>());
    const known = unlistedBy.get(message);
    if (known) known.count += more;
    else if (unlistedBy.size < MAX_LISTED) unlistedBy.set(message, { count: more });
  }

  note(message: string): void {
    const index = this.#index;
    if (index !== undefined && (this.#notes?.size ?? 0) < MAX_LISTED) this.#addNote({ message, index });
  }

  #addNote(note: Note): void {
    const notes = (this.#notes ??= new Map<string, Note>());
    if (!notes.has(note.message)) notes.set(note.message, note);
  }

  get losses(): readonly Loss[] {
    return this.#losses;
  }

  /** The number of losses that are not listed. */
  get unreported(): number {
    return this.#unreported;
  }

  /** The number of unlisted losses by message, as far as it was counted. */
  get unlistedBy(): readonly (readonly [message: string, count: number])[] {
    return Array.from(this.#unlistedBy ?? [], ([message, { count }]) => [message, count] as const);
  }

  get notes(): readonly Note[] {
    return this.#notes ? [...this.#notes.values()] : [];
  }
}

/**
 * Appends a step to a path: `params` and `limit` give `params.limit`.
 * Numbers, and names that are not words, are put in brackets.
 */
export function joinPath(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  if (!/^[\p{L}\p{N}_$@-]+$/u.test(step)) return `${path}[${JSON.stringify(step)}]`;
  return path === '' ? step : `${path}.${step}`;
}

/** Takes notes, each a sentence. */
interface NoteTaker {
  note(text: string): void;
}

/** Passes each note on once: the chunks of a reply may all lose the same. */
export class NoteOnce implements NoteTaker {
  readonly #taker: NoteTaker;
  readonly #noted = new Set<string>();

  constructor(taker: NoteTaker) {
    this.#taker = taker;
  }

  note(text: string): void {
    if (this.#noted.has(text)) return;
    this.#noted.add(text);
    this.#taker.note(text);
  }
}
