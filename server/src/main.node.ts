import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { NODE_RUNTIME } from './node-runtime.ts';
import { startServer } from './server.ts';
import { startStdioServer } from './stdio.ts';

// The entry of dist/server.js. The arguments name the transport: --node-ipc, --stdio, --pipe or --socket.
if (process.argv.includes('--stdio')) startStdioServer();
else startServer(createConnection(ProposedFeatures.all), NODE_RUNTIME);
