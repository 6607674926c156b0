import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { FramedInput, makeDecoder } from './framed-input.ts';
import { NODE_RUNTIME } from './node-runtime.ts';
import { startServer } from './server.ts';

/**
 * Starts the language server on standard input and output, for any editor. The process ends when the client
 * requests it, disappears or closes the input, or sends incorrectly framed messages.
 */
export function startStdioServer(): void {
  // The code if the input ends before the client requests a shutdown.
  process.exitCode = 1;
  const report = (line: string, then?: () => void): void =>
    void process.stderr.write(`parley lsp: ${line}\n`, then);
  const input = new FramedInput(fault =>
    report(`${fault}. The language server has ended; start it again`, () => process.exit(1)),
  );
  process.stdin.pipe(input);
  // A pipe does not close its destination if the source is closed by an error.
  process.stdin.on('close', () => input.end());
  input.on('end', () => process.exit());
  const reader = new StreamMessageReader(input, { contentTypeDecoder: makeDecoder(report) });
  const connection = createConnection(ProposedFeatures.all, reader, new StreamMessageWriter(process.stdout));
  connection.onShutdown(() => {
    process.exitCode = 0;
  });
  startServer(connection, NODE_RUNTIME);
}
