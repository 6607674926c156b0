import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { ExchangeRecorder } from '../../../agents/proxy/exchange.ts';
import { RecursionGuard } from '../../../agents/proxy/guard.ts';
import { Recorder } from '../../../agents/proxy/recorder.ts';
import type { RecordingFacts } from '../../../agents/proxy/recorder-messages.ts';
import { RecorderThread } from '../../../agents/proxy/recorder-thread.ts';
import { RANDOM_IDS, now } from '../../../agents/runtime.ts';
import type { Room } from '../../../agents/store/event-sink.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { currentSettings } from '../cost/settings.ts';
import { showError } from '../messages.ts';

/**
 * Where the recorders of this window's proxies come from. They share a thread, which is started with the first of them, so
 * that this one stays free for the editor; a guarded one has to know a call before it passes, and records here.
 */
export class ProxyRecorders {
  readonly #emit: (event: TraceEvent) => void;
  readonly #room: Room;
  /** One for all: a loop goes through several agents. */
  readonly #guard = new RecursionGuard(() => currentSettings()['trace.depthLimit']);
  #thread: Promise<RecorderThread | undefined> | undefined;

  /** What passes waits while there is no `room` for what is emitted. */
  constructor(emit: (event: TraceEvent) => void, room: Room) {
    this.#emit = emit;
    this.#room = room;
  }

  async open(facts: RecordingFacts, how: 'guarded' | 'apart'): Promise<ExchangeRecorder> {
    if (how === 'guarded') return this.#openHere(facts, this.#guard);
    this.#thread ??= this.#start();
    const thread = await this.#thread;
    // Where no thread starts, this one has to do.
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
      room: this.#room,
    });
  }

  dispose(): void {
    void this.#thread?.then(thread => thread?.close());
  }

  async #start(): Promise<RecorderThread | undefined> {
    const started = await RecorderThread.start({ to: 'starter' }, now, { room: this.#room });
    if (!started.ok) return undefined;
    void started.thread.failed.then(why => {
      this.#thread = undefined;
      showError(why);
    });
    return started.thread;
  }
}
