import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { makeServer } from './modern.ts';

serveStdio(makeServer);
