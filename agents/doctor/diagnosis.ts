/** How a step ended: `passed`, `failed`, or `skipped` because there was nothing to try. */
export type StepStatus = 'passed' | 'failed' | 'skipped';

/** Something that was tried, and what came of it. */
export interface DoctorStep {
  /** What was tried, in a few words: `Port`. */
  readonly name: string;
  readonly status: StepStatus;
  /** What came, as a sentence without its full stop. */
  readonly said: string;
  /** For a failed step: what to do. */
  readonly advice?: string;
}

/** All that was tried to reach an agent, in order; nothing is tried after the first failure. */
export interface Diagnosis {
  readonly agent: string;
  /** The protocol by its title. */
  readonly protocol: string;
  /** The address or command line, without secrets. */
  readonly address: string;
  readonly steps: readonly DoctorStep[];
}

/** A step that went well. */
export function passed(name: string, said: string): DoctorStep {
  return { name, status: 'passed', said };
}

export function failed(name: string, said: string, advice: string): DoctorStep {
  return { name, status: 'failed', said, advice };
}

export function skipped(name: string, said: string): DoctorStep {
  return { name, status: 'skipped', said };
}
