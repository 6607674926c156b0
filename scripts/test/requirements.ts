import { runNode, type Running } from './child.ts';
import type { Requirement } from './suites.ts';

const PROGRAMS: Readonly<Record<Requirement, readonly string[]>> = {
  build: ['scripts/build.ts'],
  package: ['scripts/package.ts'],
  vscode: ['scripts/vscode/prepare.ts', '--quiet'],
  'oldest-vscode': ['scripts/vscode/prepare.ts', '--quiet', '--vscode', 'oldest'],
};

/** Prepares what suites need, each requirement at most once in a run. */
export class Requirements {
  readonly #running: Running;
  readonly #made = new Map<Requirement, Promise<boolean>>();

  /** Output of the preparation is printed as it arrives. */
  constructor(running: Running) {
    this.#running = running;
  }

  /** True if all requirements are met; those that fail have printed the reason. */
  async have(needs: readonly Requirement[]): Promise<boolean> {
    for (const need of needs) {
      if (!(await this.#make(need))) return false;
    }
    return true;
  }

  /** Starts a long preparation early, so that it is ready when it is needed. */
  start(need: Requirement): void {
    // `have` reports a failure when a suite needs the requirement.
    void this.#make(need);
  }

  #make(need: Requirement): Promise<boolean> {
    const made = this.#made.get(need) ?? this.#run(need);
    this.#made.set(need, made);
    return made;
  }

  async #run(need: Requirement): Promise<boolean> {
    // Both install packages of the system, which only one process can do at a time.
    if (need === 'oldest-vscode') await this.#make('vscode');
    return (await runNode(this.#running, PROGRAMS[need])) === 0;
  }
}
