import { runNode } from './child.ts';
import type { Requirement } from './suites.ts';

const PROGRAMS: Readonly<Record<Requirement, readonly string[]>> = {
  build: ['scripts/build.ts'],
  vscode: ['scripts/vscode/prepare.ts', '--quiet'],
};

/** Makes what suites need, each thing at most once in a run. */
export class Requirements {
  readonly #root: string;
  readonly #made = new Map<Requirement, Promise<boolean>>();

  constructor(root: string) {
    this.#root = root;
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
    const made = this.#made.get(need) ?? runNode(this.#root, PROGRAMS[need]).then(code => code === 0);
    this.#made.set(need, made);
    return made;
  }
}
