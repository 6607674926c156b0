import { once } from 'node:events';
import { LineSplitter } from '../../../core/text/line-splitter.ts';
import {
  answerAsClerk,
  answerAsFiles,
  startDemoAgents,
  type AnswerLine,
} from '../../../agents/demo/start.ts';
import { MAX_CONFIG_BYTES } from '../../../agents/regular-file.ts';
import { readBytes } from '../files.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Terminal } from '../terminal.ts';
import { expectNoNames, type Command } from './command.ts';

/**
 * `parley demo`: runs the demo agents until the user interrupts, and prints their addresses as one line of
 * JSON. With `--stdio` or `--agent-file` it is itself a demo agent that answers the lines of standard input.
 */
export const demo: Command = {
  name: 'demo',
  usage: '',
  summary: 'Starts the demo agents and prints their addresses as JSON; Ctrl-C ends them.',
  options: [
    { name: 'stdio', summary: 'Runs as an AIO agent over standard input and output.' },
    {
      name: 'agent-file',
      value: 'FILE',
      summary:
        'Runs as an MCP agent over standard input and output that exposes the tools of this agent.json of OpenStarry.',
    },
  ],
  async run(terminal, line) {
    expectNoNames(line);
    const signal = terminal.catchInterrupts();
    const agentFile = line.option('agent-file');
    if (agentFile !== undefined) return serveTools(terminal, agentFile, signal);
    if (line.has('stdio')) return answerLines(terminal, answerAsClerk, signal);
    const agents = await startDemoAgents();
    terminal.out(`${JSON.stringify(Object.fromEntries(agents.addresses))}\n`);
    if (!signal.aborted) await once(signal, 'abort');
    await agents.close();
    return EXIT.fine;
  },
};

/** Answers lines until the input ends. The file is read for each line, so that an edit counts at once. */
async function serveTools(terminal: Terminal, file: string, signal: AbortSignal): Promise<ExitCode> {
  const readAgentFile = async (): Promise<string> =>
    new TextDecoder().decode(await readBytes(terminal, file, MAX_CONFIG_BYTES));
  await readAgentFile();
  return answerLines(terminal, answerAsFiles(readAgentFile), signal);
}

/** Answers each line of the standard input as it arrives. */
async function answerLines(terminal: Terminal, answer: AnswerLine, signal: AbortSignal): Promise<ExitCode> {
  for await (const line of listLines(terminal.input())) {
    const answered = line.trim() === '' ? undefined : await answer(line, signal);
    if (answered !== undefined) terminal.out(`${answered}\n`);
  }
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
