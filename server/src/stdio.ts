import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { FramedInput } from './framed-input.ts';
import { NODE_RUNTIME } from './node-runtime.ts';
import { startServer } from './server.ts';

/**
 * Starts the language server on standard input and output, for any editor. The process ends when the client
 * requests it, disappears or closes the input, or sends incorrectly framed messages.
 */
export function startStdioServer(): void {
  // The library sets 0 after a shutdown. If the input ends before the library reads it, the process exits
  // with this code.
  process.exitCode = 1;
  const input = new FramedInput(
    fault => {
      process.stderr.write(`parley lsp: ${fault}. The language server has ended; start it again\n`, () =>
        process.exit(1),
      );
    },
    foreign => void process.stderr.write(`parley lsp: ${foreign}\n`),
  );
  process.stdin.pipe(input);
  // A pipe does not close its destination if the source is closed by an error.
  process.stdin.on('close', () => input.end());
  startServer(createConnection(ProposedFeatures.all, input, process.stdout), NODE_RUNTIME);
}
