import { startDemoAgents } from '../../../agents/src/demo/start.ts';
import { EXIT } from '../exit.ts';
import type { Command } from './command.ts';

/** `parley demo`: the demo agents, until the user interrupts. Their addresses are one line of JSON. */
export const demo: Command = {
  name: 'demo',
  usage: '',
  summary: 'Starts the demo agents and prints their addresses as JSON; Ctrl-C ends them.',
  options: [],
  async run(terminal) {
    const signal = terminal.catchInterrupts();
    const agents = await startDemoAgents();
    terminal.out(`${JSON.stringify(Object.fromEntries(agents.addresses))}\n`);
    await new Promise<void>(resolve => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await agents.close();
    return EXIT.fine;
  },
};
