import type { ReplyParts, TracePart } from '../../../protocols/reply-parts/part.ts';
import type { ReportParts } from '../../../wire/timeline-messages.ts';
import type { TraceCall, TraceModel } from './model.ts';

interface Told {
  /** The state of the call at the last request. */
  requested: TraceCall['state'];
  isAsking: boolean;
  parts: ReplyParts | undefined;
}

/** Stores the reply parts of the followed calls, and requests them again after a change. */
export class FollowedParts {
  readonly #ask: (call: string) => void;
  readonly #parts = new Map<string, Told>();

  constructor(ask: (call: string) => void) {
    this.#ask = ask;
  }

  /** Follows exactly these calls. A call is requested again only after its last answer has arrived. */
  follow(model: TraceModel, calls: ReadonlySet<string>): void {
    for (const call of this.#parts.keys()) if (!calls.has(call)) this.#parts.delete(call);
    for (const id of calls) {
      const call = model.find(id);
      if (!call || !mayHaveParts(call)) continue;
      const reported = this.#parts.get(id);
      if (reported && (reported.isAsking || reported.requested === call.state)) continue;
      this.#parts.set(id, { requested: call.state, isAsking: true, parts: reported?.parts });
      this.#ask(id);
    }
  }

  /** Stores an answer. Returns false if the call is no longer followed. */
  take({ call, parts, notes }: ReportParts): boolean {
    const reported = this.#parts.get(call);
    if (!reported) return false;
    reported.isAsking = false;
    reported.parts = { parts, notes };
    return true;
  }

  /** The parts of a call; undefined until they have arrived. */
  of(call: string): ReplyParts | undefined {
    return this.#parts.get(call)?.parts;
  }

  clear(): void {
    this.#parts.clear();
  }
}

/** True for a call whose reply may have parts. */
export function mayHaveParts({ state }: TraceCall): boolean {
  return (state.bytesIn ?? 0) > 0 && state.protocol !== 'other';
}

/** Finds a part of a reply by its id at any depth. */
export function findPart(parts: readonly TracePart[], id: string): TracePart | undefined {
  for (const part of parts) {
    const found = part.id === id ? part : findPart(part.children, id);
    if (found) return found;
  }
  return undefined;
}
