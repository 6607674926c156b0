import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An agent of OpenAI's Responses whose replies grow as a test wants. */
export interface ResponsesAgent {
  readonly url: string;
  /** The bodies of the requests that came. */
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  /** Adds text to the reply that is open. */
  write(text: string): void;
  /** Ends the reply that is open. */
  end(): void;
  close(): Promise<void>;
}

/** An open reply. */
interface Open {
  readonly response: ServerResponse;
  readonly id: string;
  text: string;
}

export async function startResponsesAgent(): Promise<ResponsesAgent> {
  const requests: Readonly<Record<string, unknown>>[] = [];
  let open: Open | undefined;
  const emit = (type: string, more: object): void =>
    void open?.response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  const responseOf = (status: string, output: readonly object[]): object => ({
    response: { id: open?.id, object: 'response', status, model: 'mock', output },
  });
  const itemOf = (status: string): object => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status,
    content: open?.text ? [{ type: 'output_text', text: open.text, annotations: [] }] : [],
  });
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      requests.push(JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>);
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      open = { response, id: `resp_${requests.length}`, text: '' };
      emit('response.created', responseOf('in_progress', []));
      emit('response.output_item.added', { output_index: 0, item: itemOf('in_progress') });
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/responses`,
    requests,
    write(text) {
      if (!open) throw new Error('no reply is open');
      open.text += text;
      const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
      emit('response.output_text.delta', { ...place, delta: text });
    },
    end() {
      emit('response.output_item.done', { output_index: 0, item: itemOf('completed') });
      emit('response.completed', responseOf('completed', [itemOf('completed')]));
      open?.response.end();
      open = undefined;
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
