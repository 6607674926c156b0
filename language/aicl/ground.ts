import type { Characters, SourceText } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../../core/text/work.ts';
import { acceptLexemes } from './accept.ts';
import type { AiclNode, PairNode } from './ast.ts';
import { Lexer, type LexemeSource } from './lexeme.ts';
import { PartReader, type PartOptions } from './parts.ts';
import type { PlacedRun } from './run.ts';
import { Scanner, type AcceptedUnit } from './scanner.ts';
import type { TextEnds } from './text-ends.ts';

/** Where a reader takes its lexemes from, and how it reads what the grammar accepts. */
export interface Ground {
  readonly text: Characters;
  readonly lexemes: LexemeSource;
  accept(start: number, ends?: TextEnds): AcceptedUnit | undefined;
  /** The entries of a run, in offsets of the unit that starts at `start`. */
  readRun(run: PlacedRun, start: number): readonly (AiclNode | PairNode)[];
  /** True where the last value was given up for its length. */
  isTooLong(): boolean;
  /** The offset after the last character that was looked at. */
  lookedTo(): number;
}

/** A text that is read as a whole. */
export class TextGround implements Ground {
  readonly text: string;
  readonly lexemes: Lexer;
  readonly #scanner: Scanner;
  readonly #maxLength: number;

  constructor(text: string, work: WorkCounter, maxLength: number) {
    this.text = text;
    this.lexemes = new Lexer(text, work);
    this.#scanner = new Scanner(text, work);
    this.#maxLength = maxLength;
  }

  accept(start: number, ends?: TextEnds): AcceptedUnit | undefined {
    return this.#scanner.accept(start, ends ? { ends } : { maxLength: this.#maxLength });
  }

  readRun(): readonly never[] {
    // The lexer makes no runs.
    return [];
  }

  lookedTo(): number {
    return Math.max(this.#scanner.lookedTo, this.lexemes.lookedTo);
  }

  isTooLong(): boolean {
    return this.#scanner.isTooLong;
  }

  startUnit(): void {
    this.#scanner.lookedTo = 0;
    this.lexemes.lookedTo = 0;
  }
}

/** A long unit, read from what is kept of its lexemes. */
export class PartGround implements Ground {
  readonly text: SourceText;
  readonly lexemes: PartReader;
  readonly #work: WorkCounter;

  constructor(text: SourceText, work: WorkCounter, options: PartOptions) {
    this.text = text;
    this.lexemes = new PartReader(text, work, options);
    this.#work = work;
  }

  accept(start: number, ends?: TextEnds): AcceptedUnit | undefined {
    return acceptLexemes(this.lexemes, this.text, start, run => this.readRun(run, start), ends);
  }

  readRun({ run, start }: PlacedRun, unitStart: number): readonly (AiclNode | PairNode)[] {
    const from = unitStart + start;
    // The scanner reads on over the comma behind the run.
    const text = this.text.slice(from, from + run.length + 1);
    return new Scanner(text, this.#work).readRun(0, -start, run);
  }

  lookedTo(): number {
    return this.lexemes.lookedTo;
  }

  isTooLong(): boolean {
    return false;
  }
}
