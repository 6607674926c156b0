import type { Span } from '../core/text/span.ts';

/** What a search over the whole workspace finds: something that people look for by its name. */
export interface Landmark {
  readonly name: string;
  readonly kind: 'session' | 'tool' | 'request' | 'error' | 'section';
  /** The session that it belongs to; empty where there is none. */
  readonly container: string;
  readonly span: Span;
}

/** So many of one file are enough for any search. */
const MOST_LANDMARKS = 10_000;

/** Collects the landmarks of one file. A session that calls a tool a thousand times names it once. */
export class LandmarkList {
  readonly #found = new Map<string, Landmark>();

  add(landmark: Landmark): void {
    const key = JSON.stringify([landmark.kind, landmark.name, landmark.container]);
    if (landmark.name.trim() === '' || this.#found.has(key)) return;
    if (this.#found.size < MOST_LANDMARKS) this.#found.set(key, landmark);
  }

  all(): readonly Landmark[] {
    return [...this.#found.values()];
  }
}
