/**
 * Counts what a reader does, so that tests can hold it to linear work without a clock.
 * One count stands for one character visited or one token made.
 */
export interface WorkCounter {
  count: number;
}
