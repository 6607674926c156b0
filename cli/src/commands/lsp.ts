import { UsageError } from '../exit.ts';
import type { Command } from './command.ts';

/**
 * `parley lsp --stdio`: runs the language server. The server ends the process when its client disconnects.
 */
export const lsp: Command = {
  name: 'lsp',
  usage: '--stdio',
  summary: 'Runs the language server on standard input and output.',
  options: [{ name: 'stdio', summary: 'Speaks over standard input and output.' }],
  async run(_terminal, line) {
    if (!line.has('stdio'))
      throw new UsageError("The language server speaks over stdio only: use 'parley lsp --stdio'");
    // The server is evaluated only here, because its libraries take time that each command would wait for.
    const { startStdioServer } = await import('../../../server/src/stdio.ts');
    startStdioServer();
    return new Promise(() => undefined);
  },
};
