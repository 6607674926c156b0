import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { makeServer } from './modern.ts';

/** Serves at the port of the environment, and tells once it does. */
const serve = toNodeHandler(createMcpHandler(makeServer, { legacy: 'reject' }));
const http = createServer((request, response) => {
  void serve(request as Parameters<typeof serve>[0], response);
});
http.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  process.stdout.write(`listening on port ${(http.address() as AddressInfo).port}\n`);
});
