import { EventEmitter, type Memento } from 'vscode';
import { readOrigin, originOf, type RefusedRequest } from '../../../agents/http/local-access.ts';
import { startHttpProxy } from '../../../agents/proxy/http/http-proxy.ts';
import { readFields } from '../../../core/text/fields.ts';
import { quote } from '../../../core/text/quote.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { findCredentials, redactUrl } from '../../../core/secrets/redact.ts';
import { DisposableStore } from '../base/dispose.ts';
import { showWarning } from '../window/messages.ts';
import type {
  RecordingInfo,
  RecordingService,
  RecordingStart,
  RecordingWish,
} from '../services/recording-service.ts';
import { maySend, UNTRUSTED } from '../base/trust.ts';
import type { DesktopAgents } from './desktop-agents.ts';
import { startTap, type TapPlace } from './process-taps.ts';

interface Running {
  readonly info: RecordingInfo;
  end(): Promise<void>;
}

/**
 * The memento key of the ports of recordings. An agent gets the same port again, because its callers are
 * configured with it.
 */
const PORTS = 'parley.recording.ports';

/** The recordings of this window: proxies in front of agents that emit events to the traces. */
export class Recordings implements RecordingService {
  readonly #agents: DesktopAgents;
  readonly #emit: (event: TraceEvent) => void;
  readonly #memory: Memento;
  readonly #taps: TapPlace;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<void>());
  readonly #running = new Map<string, Running>();
  /** Recordings that are starting, so that an agent never gets two. */
  readonly #starting = new Map<string, Promise<RecordingStart>>();

  readonly onDidChange = this.#changed.event;

  constructor(agents: DesktopAgents, emit: (event: TraceEvent) => void, memory: Memento, taps: TapPlace) {
    this.#agents = agents;
    this.#emit = emit;
    this.#memory = memory;
    this.#taps = taps;
  }

  list(): readonly RecordingInfo[] {
    return [...this.#running.values()].map(({ info }) => info);
  }

  start(wish: RecordingWish): Promise<RecordingStart> {
    const { agent } = wish;
    const starting =
      this.#starting.get(agent) ?? this.#start(wish).finally(() => this.#starting.delete(agent));
    this.#starting.set(agent, starting);
    return starting;
  }

  async #start(wish: RecordingWish): Promise<RecordingStart> {
    // Checked here, because all callers pass here before a port is opened.
    if (!maySend()) return { ok: false, message: UNTRUSTED };
    const known = this.#running.get(wish.agent);
    if (known) return { ok: true, recording: known.info };
    if (wish.commandLine !== undefined) return this.#startTap(wish.agent, wish.commandLine);
    const agent = await this.#agents.findResolved(wish.agent, new AbortController().signal);
    if ('status' in agent) return { ok: false, message: agent.message };
    if (agent.type !== 'http')
      return {
        ok: false,
        message: `The agent ${quote(agent.name)} is a stdio process: start it with the command line for recording instead.`,
      };
    const origins = new Set<string>();
    for (const text of wish.origins ?? []) {
      const origin = readOrigin(text);
      if (origin === undefined)
        return {
          ok: false,
          message: `${quote(text, 200)} is not an origin of web pages: name http://HOST:PORT or https://HOST, without a path.`,
        };
      origins.add(origin);
    }
    const port = wish.port ?? this.#readPorts().get(agent.name) ?? 0;
    const isGuarded = wish.options.includes('guard');
    const secrets = [...agent.secrets, ...findCredentials(agent.url.href, agent.headers)];
    const target = { url: agent.url, tls: agent.tls, rewritesCards: wish.options.includes('rewriteCard') };
    const { name, protocol, secretHeaders } = agent;
    const recorder = await this.#agents.recorders.open(
      { agent: name, protocol, secrets, secretHeaders },
      isGuarded ? 'guarded' : 'apart',
    );
    const onRefused = (refused: RefusedRequest): void =>
      showRefused(name, refused, origin => origins.add(origin));
    const started = await startHttpProxy(target, port, recorder, { origins, onRefused });
    if (!started.ok) return started;
    const { proxy } = started;
    const to = redactUrl(agent.url.href);
    const info = { agent: agent.name, address: proxy.address, port: proxy.port, to, isGuarded };
    await this.#memory.update(PORTS, Object.fromEntries(this.#readPorts().set(agent.name, proxy.port)));
    return this.#keep({ info, end: () => proxy.close() });
  }

  async stop(agent: string): Promise<void> {
    const running = this.#running.get(agent);
    if (!running) return;
    this.#running.delete(agent);
    this.#changed.fire();
    await running.end();
  }

  dispose(): void {
    // The host does not wait for disposal; ports are closed when its process ends.
    for (const running of this.#running.values()) void running.end();
    this.#running.clear();
    this.#store.dispose();
  }

  async #startTap(name: string, commandLine: string): Promise<RecordingStart> {
    const started = await startTap(this.#taps, { name, commandLine }, this.#emit);
    if (!started.ok) return started;
    const { tap } = started;
    const info = {
      agent: name,
      address: tap.commandLine,
      port: undefined,
      to: commandLine,
      isGuarded: false,
    };
    return this.#keep({ info, end: () => tap.stop() });
  }

  #keep(running: Running): RecordingStart {
    this.#running.set(running.info.agent, running);
    this.#changed.fire();
    return { ok: true, recording: running.info };
  }

  #readPorts(): Map<string, number> {
    const stored: unknown = this.#memory.get(PORTS);
    const ports = new Map<string, number>();
    for (const [name, port] of readFields(stored) ?? []) if (typeof port === 'number') ports.set(name, port);
    return ports;
  }
}

/** Reports a request that a recording refused, with an action to admit it. */
function showRefused(agent: string, refused: RefusedRequest, allow: (origin: string) => unknown): void {
  const origin = originOf(refused);
  showWarning(
    `The recording of ${agent} refused a request. ${refused.message}.`,
    new Map(origin === undefined ? [] : [[`Allow ${origin}`, () => allow(origin)]]),
  );
}
