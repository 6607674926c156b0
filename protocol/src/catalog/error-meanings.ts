/**
 * What the error codes of the protocols mean, one row a meaning. A number is looked up in its own protocol's column
 * only: 404 is a tool that does not exist in AICF and nothing at all in LightAICL.
 */
export const ERROR_MEANINGS = [
  { name: 'malformed', title: 'malformed request', aicl: 1000, aicf: 400 },
  { name: 'invalid-tensor', title: 'invalid tensor', aicl: 1001, aicf: undefined },
  { name: 'wrong-argument', title: 'missing or wrong argument', aicl: 2001, aicf: 422 },
  { name: 'no-such-tool', title: 'no such tool', aicl: 3001, aicf: 404 },
  { name: 'wrong-form', title: 'result of the wrong form', aicl: 4001, aicf: undefined },
  { name: 'tool-failed', title: 'the tool failed', aicl: 5000, aicf: 500 },
] as const satisfies readonly ErrorMeaningRow[];

export interface ErrorMeaningRow {
  readonly name: string;
  /** A few words, as they stand beside a code. */
  readonly title: string;
  readonly aicl: number;
  /** Undefined where AICF writes the code of another row for it. */
  readonly aicf: number | undefined;
}

export type ErrorMeaning = (typeof ERROR_MEANINGS)[number]['name'];
