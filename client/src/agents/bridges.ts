import { printCommandLine, showCommandLine } from '../../../agents/stdio/command-line.ts';
import { listenLive, findLivePlace } from '../../../agents/proxy/live/live-listener.ts';
import { listSecrets } from '../../../agents/config/variables.ts';
import { AGENTS_FILE } from '../../../agents/config/agents-file.ts';
import { quote } from '../../../core/text/quote.ts';
import { protocolRow } from '../../../core/catalog/protocols.ts';
import { redactUrl } from '../../../core/secrets/redact.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { BridgeInfo, BridgeService, BridgeStart, BridgeWish } from '../services/bridge-service.ts';
import type { NotStarted } from '../services/recording-service.ts';
import { askInDialog, showWarning } from '../window/messages.ts';
import type { FoundAgent } from './agent-files.ts';
import type { FoundAndOpened } from './agent-opener.ts';
import { Endpoints, type Endpoint } from './endpoints.ts';

/** The bridges of this window. Their calls, and the ones that they make, are in its traces. */
export class Bridges extends Endpoints<BridgeInfo> implements BridgeService {
  protected readonly portsKey = 'parley.bridge.ports';

  async start(wish: BridgeWish): Promise<BridgeStart> {
    const started = await this.startOnce(keyOf(wish), () => this.#open(wish));
    return started.ok ? { ok: true, bridge: started.info } : started;
  }

  stop({ agent, as, port }: BridgeInfo): Promise<void> {
    return this.end(keyOf({ agent, as, over: port === undefined ? 'stdio' : 'http' }));
  }

  async #open(wish: BridgeWish): Promise<Endpoint<BridgeInfo> | NotStarted> {
    const opened = await this.agents.openOwn(wish.agent, this.emit);
    if ('status' in opened) return { ok: false, message: opened.message };
    const endpoint = await this.#openEndpoint(wish, opened);
    // A process that callers start has a connection of its own.
    if (!('info' in endpoint) || wish.over === 'stdio') await opened.close();
    return endpoint;
  }

  async #openEndpoint(wish: BridgeWish, opened: FoundAndOpened): Promise<Endpoint<BridgeInfo> | NotStarted> {
    if (!(await askConsent(opened, wish))) return { ok: false, message: undefined };
    return wish.over === 'http' ? this.#openHttp(wish, opened) : this.#openProcess(wish, opened.found);
  }

  async #openHttp(wish: BridgeWish, opened: FoundAndOpened): Promise<Endpoint<BridgeInfo> | NotStarted> {
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
    const wanted = wish.port ?? this.portOf(key) ?? 0;
    const options = { protocols: ALL_PROTOCOLS, as: protocol, serve, emit: this.emit };
    const first = await openBridge(opened, { ...options, port: wanted });
    // The port of an earlier window may be taken by now; one that the user named is not replaced.
    const started =
      first.ok || wish.port !== undefined ? first : await openBridge(opened, { ...options, port: 0 });
    if (!started.ok) return { ok: false, message: `${started.message}.` };
    const { bridge } = started;
    const { address } = bridge;
    const port = Number(new URL(address).port);
    await this.storePort(key, port);
    return {
      info: { agent, as, address, port },
      end: async () => {
        await bridge.close();
        await opened.close();
      },
    };
  }

  /** Listens for the bridge that callers start with the command line. */
  async #openProcess(
    { agent, as }: BridgeWish,
    { file }: FoundAgent,
  ): Promise<Endpoint<BridgeInfo> | NotStarted> {
    if (!file.path.endsWith(AGENTS_FILE))
      return {
        ok: false,
        message: `The agent ${quote(agent)} is not in ${AGENTS_FILE}, where the command line looks for it; add it there, or serve it over HTTP.`,
      };
    const place = await findLivePlace(JSON.stringify([this.taps.key, 'bridge', agent, as]));
    if (!place.ok) return { ok: false, message: `${place.message}.` };
    const listening = await listenLive(place.path, {
      emit: this.emit,
      settled: this.taps.settled,
      onProblem: problem => showWarning(`The calls of the bridge to ${agent} cannot be shown: ${problem}.`),
    });
    if (!listening.ok) return { ok: false, message: `${listening.message}.` };
    const options = ['--to', agent, '--as', as, '--stdio', '--agents', file.fsPath, '--live', place.path];
    const address = printCommandLine('node', [this.taps.program, 'bridge', ...options]);
    return { info: { agent, as, address, port: undefined }, end: () => listening.close() };
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
