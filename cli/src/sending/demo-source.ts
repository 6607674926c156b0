import type { OpenRecorder } from '../../../agents/proxy/exchange.ts';
import {
  DEMO_PROCESS,
  demoAddressesFrom,
  startDemoAgents,
  type DemoAgents,
} from '../../../agents/demo/start.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Resolves `${demo:NAME}`: to the agents that the environment names, else to demo agents that are started on
 * first use.
 */
export class DemoSource {
  readonly #running: ReadonlyMap<string, string> | undefined;
  readonly #openRecorder: OpenRecorder | undefined;
  #started: Promise<DemoAgents> | undefined;

  /** The calls between agents that are started here are recorded by the recorders of `openRecorder`. */
  constructor(terminal: Terminal, openRecorder?: OpenRecorder) {
    this.#running = demoAddressesFrom(terminal.env);
    this.#openRecorder = openRecorder;
  }

  async findAddress(name: string): Promise<string | undefined> {
    if (name === DEMO_PROCESS) return process.argv[1];
    if (this.#running) return this.#running.get(name);
    this.#started ??= startDemoAgents(this.#openRecorder);
    return (await this.#started).addresses.get(name);
  }

  /** Stops the agents that were started here. Agents from the environment keep running. */
  async close(): Promise<void> {
    await (await this.#started)?.close();
  }
}
