import { randomInt } from 'node:crypto';

/**
 * Issues the trace ids and message ids that the document's Queen would (AIO-MCP 1.2.1, section 3; reading of AIO-MCP,
 * section 4). A trace id is `AIO-TR-`, the date in UTC, `-`, the milliseconds of that day in eight digits and six
 * random ones. Message ids count up in each trace, over all connections, so that `trace_id#id` names one call.
 */
export class AioTraceIds {
  /** The trace ids of tasks; the oldest are forgotten, like everything here. */
  readonly #ofTask = new Map<string, string>();
  readonly #issued = new Set<string>();
  readonly #taken = new Map<string, TakenIds>();
  readonly #random: () => number;

  /** `random` returns a number below a million. */
  constructor(random: () => number = () => randomInt(10 ** RANDOM_DIGITS)) {
    this.#random = random;
  }

  /** The trace id of a task, the same for all its requests. */
  idOf(task: string, now: Date): string {
    const known = this.#ofTask.get(task);
    if (known !== undefined) return known;
    let id = this.#make(now);
    while (this.#issued.has(id)) id = this.#make(now);
    this.#issued.add(id);
    if (this.#issued.size > MAX_ISSUED) deleteOldest(this.#issued);
    this.#ofTask.set(task, id);
    if (this.#ofTask.size > MAX_RETAINED) deleteOldest(this.#ofTask);
    return id;
  }

  /** The lowest free message id of a trace that is at least `least`. */
  freeIn(trace: string, least: number): number {
    const taken = this.#taken.get(trace);
    let id = Math.max(least, taken?.next ?? 1);
    while (taken?.above.has(id)) id++;
    return id;
  }

  /** Records that a message of a trace has an id. */
  take(trace: string, id: number): void {
    if (trace.length > LONGEST_TRACE) return;
    const taken = this.#taken.get(trace) ?? { next: 1, above: new Set() };
    this.#taken.set(trace, taken);
    if (this.#taken.size > MAX_RETAINED) deleteOldest(this.#taken);
    if (id >= taken.next) taken.above.add(id);
    while (taken.above.delete(taken.next)) taken.next++;
    if (taken.above.size > MAX_RETAINED) deleteOldest(taken.above);
  }

  #make(now: Date): string {
    const day = now.toISOString().slice(0, 10).replaceAll('-', '');
    const milliseconds = String(now.getTime() % MILLISECONDS_PER_DAY).padStart(8, '0');
    return `AIO-TR-${day}-${milliseconds}${String(this.#random()).padStart(RANDOM_DIGITS, '0')}`;
  }
}

/** The ids of a trace that messages have: all below `next`, and those in `above`. */
interface TakenIds {
  next: number;
  readonly above: Set<number>;
}

const MAX_RETAINED = 1_000;
/** The ids of traces with longer names, which somebody else gave, are not counted. */
const LONGEST_TRACE = 200;
const MAX_ISSUED = 100_000;
const RANDOM_DIGITS = 6;
const MILLISECONDS_PER_DAY = 86_400_000;

function deleteOldest(from: Set<unknown> | Map<unknown, unknown>): void {
  for (const oldest of from.keys()) {
    from.delete(oldest);
    return;
  }
}

/** All connections of a process share these. */
export const TRACE_IDS = new AioTraceIds();
