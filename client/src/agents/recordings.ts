import { readOrigin, originOf, type RefusedRequest } from '../../../agents/http/local-access.ts';
import { startHttpProxy } from '../../../agents/proxy/http/http-proxy.ts';
import { quote } from '../../../core/text/quote.ts';
import { findCredentials, redactUrl } from '../../../core/secrets/redact.ts';
import { showWarning } from '../window/messages.ts';
import type {
  NotStarted,
  RecordingInfo,
  RecordingService,
  RecordingStart,
  RecordingWish,
} from '../services/recording-service.ts';
import { Endpoints, type Endpoint } from './endpoints.ts';
import { startTap } from './process-taps.ts';

/** The recordings of this window: proxies in front of agents that emit events to the traces. */
export class Recordings extends Endpoints<RecordingInfo> implements RecordingService {
  protected readonly portsKey = 'parley.recording.ports';

  async start(wish: RecordingWish): Promise<RecordingStart> {
    const started = await this.startOnce(wish.agent, () => this.#open(wish));
    return started.ok ? { ok: true, recording: started.info } : started;
  }

  stop(agent: string): Promise<void> {
    return this.end(agent);
  }

  async #open(wish: RecordingWish): Promise<Endpoint<RecordingInfo> | NotStarted> {
    if (wish.commandLine !== undefined) return this.#openTap(wish.agent, wish.commandLine);
    const agent = await this.agents.findResolved(wish.agent, new AbortController().signal);
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
    const port = wish.port ?? this.portOf(agent.name) ?? 0;
    const secrets = [...agent.secrets, ...findCredentials(agent.url.href, agent.headers)];
    const target = { url: agent.url, tls: agent.tls, rewritesCards: wish.options.includes('rewriteCard') };
    const { name, protocol, secretHeaders } = agent;
    const recorder = await this.agents.recorders.open(
      { agent: name, protocol, secrets, secretHeaders },
      wish.options.includes('guard') ? 'guarded' : 'apart',
    );
    const onRefused = (refused: RefusedRequest): void =>
      showRefused(name, refused, origin => origins.add(origin));
    const started = await startHttpProxy(target, port, recorder, { origins, onRefused });
    if (!started.ok) return started;
    const { proxy } = started;
    const to = redactUrl(agent.url.href);
    const info = { agent: agent.name, address: proxy.address, port: proxy.port, to };
    await this.storePort(agent.name, proxy.port);
    return { info, end: () => proxy.close() };
  }

  async #openTap(name: string, commandLine: string): Promise<Endpoint<RecordingInfo> | NotStarted> {
    const started = await startTap(this.taps, { name, commandLine }, this.emit);
    if (!started.ok) return started;
    const { tap } = started;
    const info = {
      agent: name,
      address: tap.commandLine,
      port: undefined,
      to: commandLine,
    };
    return { info, end: () => tap.stop() };
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
