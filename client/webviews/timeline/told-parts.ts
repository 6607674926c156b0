import type { ReplyParts, TracePart } from '../../../protocols/reply-parts/part.ts';
import type { TellParts } from '../../../wire/timeline-messages.ts';
import type { TraceCall, TraceModel } from './model.ts';

interface Told {
  /** The state of the call when it was asked for last. */
  asked: TraceCall['state'];
  isAsking: boolean;
  parts: ReplyParts | undefined;
}

/** Keeps the parts of the calls that are looked at, and asks for them again when those change. */
export class ToldParts {
  readonly #ask: (call: string) => void;
  readonly #told = new Map<string, Told>();

  constructor(ask: (call: string) => void) {
    this.#ask = ask;
  }

  /** Looks at these calls and no others. One that is open is asked for again no sooner than the last answer came. */
  follow(model: TraceModel, calls: ReadonlySet<string>): void {
    for (const call of this.#told.keys()) if (!calls.has(call)) this.#told.delete(call);
    for (const id of calls) {
      const call = model.find(id);
      if (!call || !mayHaveParts(call)) continue;
      const told = this.#told.get(id);
      if (told && (told.isAsking || told.asked === call.state)) continue;
      this.#told.set(id, { asked: call.state, isAsking: true, parts: told?.parts });
      this.#ask(id);
    }
  }

  /** Takes an answer. Answers whether anybody still looks at the call. */
  take({ call, parts, notes }: TellParts): boolean {
    const told = this.#told.get(call);
    if (!told) return false;
    told.isAsking = false;
    told.parts = { parts, notes };
    return true;
  }

  /** What was told of a call; undefined until it was. */
  of(call: string): ReplyParts | undefined {
    return this.#told.get(call)?.parts;
  }

  clear(): void {
    this.#told.clear();
  }
}

/** True for a call of which something came back that may have parts. */
export function mayHaveParts({ state }: TraceCall): boolean {
  return (state.bytesIn ?? 0) > 0 && state.protocol !== 'other';
}

/** A part of a reply by its id, however deep it stands. */
export function findPart(parts: readonly TracePart[], id: string): TracePart | undefined {
  for (const part of parts) {
    const found = part.id === id ? part : findPart(part.children, id);
    if (found) return found;
  }
  return undefined;
}
