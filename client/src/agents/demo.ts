import { commands, EventEmitter, Uri, type Disposable, type LogOutputChannel } from 'vscode';
import type { OpenPassage } from '../../../agents/demo/chain.ts';
import {
  DEMO_PROCESS,
  demoAddressesFrom,
  startDemoAgents,
  type DemoAgents,
} from '../../../agents/demo/start.ts';
import { maySend, UNTRUSTED } from '../trust.ts';

/** True while demo agents of this window run: the menus offer to stop them then. */
const RUNNING_KEY = 'parley.demoRunning';

/** The demo agents of this window: those that the environment names as running already, else our own, started on first use. */
export class Demo implements Disposable {
  readonly #log: LogOutputChannel;
  readonly #extension: Uri;
  readonly #open: OpenPassage;
  readonly #given: ReadonlyMap<string, string> | undefined;
  readonly #changed = new EventEmitter<void>();
  #running: Promise<DemoAgents> | undefined;

  readonly onDidChange = this.#changed.event;

  /** `open` makes the ways on which our own ask one another. */
  constructor(env: NodeJS.ProcessEnv, log: LogOutputChannel, extension: Uri, open: OpenPassage) {
    this.#log = log;
    this.#extension = extension;
    this.#open = open;
    this.#given = demoAddressesFrom(env);
  }

  /** What `${demo:NAME}` stands for: an address or, for the agent that is a process, the path of its program. */
  async find(name: string): Promise<string | undefined> {
    if (name === DEMO_PROCESS) return Uri.joinPath(this.#extension, 'dist', 'cli.js').fsPath;
    return (await this.start()).get(name);
  }

  /** Addresses by name. Starts servers on loopback where none run; throws in a workspace that is not trusted. */
  async start(): Promise<ReadonlyMap<string, string>> {
    if (this.#given) return this.#given;
    if (!maySend()) throw new Error(UNTRUSTED);
    const starting = (this.#running ??= this.#startOwn());
    try {
      return (await starting).addresses;
    } catch (error) {
      // A start that failed may work the next time, when a port is free again.
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

  dispose(): void {
    this.#changed.dispose();
    // The host gives no time to wait; sockets end with its process.
    void this.#running?.then(running => running.close());
  }

  async #startOwn(): Promise<DemoAgents> {
    const started = await startDemoAgents(this.#open);
    const lines = [...started.addresses].map(([name, url]) => `${name}: ${url}`);
    this.#log.info(`Demo agents run. ${lines.join(', ')}`);
    this.#publish('running');
    return started;
  }

  #publish(state: 'running' | 'stopped'): void {
    // A menu that is late by a moment harms nothing, so nobody waits.
    void commands.executeCommand('setContext', RUNNING_KEY, state === 'running');
    this.#changed.fire();
  }
}
