import { runNode, type Running } from './child.ts';
import type { Requirement } from './suites.ts';

const PROGRAMS: Readonly<Record<Requirement, readonly string[]>> = {
  build: ['scripts/build.ts'],
  package: ['scripts/package.ts'],
  vscode: ['scripts/vscode/prepare.ts', '--quiet'],
  'oldest-vscode': ['scripts/vscode/prepare.ts', '--quiet', '--vscode', 'oldest'],
};

/** Makes what suites need, each thing at most once in a run. */
export class Requirements {
  readonly #running: Running;
  readonly #made = new Map<Requirement, Promise<boolean>>();

  /** What is printed while they are made stands where it comes. */
  constructor(running: Running) {
    this.#running = running;
  }

  /** True where everything is there; what is missing has said why. */
  async have(needs: readonly Requirement[]): Promise<boolean> {
    for (const need of needs) {
      if (!(await this.#make(need))) return false;
    }
    return true;
  }

  /** Starts what takes long, so that it is ready when its turn comes. */
  start(need: Requirement): void {
    // A failure is told by `have`, when a suite needs it.
    void this.#make(need);
  }

  #make(need: Requirement): Promise<boolean> {
    const made = this.#made.get(need) ?? runNode(this.#running, PROGRAMS[need]).then(code => code === 0);
    this.#made.set(need, made);
    return made;
  }
}
