import type { CallEvent, TraceName } from '../../core/events/events.ts';

/** The maximum number of texts and names in the cache; repeats come soon. */
const MAX_KNOWN = 8_192;

/** Longer texts are not cached, since they are no names that recur. */
const LONGEST = 200;

/**
 * Shares equal texts and names among calls, such as those of agents, traces and sessions; read from a file,
 * each one would be a separate string.
 */
export class SharedTexts {
  readonly #texts = new Map<string, string>();
  readonly #names = new Map<string, TraceName>();

  /** The same event with shared strings. */
  share(event: CallEvent): CallEvent {
    const { call, trace, parent, agent, from, title, session, names } = event;
    return {
      ...event,
      call: this.#of(call),
      trace: this.#of(trace),
      agent: this.#of(agent),
      title: this.#of(title),
      ...(parent === undefined ? {} : { parent: this.#of(parent) }),
      ...(from === undefined ? {} : { from: this.#of(from) }),
      ...(session === undefined ? {} : { session: this.#of(session) }),
      ...(names === undefined ? {} : { names: names.map(name => this.#nameOf(name)) }),
    };
  }

  #nameOf(name: TraceName): TraceName {
    const { scheme, trace, id, parent, depth } = name;
    const key = JSON.stringify([scheme, trace, id ?? null, parent ?? null, depth ?? null]);
    if (key.length > LONGEST) return name;
    return (
      this.#names.get(key) ??
      remember(this.#names, key, {
        ...name,
        trace: this.#of(trace),
        ...(id === undefined ? {} : { id: this.#of(id) }),
        ...(parent === undefined ? {} : { parent: this.#of(parent) }),
      })
    );
  }

  #of(text: string): string {
    return text.length > LONGEST ? text : (this.#texts.get(text) ?? remember(this.#texts, text, text));
  }
}

function remember<Value>(known: Map<string, Value>, key: string, value: Value): Value {
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, value);
  return value;
}
