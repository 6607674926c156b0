import type { ProtocolName } from '../../../core/catalog/protocols.ts';

/** How a caller of a protocol asks, as the body of a request, and how it finds out what came. */
export interface Caller {
  /** Asks what there is; undefined in a protocol that has no such request. */
  readonly list: Asking | undefined;
  /** Calls a tool with arguments. */
  readonly call: (tool: string, given: Readonly<Record<string, string>>) => Asking;
  /** Gives a task in words; undefined in a protocol that has only calls. */
  readonly task: ((words: string) => Asking) | undefined;
  /** Cancels the call whose reply begins so, in a protocol in which a call survives its caller's connection. */
  readonly cancel?: (begun: string) => Asking;
}

export interface Asking {
  /** The path, if it is not that of the endpoint. */
  readonly path?: string;
  readonly method?: 'GET';
  readonly body?: string;
}

function json(value: unknown): Asking {
  return { body: JSON.stringify(value) };
}

function rpc(method: string, params: unknown): Asking {
  return json({ jsonrpc: '2.0', id: 1, method, params });
}

function aicl(type: string, ...fields: readonly string[]): Asking {
  const header = ['[s:protocol]:[s:LightAICL]', '[s:session_id]:[s:s9]', `[s:msg_type]:[s:${type}]`];
  return { body: `[d:${[...header, ...fields].join(',')}]` };
}

/** Requests of all protocols, written by hand. */
export const CALLERS: Readonly<Record<ProtocolName, Caller>> = {
  aicf: {
    list: { body: 'LIST' },
    call: (tool, given) => ({ body: ['CALL', tool, ...Object.values(given)].join('|') }),
    task: undefined,
  },
  'json-rpc': {
    list: rpc('aip.capabilities.list', {}),
    call: (tool, given) => rpc('aip.tool.invoke', { tool, arguments: given }),
    task: undefined,
  },
  mcp: {
    list: rpc('tools/list', {}),
    call: (tool, given) => rpc('tools/call', { name: tool, arguments: given, _meta: { progressToken: 'p' } }),
    task: undefined,
  },
  aio: {
    list: rpc('agent::tools.list', {}),
    call: (tool, given) => rpc('agent::tools.call', { tool, args: given }),
    task: words => rpc('agent::input', { input: { type: 'text', value: words } }),
  },
  aicl: {
    list: aicl('data_query', '[s:query]:[s:tools]', '[s:format]:[s:json]'),
    call: (tool, given) =>
      aicl(
        'tool_call',
        `[s:tool]:[s:${tool}]`,
        `[s:params]:[d:${Object.entries(given)
          .map(([key, value]) => `[s:${key}]:[s:${value}]`)
          .join(',')}]`,
      ),
    task: words => aicl('task_request', `[s:task]:[s:${words}]`, '[s:constraints]:[d:]'),
  },
  a2a: {
    list: { path: '/.well-known/agent-card.json', method: 'GET' },
    call: (tool, given) => a2a({ data: { tool, arguments: given } }),
    task: words => a2a({ text: words }),
    cancel: begun => rpc('CancelTask', { id: /"(?:taskId|id)":"([^"]+)"/.exec(begun)?.[1] }),
  },
  responses: {
    list: { path: '/v1/models', method: 'GET' },
    call: (tool, given) =>
      responses(JSON.stringify(given), { tool_choice: { type: 'function', name: tool } }),
    task: words => responses(words),
  },
  'agent-api': {
    list: undefined,
    call: (tool, given) => agentApi(JSON.stringify(given), { tool_choice: { type: 'function', name: tool } }),
    task: words => agentApi(words),
  },
};

function a2a(part: object): Asking {
  return rpc('SendStreamingMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [part] } });
}

function responses(text: string, more: object = {}): Asking {
  return json({ model: 'target', input: text, stream: true, ...more });
}

function agentApi(text: string, more: object = {}): Asking {
  const content = [{ type: 'text', text }];
  return json({ input: [{ type: 'message', role: 'user', content }], stream: true, ...more });
}
