import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Writes the reply to one request. */
export type Answer = (reply: ServerResponse) => unknown;

/** An agent of MCP and of Responses, whose replies a test chooses. */
export interface ReplyAgent {
  /** The entries of an agents file. */
  readonly agents: Readonly<Record<string, object>>;
  /** The reply to the next requests. */
  answer: { mcp: McpAnswer; responses: Answer };
  stop(): Promise<void>;
}

/** A result of a tool, after progress. */
export interface McpAnswer {
  readonly progress?: readonly number[];
  readonly result?: object;
  readonly error?: object;
}

/** Starts the agent on a free port. */
export async function startReplyAgent(): Promise<ReplyAgent> {
  const answer: ReplyAgent['answer'] = {
    mcp: { result: { content: [] } },
    responses: reply => reply.end('{}'),
  };
  const server = createServer((request, reply) => {
    void readText(request).then(text =>
      request.url === '/mcp' ? answerMcp(text, answer.mcp, reply) : answer.responses(reply),
    );
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${portOf(server)}`;
  return {
    agents: {
      forecaster: { protocol: 'mcp', type: 'http', url: `${origin}/mcp` },
      writer: { protocol: 'responses', type: 'http', url: `${origin}/responses` },
    },
    answer,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function answerMcp(text: string, { progress = [], result, error }: McpAnswer, reply: ServerResponse): void {
  const { id, method, params } = JSON.parse(text || '{}') as Request;
  const json = (message: object): void => {
    reply.setHeader('content-type', 'application/json');
    reply.end(JSON.stringify({ jsonrpc: '2.0', id, ...message }));
  };
  if (method === undefined || id === undefined) {
    reply.statusCode = method === undefined ? 405 : 202;
    reply.end();
  } else if (method === 'initialize')
    json({
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'forecaster', version: '1' },
      },
    });
  else if (method === 'tools/list') json({ result: { tools: [] } });
  else if (method !== 'tools/call') json({ error: { code: -32601, message: 'Method not found' } });
  else {
    reply.setHeader('content-type', 'text/event-stream');
    const send = (message: object): unknown =>
      reply.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    for (const done of progress)
      send({
        method: 'notifications/progress',
        params: {
          progressToken: params?._meta?.progressToken,
          progress: done,
          total: 5,
          message: `day ${done}`,
        },
      });
    if (!result && !error) return;
    send({ id, ...(error ? { error } : { result }) });
    reply.end();
  }
}

interface Request {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly _meta?: { readonly progressToken?: number } };
}

/** The events of a message that Responses streams. */
export class ResponseEvents {
  #number = 0;

  begin(): string {
    const response = { object: 'response', id: 'r', status: 'in_progress', output: [] };
    return (
      this.#print({ type: 'response.created', response }) +
      this.#print({
        type: 'response.output_item.added',
        output_index: 0,
        item: { id: 'm', type: 'message', role: 'assistant', status: 'in_progress', content: [] },
      })
    );
  }

  text(delta: string): string {
    return this.#print({
      ...{ type: 'response.output_text.delta', output_index: 0, item_id: 'm', content_index: 0 },
      delta,
    });
  }

  end(items: readonly object[], usage?: object): string {
    const response = { object: 'response', id: 'r', status: 'completed', output: items, usage };
    return this.#print({ type: 'response.completed', response });
  }

  #print(event: object): string {
    return `data: ${JSON.stringify({ ...event, sequence_number: this.#number++ })}\n\n`;
  }
}

/** Items of Responses: a message of the assistant, and a tool call with its output. */
export function messageItem(text: string): object {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { id: 'm', type: 'message', role: 'assistant', status: 'completed', content };
}

export function toolItems(name: string, given: object, output: string): readonly object[] {
  return [
    {
      ...{ id: 'f', type: 'function_call', call_id: 'c', name, status: 'completed' },
      arguments: JSON.stringify(given),
    },
    { id: 'o', type: 'function_call_output', call_id: 'c', status: 'completed', output },
  ];
}

/** A whole response that does not stream. */
export function wholeResponse(items: readonly object[]): Answer {
  return reply => {
    reply.setHeader('content-type', 'application/json');
    reply.end(
      JSON.stringify({
        ...{ object: 'response', id: 'r', status: 'completed', output: items },
        usage: { input_tokens: 96, output_tokens: 30, total_tokens: 126 },
      }),
    );
  };
}
