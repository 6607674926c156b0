import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { NODE_RUNTIME } from './node-runtime.ts';
import { startServer } from './server.ts';

// The entry of dist/server.js. The arguments name the transport: --node-ipc, --stdio, --pipe or --socket.
startServer(createConnection(ProposedFeatures.all), NODE_RUNTIME);
