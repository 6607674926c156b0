/**
 * Counts the work of a reader, so that tests can verify linear time without a clock. One unit is one
 * character visited or one token made.
 */
export interface WorkCounter {
  count: number;
}
