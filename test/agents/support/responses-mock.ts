import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An agent of the Responses API that answers with the text that it gets. */
export interface ResponsesMock {
  /** The address of its endpoint. */
  readonly url: string;
  /** The methods, paths and Authorization headers of all requests. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Starts the agent. It lists two models, and answers only requests with its key. */
export async function startResponsesMock(key: string): Promise<ResponsesMock> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const authorization = request.headers.authorization ?? 'no key';
    requests.push(`${request.method} ${request.url} ${authorization}`);
    let body = '';
    request.on('data', piece => (body += piece));
    request.on('end', () => {
      const send = (status: number, value: unknown): void => {
        response.writeHead(status, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(value));
      };
      if (authorization !== `Bearer ${key}`)
        return send(401, { error: { message: 'Incorrect API key provided', type: 'invalid_request_error' } });
      if (request.url === '/v1/models')
        return send(200, {
          object: 'list',
          data: [
            { id: 'large', object: 'model' },
            { id: 'small', object: 'model' },
          ],
        });
      if (request.method !== 'POST') return send(405, { error: { message: 'Only POST' } });
      if (request.url !== '/v1/responses') return send(404, { error: { message: 'no such page' } });
      const { model } = JSON.parse(body) as { model?: string };
      const text = `Hello from ${model}`;
      const content = [{ type: 'output_text', text, annotations: [] }];
      send(200, {
        id: 'resp_1',
        object: 'response',
        created_at: 1,
        status: 'completed',
        model,
        output: [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }],
        usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
      });
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/responses`,
    requests,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
