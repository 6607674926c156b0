/** The result of a step: `passed`, `failed`, or `skipped` because there was nothing to try. */
export type StepStatus = 'passed' | 'failed' | 'skipped';

/** One attempt with its result. */
export interface DoctorStep {
  /** What was tried, in one or two words: `Port`. */
  readonly name: string;
  readonly status: StepStatus;
  /** The result, as a sentence without its full stop. */
  readonly finding: string;
  /** For a failed step: what to do. */
  readonly advice?: string;
}

/** All attempts to reach an agent, in order; nothing is tried after the first failure. */
export interface Diagnosis {
  readonly agent: string;
  /** The title of the protocol. */
  readonly protocol: string;
  /** The address or command line, without secrets. */
  readonly address: string;
  readonly steps: readonly DoctorStep[];
}

/** A successful step. */
export function passed(name: string, finding: string): DoctorStep {
  return { name, status: 'passed', finding };
}

export function failed(name: string, finding: string, advice: string): DoctorStep {
  return { name, status: 'failed', finding, advice };
}

export function skipped(name: string, finding: string): DoctorStep {
  return { name, status: 'skipped', finding };
}
