import type { ServedTask } from './task.ts';

/** The maximum number of tasks that are stored. */
const MAX_TASKS = 1_000;
/** The maximum number of characters in all of them. */
const MAX_LENGTH = 64_000_000;

/** The tasks of all callers. The oldest ones that have ended are forgotten, then the oldest that wait for an answer. */
export class TaskStore {
  readonly #tasks = new Map<string, ServedTask>();
  readonly #lengths = new Map<string, number>();
  #length = 0;

  find(id: string): ServedTask | undefined {
    return this.#tasks.get(id);
  }

  add(task: ServedTask): void {
    this.#tasks.set(task.id, task);
    this.#forget();
  }

  /** A turn of the task is over, so that its length is known. */
  settle(task: ServedTask): void {
    if (!this.#tasks.has(task.id)) return;
    this.#length += task.length - (this.#lengths.get(task.id) ?? 0);
    this.#lengths.set(task.id, task.length);
    this.#forget(task);
  }

  /** The tasks, the one that changed last first. */
  list(): readonly ServedTask[] {
    return [...this.#tasks.values()].reverse().toSorted((one, other) => other.changed - one.changed);
  }

  /** `needed` is the task that a caller is about to receive. */
  #forget(needed?: ServedTask): void {
    while (this.#tasks.size > MAX_TASKS || this.#length > MAX_LENGTH) {
      const tasks = [...this.#tasks.values()].filter(task => task !== needed);
      const oldest =
        tasks.find(task => task.hasEnded) ?? tasks.find(({ state }) => state === 'input-required');
      if (!oldest) return;
      this.#tasks.delete(oldest.id);
      this.#length -= this.#lengths.get(oldest.id) ?? 0;
      this.#lengths.delete(oldest.id);
    }
  }
}

/** Why a task is unknown, for a caller that names one. */
export const FORGOTTEN = `the bridge stores the latest ${MAX_TASKS} tasks, and forgets the oldest that have ended`;
