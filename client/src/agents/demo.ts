import { Uri, type LogOutputChannel } from 'vscode';
import { Changing } from '../base/changing.ts';
import type { OpenRecorder } from '../../../agents/proxy/exchange.ts';
import {
  DEMO_PROCESS,
  demoAddressesFrom,
  startDemoAgents,
  type DemoAgents,
} from '../../../agents/demo/start.ts';
import { maySend, UNTRUSTED } from '../base/trust.ts';
import { setContext } from '../window/context-key.ts';

/**
 * The demo agents of this window: running ones named by the environment, else own ones that are started on
 * first use.
 */
export class Demo extends Changing {
  readonly #log: LogOutputChannel;
  readonly #extension: Uri;
  readonly #openRecorder: OpenRecorder;
  readonly #given: ReadonlyMap<string, string> | undefined;
  #running: Promise<DemoAgents> | undefined;

  /** `openRecorder` opens the recorders of the calls between the own agents. */
  constructor(env: NodeJS.ProcessEnv, log: LogOutputChannel, extension: Uri, openRecorder: OpenRecorder) {
    super();
    this.#log = log;
    this.#extension = extension;
    this.#openRecorder = openRecorder;
    this.#given = demoAddressesFrom(env);
  }

  /** The path of the program of the agent that is a process. */
  get program(): string {
    return Uri.joinPath(this.#extension, 'dist', 'cli.js').fsPath;
  }

  /** Resolves `${demo:NAME}`: an address or, for the agent that is a process, the path of its program. */
  async find(name: string): Promise<string | undefined> {
    return name === DEMO_PROCESS ? this.program : (await this.start()).get(name);
  }

  /** The addresses by name. Starts servers on loopback if none run. Throws in an untrusted workspace. */
  async start(): Promise<ReadonlyMap<string, string>> {
    if (this.#given) return this.#given;
    if (!maySend()) throw new Error(UNTRUSTED);
    const starting = (this.#running ??= this.#startOwn());
    try {
      return (await starting).addresses;
    } catch (error) {
      // A failed start may succeed later, when a port is free again.
      if (this.#running === starting) this.#running = undefined;
      throw error;
    }
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (!running) return;
    await (await running).close();
    this.#log.info('Demo agents stopped.');
    this.#publish('stopped');
  }

  override dispose(): void {
    super.dispose();
    // The host does not wait for disposal; sockets are closed when its process ends.
    void this.#running?.then(running => running.close());
  }

  async #startOwn(): Promise<DemoAgents> {
    const started = await startDemoAgents(this.#openRecorder);
    const lines = [...started.addresses].map(([name, url]) => `${name}: ${url}`);
    this.#log.info(`Demo agents run. ${lines.join(', ')}`);
    this.#publish('running');
    return started;
  }

  #publish(state: 'running' | 'stopped'): void {
    setContext('demoRunning', state === 'running');
    this.changed.fire();
  }
}
