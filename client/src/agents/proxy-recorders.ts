import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { ExchangeRecorder, RecordingFacts } from '../../../agents/proxy/exchange.ts';
import { RecursionGuard } from '../../../agents/proxy/guard.ts';
import { Recorder } from '../../../agents/proxy/recording/recorder.ts';
import { RecorderThread } from '../../../agents/proxy/thread/recorder-thread.ts';
import { RANDOM_IDS, now } from '../../../agents/runtime.ts';
import type { Capacity } from '../../../agents/store/trace-file.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { currentSettings } from '../base/settings.ts';
import { showError } from '../window/messages.ts';

/**
 * Creates the recorders of this window's proxies. They share a worker thread, which starts with the first
 * one, so that the extension host stays responsive. A guarded recorder must check each call before it passes,
 * so it runs in this thread.
 */
export class ProxyRecorders {
  readonly #emit: (event: TraceEvent) => void;
  readonly #capacity: Capacity;
  /** One guard for all recorders, because a loop goes through several agents. */
  readonly #guard = new RecursionGuard(() => currentSettings()['trace.depthLimit']);
  #thread: Promise<RecorderThread | undefined> | undefined;

  /** Traffic waits while `capacity` has no capacity for emitted events. */
  constructor(emit: (event: TraceEvent) => void, capacity: Capacity) {
    this.#emit = emit;
    this.#capacity = capacity;
  }

  async open(facts: RecordingFacts, how: 'guarded' | 'apart'): Promise<ExchangeRecorder> {
    if (how === 'guarded') return this.#openHere(facts, this.#guard);
    this.#thread ??= this.#start();
    const thread = await this.#thread;
    // If no thread can be started, recording runs in this one.
    return thread ? thread.open(facts, this.#emit) : this.#openHere(facts);
  }

  #openHere(
    { agent, protocol, secrets, secretHeaders }: RecordingFacts,
    guard?: RecursionGuard,
  ): ExchangeRecorder {
    return new Recorder({
      protocols: ALL_PROTOCOLS,
      agent,
      protocol,
      emit: this.#emit,
      now,
      ids: RANDOM_IDS,
      redactor: new Redactor(secrets, secretHeaders),
      guard,
      capacity: this.#capacity,
    });
  }

  dispose(): void {
    void this.#thread?.then(thread => thread?.close());
  }

  async #start(): Promise<RecorderThread | undefined> {
    const started = await RecorderThread.start({ to: 'starter' }, now, { capacity: this.#capacity });
    if (!started.ok) return undefined;
    void started.thread.failed.then(why => {
      this.#thread = undefined;
      showError(why);
    });
    return started.thread;
  }
}
