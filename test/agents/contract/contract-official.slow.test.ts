import { after } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import type { ResolvedStdioAgent } from '../../../agents/config/resolve-agent.ts';
import { closeA2aAgents, startA2aAgent, type A2aVersion } from '../support/a2a-agent.ts';
import {
  describeContract,
  withoutOrigin,
  type ContractAgent,
  type ContractRow,
} from '../support/contract.ts';
import {
  EVERYTHING,
  call,
  connect,
  findPort,
  mcpAt,
  mcpProgram,
  rpc,
  startEverything,
  startModern,
  type ServerProcess,
} from '../mcp/support.ts';
import { agentAt } from '../support/send.ts';

const nothing = (): Promise<void> => Promise.resolve();

/** A process that is started at the first request. */
function asProcess(agent: ResolvedStdioAgent): Pick<ContractRow, 'open'> {
  return {
    open: () =>
      Promise.resolve({
        // The reference server goes on without its input until it is asked to end, which is soon here.
        connection: connect(agent),
        kind: 'process',
        leave: nothing,
        comeBack: nothing,
        end: nothing,
      }),
  };
}

/** A server that is a process of its own, one for all tests. */
function asServer(
  start: (port: number) => Promise<ServerProcess>,
): Pick<ContractRow, 'before' | 'after' | 'open'> {
  let port = 0;
  let server: ServerProcess | undefined;
  const leave = async (): Promise<void> => {
    await server?.stop();
    server = undefined;
  };
  const comeBack = async (): Promise<void> => void (server ??= await start(port));
  return {
    async before() {
      port = await findPort();
      await comeBack();
    },
    after: leave,
    async open(): Promise<ContractAgent> {
      await comeBack();
      const connection = connectAgent(mcpAt(server?.url ?? ''));
      return { connection, kind: 'server', leave, comeBack, end: nothing };
    },
  };
}

/** The names of a list of tools. */
function readNames(text: string): string {
  const { result } = JSON.parse(text) as { result: { tools: { name: string }[] } };
  return result.tools.map(({ name }) => name).join(' ');
}

const NO_METHOD = {
  request: rpc('no/such'),
  answer: '{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"Method not found"}}',
  code: '-32601',
  message: 'Method not found',
};
const RECONNECTED = 'The connection to the agent had ended, so Parley reconnected';
const event = (message: string): string => `event: message\ndata: ${message}\n\n`;
const work = (duration: number, steps: number): string =>
  call('trigger-long-running-operation', { duration, steps });
const ECHOED = '{"result":{"content":[{"type":"text","text":"Echo: hi"}]},"jsonrpc":"2.0","id":ID}';

const LEGACY = {
  peer: {
    version: '2025-11-25',
    name: 'mcp-servers/everything 2.0.0',
    capabilities: ['logging', 'completions', 'prompts', 'resources', 'tasks'],
  },
  list: {
    request: rpc('tools/list'),
    // Those that it adds once it knows what its client can do come later.
    read: (text: string) => readNames(text).split(' ').slice(0, 3).join(' '),
    answer: 'echo get-annotated-message get-env',
  },
  call: { request: call('echo', { message: 'hi' }), answer: ECHOED },
  failure: NO_METHOD,
  stream: {
    request: work(0.3, 3),
    answer:
      '{"result":{"content":[{"type":"text","text":"Long running operation completed. Duration: 0.3 seconds, Steps: 3."}]},"jsonrpc":"2.0","id":ID}',
    marks: ['"progress":1', '"progress":2', '"progress":3'],
    seen: 'bytes',
  },
  hang: { request: work(20, 1) },
  reconnected: RECONNECTED,
  speaksUnasked: true,
} as const;

const META = '"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"modern","version":"1.2.3"}}';
const modernAnswer = (text: string): string =>
  `{"result":{"content":[{"type":"text","text":"${text}"}],"resultType":"complete",${META}},"jsonrpc":"2.0","id":ID}`;

const MODERN = {
  peer: { version: '2026-07-28', name: 'modern 1.2.3', capabilities: ['logging'] },
  list: {
    request: rpc('tools/list'),
    read: readNames,
    answer: 'echo fail slow hang near confirm rhyme',
  },
  call: { request: call('echo', { message: 'hi' }), answer: modernAnswer('Echo: hi') },
  failure: NO_METHOD,
  stream: {
    request: call('slow'),
    answer: modernAnswer('done'),
    marks: ['"progress":1', '"progress":2'],
    seen: 'bytes',
  },
  hang: { request: call('hang') },
  reconnected: RECONNECTED,
} as const;

const EVERYTHING_ROWS: readonly ContractRow[] = [
  {
    name: 'the reference server of MCP 2025-11-25 as a process',
    ...LEGACY,
    ...asProcess(mcpProgram([EVERYTHING])),
  },
  {
    name: 'the reference server of MCP 2025-11-25 over Streamable HTTP',
    ...LEGACY,
    call: { ...LEGACY.call, bytes: `id: UUID\ndata: \n\nevent: message\nid: UUID\ndata: ${ECHOED}\n\n` },
    hang: { ...LEGACY.hang, begun: 'id: UUID\ndata: \n\n' },
    ...asServer(port => startEverything('streamableHttp', port)),
  },
  {
    name: 'the reference server over HTTP with a stream of events, as in MCP 2024-11-05',
    ...LEGACY,
    call: { ...LEGACY.call, bytes: event(ECHOED) },
    ...asServer(port => startEverything('sse', port)),
  },
];

const MODERN_ROWS: readonly ContractRow[] = [
  {
    name: 'a server of MCP 2026-07-28 as a process',
    ...MODERN,
    ...asProcess(mcpProgram(['test/agents/mcp/servers/modern-stdio.ts'])),
  },
  { name: 'a server of MCP 2026-07-28 over HTTP', ...MODERN, ...asServer(startModern) },
];

const say = (text: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: { message: { messageId: 'msg-1', role: 'ROLE_USER', parts: [{ text }] } },
  });

const answer = (result: string): string => `{"jsonrpc":"2.0","id":ID,"result":${result}}`;

const card = (form: 'streaming' | 'plain', place: string): string =>
  `{"name":"Planner","description":"Plans trips","version":"2.1.0","capabilities":{"streaming":${form === 'streaming'},"pushNotifications":false},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"plan","name":"Plan trips","description":"Plans","tags":["travel"]}],${place}}`;

/** What the agents of version 1.0 say, as results. */
const NEW = {
  card: (form: 'streaming' | 'plain') =>
    card(
      form,
      '"supportedInterfaces":[{"url":"ORIGIN/","protocolBinding":"JSONRPC","protocolVersion":"1.0","tenant":""}]',
    ),
  said: (text: string) =>
    `{"messageId":"reply-1","contextId":"UUID","role":"ROLE_AGENT","parts":[{"text":"${text}"}]}`,
  message: (text: string) => `{"message":${NEW.said(text)}}`,
  asked: (text: string) => `{"messageId":"UUID","role":"ROLE_USER","parts":[{"text":"${text}"}]}`,
  working: (asked: string) =>
    `{"task":{"id":"UUID","contextId":"UUID","status":{"state":"TASK_STATE_WORKING"},"history":[${NEW.asked(asked)}]}}`,
  artifact: (text: string) =>
    `{"artifactUpdate":{"taskId":"UUID","contextId":"UUID","artifact":{"artifactId":"plan","parts":[{"text":"${text}"}]},"append":true,"lastChunk":true}}`,
  completed: () =>
    '{"statusUpdate":{"taskId":"UUID","contextId":"UUID","status":{"state":"TASK_STATE_COMPLETED"}}}',
  failed: (text: string) =>
    `{"statusUpdate":{"taskId":"UUID","contextId":"UUID","status":{"state":"TASK_STATE_FAILED","message":${NEW.said(text)}}}}`,
  counted: () =>
    `{"task":{"id":"UUID","contextId":"UUID","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"plan","parts":[{"text":"one "},{"text":"two "}]}],"history":[${NEW.asked('count')}]}}`,
  hasFailed: (text: string) =>
    `{"task":{"id":"UUID","contextId":"UUID","status":{"state":"TASK_STATE_FAILED","message":${NEW.said(text)}},"history":[${NEW.asked('fail')},${NEW.said(text)}]}}`,
};

/** The same in version 0.3. */
const OLD: typeof NEW = {
  card: form => card(form, '"protocolVersion":"0.3.0","url":"ORIGIN/","preferredTransport":"JSONRPC"'),
  said: text =>
    `{"kind":"message","messageId":"reply-1","role":"agent","parts":[{"kind":"text","text":"${text}"}],"contextId":"UUID"}`,
  message: text => OLD.said(text),
  asked: text =>
    `{"kind":"message","messageId":"UUID","role":"user","parts":[{"kind":"text","text":"${text}"}]}`,
  working: asked =>
    `{"kind":"task","id":"UUID","contextId":"UUID","status":{"state":"working"},"history":[${OLD.asked(asked)}]}`,
  artifact: text =>
    `{"kind":"artifact-update","taskId":"UUID","contextId":"UUID","artifact":{"artifactId":"plan","parts":[{"kind":"text","text":"${text}"}]},"append":true,"lastChunk":true}`,
  completed: () =>
    '{"kind":"status-update","taskId":"UUID","contextId":"UUID","status":{"state":"completed"},"final":true}',
  failed: text =>
    `{"kind":"status-update","taskId":"UUID","contextId":"UUID","status":{"state":"failed","message":${OLD.said(text)}},"final":true}`,
  counted: () =>
    `{"kind":"task","id":"UUID","contextId":"UUID","status":{"state":"completed"},"history":[${OLD.asked('count')}],"artifacts":[{"artifactId":"plan","parts":[{"kind":"text","text":"one "},{"kind":"text","text":"two "}]}]}`,
  hasFailed: text =>
    `{"kind":"task","id":"UUID","contextId":"UUID","status":{"state":"failed","message":${OLD.said(text)}},"history":[${OLD.asked('fail')},${OLD.said(text)}]}`,
};

/** How the agent's card is asked for, in place of a list. */
const CARD_REQUEST = 'GET /.well-known/agent-card.json';
const A2A = { '1.0': NEW, '0.3': OLD };
/** The library writes the events of version 0.3 with the id first. */
const A2A_EVENT = {
  '1.0': (result: string) => `data: ${answer(result)}\n\n`,
  '0.3': (result: string) => `data: {"id":ID,"jsonrpc":"2.0","result":${result}}\n\n`,
};

/** An agent of the official library of A2A: it answers with a stream where its card offers one. */
function a2aRow(version: A2aVersion, form: 'streaming' | 'plain'): ContractRow {
  const words = A2A[version];
  const frame = form === 'streaming' ? A2A_EVENT[version] : answer;
  const counted = [words.working('count'), words.artifact('one '), words.artifact('two '), words.completed()];
  const failed =
    form === 'streaming'
      ? [words.working('fail'), words.failed('no trains run')]
      : [words.hasFailed('no trains run')];
  const streaming = {
    stream: {
      request: say('count'),
      answer: counted.map(frame).join(''),
      marks: counted.map(frame).map(mark => mark.trim()),
      seen: 'reported',
    },
    hang: { request: say('wait'), begun: frame(words.working('wait')) },
  } as const;
  const plain = {
    slow: { request: say('count'), answer: frame(words.counted()) },
    hang: { request: say('wait') },
  };
  return {
    name: `an agent of A2A ${version}, ${form === 'streaming' ? 'with streams' : 'without streams'}`,
    peer: { version, name: 'Planner 2.1.0', capabilities: ['Plan trips'] },
    list: { request: CARD_REQUEST, answer: words.card(form), read: withoutOrigin },
    call: { request: say('say hi'), answer: frame(words.message('Hello, Grüße')) },
    failure: { request: say('fail'), answer: failed.map(frame).join(''), message: 'no trains run' },
    ...(form === 'streaming' ? streaming : plain),
    async open(): Promise<ContractAgent> {
      const options = { version, streaming: form === 'streaming' };
      let agent = await startA2aAgent(options);
      const port = Number(new URL(agent.origin).port);
      return {
        connection: connectAgent(agentAt('a2a', agent.origin)),
        kind: 'server',
        leave: () => agent.close(),
        comeBack: async () => void (agent = await startA2aAgent({ ...options, port })),
        end: () => agent.close(),
      };
    },
  };
}

const A2A_ROWS = (['1.0', '0.3'] as const).flatMap(version => [
  a2aRow(version, 'streaming'),
  a2aRow(version, 'plain'),
]);

after(closeA2aAgents);
for (const row of [...EVERYTHING_ROWS, ...MODERN_ROWS, ...A2A_ROWS]) describeContract(row);
