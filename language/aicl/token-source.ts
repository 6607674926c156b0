import type { Characters, SourceText } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../work.ts';
import { acceptLexemes } from './accept.ts';
import type { AiclNode, PairNode } from './ast.ts';
import { Lexer, type LexemeSource } from './lexeme.ts';
import { PartReader, type PartOptions } from './parts.ts';
import type { PlacedRun } from './run.ts';
import { Scanner, type AcceptedUnit } from './scanner.ts';
import type { TextEnds } from './text-ends.ts';

/** The source of lexemes for a reader, and the way in which it reads valid units. */
export interface TokenSource {
  readonly text: Characters;
  readonly lexemes: LexemeSource;
  accept(start: number, ends?: TextEnds): AcceptedUnit | undefined;
  /** The entries of a run, in offsets of the unit that starts at `start`. */
  readRun(run: PlacedRun, start: number): readonly (AiclNode | PairNode)[];
  /** True if the last value was rejected because of its length. */
  isTooLong(): boolean;
  /** The offset after the last character read. */
  lookedTo(): number;
}

/** Reads a text as a whole. */
export class TextSource implements TokenSource {
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
    // The lexer never creates runs.
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

/** Reads a long unit from its stored lexemes. */
export class PartSource implements TokenSource {
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
    // The scanner also reads the comma after the run.
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
