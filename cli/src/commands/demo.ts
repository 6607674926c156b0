import { once } from 'node:events';
import { LineSplitter } from '../../../core/text/line-splitter.ts';
import { answerAioLine } from '../../../agents/demo/aio-agents.ts';
import { startDemoAgents } from '../../../agents/demo/start.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Terminal } from '../terminal.ts';
import type { Command } from './command.ts';

/**
 * `parley demo`: runs the demo agents until the user interrupts, and prints their addresses as one line of
 * JSON. With `--stdio` it is itself a demo agent that answers each line of standard input when it arrives.
 */
export const demo: Command = {
  name: 'demo',
  usage: '',
  summary: 'Starts the demo agents and prints their addresses as JSON; Ctrl-C ends them.',
  options: [
    { name: 'stdio', summary: 'Is an AIO agent itself: answers the lines of the standard input, and ends.' },
  ],
  async run(terminal, line) {
    const signal = terminal.catchInterrupts();
    if (line.has('stdio')) return answerLines(terminal, signal);
    const agents = await startDemoAgents();
    terminal.out(`${JSON.stringify(Object.fromEntries(agents.addresses))}\n`);
    if (!signal.aborted) await once(signal, 'abort');
    await agents.close();
    return EXIT.fine;
  },
};

async function answerLines(terminal: Terminal, signal: AbortSignal): Promise<ExitCode> {
  for await (const line of listLines(terminal.input()))
    if (line.trim() !== '') terminal.out(`${await answerAioLine(line, signal)}\n`);
  return EXIT.fine;
}

/** The lines of an input as they arrive; the last one need not end. */
async function* listLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const lines = new LineSplitter('data');
  for await (const chunk of input)
    for (const { text } of lines.push(decoder.decode(chunk, { stream: true }))) yield text;
  for (const { text } of lines.push(decoder.decode())) yield text;
  yield lines.end().text;
}
