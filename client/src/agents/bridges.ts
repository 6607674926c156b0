import { EventEmitter, type Memento } from 'vscode';
import { printCommandLine, showCommandLine } from '../../../agents/stdio/command-line.ts';
import { listenLive, findLivePlace } from '../../../agents/proxy/live/live-listener.ts';
import { listSecrets } from '../../../agents/config/variables.ts';
import { AGENTS_FILE } from '../../../agents/config/agents-file.ts';
import { readFields } from '../../../core/text/fields.ts';
import { quote } from '../../../core/text/quote.ts';
import { protocolRow } from '../../../core/catalog/protocols.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { redactUrl } from '../../../core/secrets/redact.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { DisposableStore } from '../base/dispose.ts';
import { maySend, UNTRUSTED } from '../base/trust.ts';
import type { BridgeInfo, BridgeService, BridgeStart, BridgeWish } from '../services/bridge-service.ts';
import { askInDialog, showWarning } from '../window/messages.ts';
import type { FoundAgent } from './agent-files.ts';
import type { FoundAndOpened } from './agent-opener.ts';
import type { DesktopAgents } from './desktop-agents.ts';
import type { TapPlace } from './process-taps.ts';

interface Running {
  readonly info: BridgeInfo;
  end(): Promise<void>;
}

/** The memento key of the ports of bridges. A bridge gets its port again, because its callers are configured with it. */
const PORTS = 'parley.bridge.ports';

/** The bridges of this window. Their calls, and the ones that they make, are in its traces. */
export class Bridges implements BridgeService {
  readonly #agents: DesktopAgents;
  readonly #emit: (event: TraceEvent) => void;
  readonly #memory: Memento;
  readonly #taps: TapPlace;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<void>());
  readonly #running = new Map<string, Running>();
  /** Bridges that are starting, so that none is started twice. */
  readonly #starting = new Map<string, Promise<BridgeStart>>();

  readonly onDidChange = this.#changed.event;

  constructor(agents: DesktopAgents, emit: (event: TraceEvent) => void, memory: Memento, taps: TapPlace) {
    this.#agents = agents;
    this.#emit = emit;
    this.#memory = memory;
    this.#taps = taps;
  }

  list(): readonly BridgeInfo[] {
    return [...this.#running.values()].map(({ info }) => info);
  }

  start(wish: BridgeWish): Promise<BridgeStart> {
    const key = keyOf(wish);
    const starting = this.#starting.get(key) ?? this.#start(wish).finally(() => this.#starting.delete(key));
    this.#starting.set(key, starting);
    return starting;
  }

  async stop({ agent, as, port }: BridgeInfo): Promise<void> {
    const key = keyOf({ agent, as, over: port === undefined ? 'stdio' : 'http' });
    const running = this.#running.get(key);
    if (!running) return;
    this.#running.delete(key);
    this.#changed.fire();
    await running.end();
  }

  dispose(): void {
    // The host does not wait for disposal; ports are closed when its process ends.
    for (const running of this.#running.values()) void running.end();
    this.#running.clear();
    this.#store.dispose();
  }

  async #start(wish: BridgeWish): Promise<BridgeStart> {
    // Checked here, because all callers pass here before a port is opened.
    if (!maySend()) return { ok: false, message: UNTRUSTED };
    const known = this.#running.get(keyOf(wish));
    if (known) return { ok: true, bridge: known.info };
    const opened = await this.#agents.openOwn(wish.agent, this.#emit);
    if ('status' in opened) return { ok: false, message: opened.message };
    const started = await this.#startOpened(wish, opened);
    // A process that callers start has a connection of its own.
    if (!started.ok || wish.over === 'stdio') await opened.close();
    return started;
  }

  async #startOpened(wish: BridgeWish, opened: FoundAndOpened): Promise<BridgeStart> {
    if (!(await askConsent(opened, wish))) return { ok: false, message: undefined };
    return wish.over === 'http' ? this.#startHttp(wish, opened) : this.#startProcess(wish, opened.found);
  }

  async #startHttp(wish: BridgeWish, opened: FoundAndOpened): Promise<BridgeStart> {
    const { agent, as } = wish;
    // Loaded with the first bridge, because most windows have none.
    const [{ openBridge }, { SERVERS }] = await Promise.all([
      import('../../../agents/bridge/bridge.ts'),
      import('../../../protocols/servers.ts'),
    ]);
    const protocol = ALL_PROTOCOLS.find(as);
    const serve = SERVERS.get(as);
    if (!protocol || !serve) return { ok: false, message: `Agents cannot be served in ${quote(as)}.` };
    const key = keyOf(wish);
    const wanted = wish.port ?? this.#readPorts().get(key) ?? 0;
    const options = { protocols: ALL_PROTOCOLS, as: protocol, serve, emit: this.#emit };
    const first = await openBridge(opened, { ...options, port: wanted });
    // The port of an earlier window may be taken by now; one that the user named is not replaced.
    const started =
      first.ok || wish.port !== undefined ? first : await openBridge(opened, { ...options, port: 0 });
    if (!started.ok) return { ok: false, message: `${started.message}.` };
    const { bridge } = started;
    const { address } = bridge;
    const port = Number(new URL(address).port);
    await this.#memory.update(PORTS, Object.fromEntries(this.#readPorts().set(key, port)));
    return this.#keep({
      info: { agent, as, address, port },
      end: async () => {
        await bridge.close();
        await opened.close();
      },
    });
  }

  /** Listens for the bridge that callers start with the command line. */
  async #startProcess({ agent, as }: BridgeWish, { file }: FoundAgent): Promise<BridgeStart> {
    if (!file.path.endsWith(AGENTS_FILE))
      return {
        ok: false,
        message: `The agent ${quote(agent)} is not in ${AGENTS_FILE}, where the command line looks for it; add it there, or serve it over HTTP.`,
      };
    const place = await findLivePlace(JSON.stringify([this.#taps.key, 'bridge', agent, as]));
    if (!place.ok) return { ok: false, message: `${place.message}.` };
    const listening = await listenLive(place.path, {
      emit: this.#emit,
      settled: this.#taps.settled,
      onProblem: problem =>
        showWarning(`The calls of the bridge to ${agent} cannot be shown: ${problem}.`, new Map()),
    });
    if (!listening.ok) return { ok: false, message: `${listening.message}.` };
    const options = ['--to', agent, '--as', as, '--stdio', '--agents', file.fsPath, '--live', place.path];
    const address = printCommandLine('node', [this.#taps.program, 'bridge', ...options]);
    return this.#keep({ info: { agent, as, address, port: undefined }, end: () => listening.close() });
  }

  #keep(running: Running): BridgeStart {
    const { info } = running;
    this.#running.set(keyOf({ ...info, over: info.port === undefined ? 'stdio' : 'http' }), running);
    this.#changed.fire();
    return { ok: true, bridge: info };
  }

  #readPorts(): Map<string, number> {
    const ports = new Map<string, number>();
    for (const [key, port] of readFields(this.#memory.get(PORTS)) ?? [])
      if (typeof port === 'number') ports.set(key, port);
    return ports;
  }
}

function keyOf({ agent, as, over }: Pick<BridgeWish, 'agent' | 'as' | 'over'>): string {
  return JSON.stringify([agent, as, over]);
}

/** Asks before callers can reach the agent: a bridge asks nothing for its calls. */
async function askConsent({ agent, found }: FoundAndOpened, { as, over }: BridgeWish): Promise<boolean> {
  const { config } = found;
  const secrets = listSecrets(config);
  const { title } = protocolRow(as);
  const lines = [
    agent.type === 'http'
      ? `Address: ${redactUrl(agent.url.href)}`
      : `Command: ${showCommandLine(agent.command, agent.args)}`,
    ...(secrets.length > 0 ? [`Uses: ${secrets.join(', ')}`] : []),
    '',
    `Programs on this computer can then call the agent as ${title} without asking you, until you stop the bridge. Web pages and other computers cannot.`,
  ];
  const button = over === 'http' ? 'Start Bridge' : 'Show Command Line';
  return (await askInDialog(`Serve ${quote(config.name)} as ${title}?`, lines.join('\n'), button)) === button;
}
