import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { NODE_RUNTIME } from './node-runtime.ts';
import { startServer } from './server.ts';

/**
 * Starts the language server on this process's standard input and output, for any editor.
 * The process ends when the client says so, goes away or closes the input.
 */
export function startStdioServer(): void {
  startServer(createConnection(ProposedFeatures.all, process.stdin, process.stdout), NODE_RUNTIME);
}
