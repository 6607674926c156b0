import { startStdioServer } from '../../../server/src/stdio.ts';
import { UsageError } from '../exit.ts';
import type { Command } from './command.ts';

/** `parley lsp --stdio`: the language server, for any editor. It ends the process when its client goes. */
export const lsp: Command = {
  name: 'lsp',
  usage: '--stdio',
  summary: 'Runs the language server on standard input and output.',
  options: [{ name: 'stdio', summary: 'Speaks over standard input and output.' }],
  run(_terminal, line) {
    if (!line.has('stdio'))
      throw new UsageError("The language server speaks over stdio only: use 'parley lsp --stdio'");
    startStdioServer();
    return new Promise(() => undefined);
  },
};
