import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatSSEEvent, Message, Task, type AgentCard } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';

export type A2aVersion = '0.3' | '1.0';

/** What an agent of the official library gets and does. */
export interface A2aAgent {
  readonly origin: string;
  /** The requests that came, as `GET /path` and as the text of a POST's body. */
  readonly requests: readonly string[];
  /** The headers of the last one. */
  headers(): IncomingMessage['headers'];
  /** Ends the tasks that wait to be ended. */
  release(): Promise<void>;
  close(): Promise<void>;
}

export interface A2aAgentOptions {
  readonly version: A2aVersion;
  readonly streaming: boolean;
  /** The port that it listens at; any where it is left out. */
  readonly port?: number;
  /** Where the agent takes requests. */
  readonly path?: string;
  /** The path of its card; undefined for none. */
  readonly card?: string | undefined;
  /** What its card says in addition. */
  readonly more?: Readonly<Record<string, unknown>>;
}

const running = new Set<A2aAgent>();

/** Ends all agents of a test, also after a failure. */
export async function closeA2aAgents(): Promise<void> {
  await Promise.all([...running].map(agent => agent.close()));
  running.clear();
}

const SKILL = { id: 'plan', name: 'Plan trips', description: 'Plans', tags: ['travel'] };

/** The card as an agent of a version publishes it. */
function writeCard(origin: string, { version, streaming, path = '/', more = {} }: A2aAgentOptions): object {
  const common = {
    name: 'Planner',
    description: 'Plans trips',
    version: '2.1.0',
    capabilities: { streaming, pushNotifications: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [SKILL],
  };
  const url = `${origin}${path}`;
  return version === '0.3'
    ? { ...common, protocolVersion: '0.3.0', url, preferredTransport: 'JSONRPC', ...more }
    : {
        ...common,
        supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
        ...more,
      };
}

/** Starts an agent of the official library on this computer. What it does is the first word of a message. */
export async function startA2aAgent(options: A2aAgentOptions): Promise<A2aAgent> {
  const { version, path = '/', port = 0 } = options;
  const card = 'card' in options ? options.card : '/.well-known/agent-card.json';
  const requests: string[] = [];
  const executor = new Executor();
  let headers: IncomingMessage['headers'] = {};
  let handle: (body: string, context: ServerCallContext) => Promise<unknown> = () => Promise.resolve();
  const server = createServer((request, response) => {
    headers = request.headers;
    const at = request.url ?? '';
    if (request.method === 'GET') {
      requests.push(`GET ${at}`);
      response.writeHead(at === card ? 200 : 404, { 'Content-Type': 'application/json' });
      response.end(at === card ? JSON.stringify(writeCard(origin, options)) : '{"error":"no such page"}');
      return;
    }
    void readBody(request).then(body => {
      requests.push(body);
      if (at !== path) return void response.writeHead(404).end('no such page');
      void answer(response, handle(body, new ServerCallContext({ requestedVersion: version })));
    });
  });
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const described = {
    ...writeCard(origin, { ...options, version: '1.0' }),
    securityRequirements: [],
    securitySchemes: {},
    signatures: [],
  } as unknown as AgentCard;
  const handler = new DefaultRequestHandler(described, executor.store, executor);
  const transport =
    version === '0.3' ? new LegacyJsonRpcTransportHandler(handler) : new JsonRpcTransportHandler(handler);
  handle = (body, context) => transport.handle(body, context);
  const agent: A2aAgent = {
    origin,
    requests,
    headers: () => headers,
    release: () => executor.release(),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  running.add(agent);
  return agent;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

async function answer(response: ServerResponse, handled: Promise<unknown>): Promise<void> {
  const result = await handled;
  if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for await (const event of result as AsyncIterable<unknown>) response.write(formatSSEEvent(event));
    response.end();
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(result));
}

type Parts = readonly Readonly<Record<string, unknown>>[];
type State = 'WORKING' | 'COMPLETED' | 'FAILED' | 'INPUT_REQUIRED' | 'CANCELED';

/** Does what the first word of a message says. */
class Executor {
  readonly store = new InMemoryTaskStore();
  readonly #cancelled = new Set<string>();
  readonly #waiting: (() => Promise<void>)[] = [];

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, userMessage } = context;
    const [part] = userMessage.parts;
    const words = part?.content?.$case === 'text' ? part.content.value : 'echo';
    const turn = new Turn(taskId, contextId);
    if (context.task) {
      bus.publish(turn.task('WORKING'));
      bus.publish(turn.artifact(`Then it is ${words}`));
      bus.publish(turn.status('COMPLETED'));
    } else if (words.startsWith('say')) {
      bus.publish(turn.message([{ text: 'Hello, Grüße' }]));
    } else if (words.startsWith('work')) {
      bus.publish(turn.task('WORKING'));
      bus.publish(turn.artifact('Day 1: '));
      bus.publish(turn.artifact('Louvre', true));
      bus.publish(turn.status('COMPLETED'));
    } else if (words.startsWith('count')) {
      bus.publish(turn.task('WORKING'));
      for (const part of ['one ', 'two ']) {
        await new Promise(resolve => setTimeout(resolve, 50));
        bus.publish(turn.artifact(part, true));
      }
      await new Promise(resolve => setTimeout(resolve, 50));
      bus.publish(turn.status('COMPLETED'));
    } else if (words.startsWith('fail')) {
      bus.publish(turn.task('WORKING'));
      bus.publish(turn.status('FAILED', 'no trains run'));
    } else if (words.startsWith('ask')) {
      bus.publish(turn.task('WORKING'));
      bus.publish(turn.status('INPUT_REQUIRED', 'Which city?'));
    } else if (words.startsWith('break')) {
      bus.publish(turn.task('WORKING'));
      this.#waiting.push(() => this.#complete(context, turn));
    } else if (words.startsWith('wait')) {
      bus.publish(turn.task('WORKING'));
      await new Promise<void>(resolve => {
        this.#waiting.push(() => Promise.resolve(resolve()));
        this.#stop = resolve;
      });
      if (!this.#cancelled.has(taskId)) bus.publish(turn.status('COMPLETED', 'waited'));
    } else {
      const sent = Message.toJSON(userMessage) as { readonly parts: Parts };
      bus.publish(turn.message([{ data: { got: sent.parts } }]));
    }
    bus.finished();
  }

  readonly cancelTask = async (taskId: string, bus: ExecutionEventBus): Promise<void> => {
    this.#cancelled.add(taskId);
    const stored = await this.store.load(taskId, new ServerCallContext());
    bus.publish(new Turn(taskId, stored?.contextId ?? '').status('CANCELED'));
    this.#stop();
    bus.finished();
  };

  async release(): Promise<void> {
    for (const end of this.#waiting.splice(0)) await end();
  }

  #stop: () => void = () => undefined;

  /** The task ends although no stream is open. */
  async #complete({ context }: RequestContext, turn: Turn): Promise<void> {
    await this.store.save(Task.fromJSON(turn.whole('COMPLETED', 'Done at last')), context);
  }
}

/** Writes the events of one turn. */
class Turn {
  readonly #taskId: string;
  readonly #contextId: string;

  constructor(taskId: string, contextId: string) {
    this.#taskId = taskId;
    this.#contextId = contextId;
  }

  message(parts: Parts): ReturnType<typeof AgentEvent.message> {
    return AgentEvent.message(Message.fromJSON(this.#say(parts)));
  }

  whole(state: State, said?: string): object {
    const message = said === undefined ? {} : { message: this.#say([{ text: said }]) };
    return {
      id: this.#taskId,
      contextId: this.#contextId,
      status: { state: `TASK_STATE_${state}`, ...message },
    };
  }

  task(state: State): ReturnType<typeof AgentEvent.task> {
    return AgentEvent.task(Task.fromJSON(this.whole(state)));
  }

  status(state: State, said?: string): ReturnType<typeof AgentEvent.statusUpdate> {
    const { status } = Task.fromJSON(this.whole(state, said));
    return AgentEvent.statusUpdate({
      taskId: this.#taskId,
      contextId: this.#contextId,
      status,
      metadata: undefined,
    });
  }

  artifact(text: string, append = false): ReturnType<typeof AgentEvent.artifactUpdate> {
    const { artifacts } = Task.fromJSON({ artifacts: [{ artifactId: 'plan', parts: [{ text }] }] });
    return AgentEvent.artifactUpdate({
      taskId: this.#taskId,
      contextId: this.#contextId,
      artifact: artifacts[0],
      append,
      lastChunk: append,
      metadata: undefined,
    });
  }

  #say(parts: Parts): object {
    return { messageId: 'reply-1', role: 'ROLE_AGENT', contextId: this.#contextId, parts };
  }
}
