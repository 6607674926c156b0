import {
  DEMO_PROCESS,
  demoAddressesFrom,
  startDemoAgents,
  type DemoAgents,
} from '../../../agents/demo/start.ts';
import type { Terminal } from '../terminal.ts';

/** Where `${demo:NAME}` leads: agents that the environment names, else ones that are started when first asked for. */
export class DemoSource {
  readonly #running: ReadonlyMap<string, string> | undefined;
  #started: Promise<DemoAgents> | undefined;

  constructor(terminal: Terminal) {
    this.#running = demoAddressesFrom(terminal.env);
  }

  async findAddress(name: string): Promise<string | undefined> {
    if (name === DEMO_PROCESS) return process.argv[1];
    if (this.#running) return this.#running.get(name);
    this.#started ??= startDemoAgents();
    return (await this.#started).addresses.get(name);
  }

  /** Ends the agents that were started here; those of the environment go on. */
  async close(): Promise<void> {
    await (await this.#started)?.close();
  }
}
