import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An agent of the test's own. */
export async function serve(
  answer: (body: string, response: ServerResponse) => void,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => answer(body, response.setHeader('content-type', 'text/plain')));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}
