import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/root.ts';

/** The script of the reference server of MCP. */
export const EVERYTHING_SCRIPT = join(
  ROOT,
  'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

/** The reference server of MCP over Streamable HTTP. */
export interface EverythingServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the reference server on a free port. */
export async function startEverything(): Promise<EverythingServer> {
  const port = await findPort();
  const child = spawn(process.execPath, [EVERYTHING_SCRIPT, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (text: Buffer) => {
      if (text.toString().includes(String(port))) resolve();
    });
    child.once('exit', () => reject(new Error('the server ended')));
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise(resolve => {
        child.removeAllListeners('exit');
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}

function findPort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
