import type { Memento } from 'vscode';
import type { TraceEvent } from '../../../core/events/events.ts';
import { readFields } from '../../../core/text/fields.ts';
import { Changing } from '../base/changing.ts';
import { maySend, UNTRUSTED } from '../base/trust.ts';
import type { NotStarted } from '../services/recording-service.ts';
import { SharedWork } from '../base/shared-work.ts';
import type { DesktopAgents } from './desktop-agents.ts';
import type { TapPlace } from './process-taps.ts';

/** A place at which callers reach an agent until it is closed. */
export interface Endpoint<Info> {
  readonly info: Info;
  end(): Promise<void>;
}

type Started<Info> = { readonly ok: true; readonly info: Info } | NotStarted;

/** The endpoints of this window by key, such as its recordings or its bridges. None is opened twice. */
export abstract class Endpoints<Info> extends Changing {
  protected readonly agents: DesktopAgents;
  protected readonly emit: (event: TraceEvent) => void;
  protected readonly taps: TapPlace;
  readonly #memory: Memento;
  /** The memento key of the ports. An endpoint gets its port again, because its callers are configured with it. */
  protected abstract readonly portsKey: string;
  readonly #running = new Map<string, Endpoint<Info>>();
  readonly #starting = new SharedWork<Started<Info>>();

  constructor(agents: DesktopAgents, emit: (event: TraceEvent) => void, memory: Memento, taps: TapPlace) {
    super();
    this.agents = agents;
    this.emit = emit;
    this.taps = taps;
    this.#memory = memory;
  }

  list(): readonly Info[] {
    return [...this.#running.values()].map(({ info }) => info);
  }

  /** Returns the endpoint with this key, and opens it if there is none. */
  protected startOnce(key: string, open: () => Promise<Endpoint<Info> | NotStarted>): Promise<Started<Info>> {
    return this.#starting.run(key, () => this.#start(key, open));
  }

  async #start(key: string, open: () => Promise<Endpoint<Info> | NotStarted>): Promise<Started<Info>> {
    // Checked here, because all callers pass here before a port is opened.
    if (!maySend()) return { ok: false, message: UNTRUSTED };
    const known = this.#running.get(key);
    if (known) return { ok: true, info: known.info };
    const opened = await open();
    if (!('info' in opened)) return opened;
    this.#running.set(key, opened);
    this.changed.fire();
    return { ok: true, info: opened.info };
  }

  protected async end(key: string): Promise<void> {
    const running = this.#running.get(key);
    if (!running) return;
    this.#running.delete(key);
    this.changed.fire();
    await running.end();
  }

  /** The last port of an endpoint. */
  protected portOf(key: string): number | undefined {
    return this.#readPorts().get(key);
  }

  protected async storePort(key: string, port: number): Promise<void> {
    await this.#memory.update(this.portsKey, Object.fromEntries(this.#readPorts().set(key, port)));
  }

  #readPorts(): Map<string, number> {
    const stored = readFields(this.#memory.get(this.portsKey)) ?? [];
    return new Map([...stored].flatMap(([key, port]) => (typeof port === 'number' ? [[key, port]] : [])));
  }

  override dispose(): void {
    // The host does not wait for disposal; ports are closed when its process ends.
    for (const running of this.#running.values()) void running.end();
    this.#running.clear();
    super.dispose();
  }
}
