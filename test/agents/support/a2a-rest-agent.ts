import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Message, Part, Task, type AgentCard } from '@a2a-js/sdk';
import { createLegacyAwarePushNotificationSender } from '@a2a-js/sdk/compat/v0_3/server';
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { restHandler, UserBuilder } from '@a2a-js/sdk/server/express';

/** An agent of the official library that speaks the HTTP+JSON form alone, of both versions. */
export interface RestAgent {
  readonly origin: string;
  /** Its card for an origin and a version. */
  cardAt(origin: string, version: '0.3' | '1.0'): AgentCard;
}

type Handle = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const running = new Set<Server>();

export async function closeRestAgents(): Promise<void> {
  for (const server of running) {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  }
  running.clear();
}

export async function startRestAgent(): Promise<RestAgent> {
  let handle: Handle = (_request, _response, next) => next();
  const server = createServer((request, response) => {
    handle(withQuery(request), withJson(response), () => void response.writeHead(404).end());
  });
  running.add(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = new InMemoryPushNotificationStore();
  const requestHandler = new DefaultRequestHandler(
    writeCard(origin, ['1.0', '0.3']),
    new InMemoryTaskStore(),
    new Executor(),
    undefined,
    store,
    createLegacyAwarePushNotificationSender(store),
  );
  // Its types are those of Express, which nobody here has.
  const handler: unknown = restHandler({
    requestHandler,
    userBuilder: UserBuilder.noAuthentication,
    legacyCompat: { enabled: true },
  });
  handle = handler as Handle;
  return { origin, cardAt: (at, version) => writeCard(at, [version]) };
}

/** What the library's handler wants of a request and a response, which Express has on them. */
function withQuery(request: IncomingMessage): IncomingMessage {
  const { searchParams } = new URL(request.url ?? '/', 'http://agent');
  const header = (name: string): unknown => request.headers[name.toLowerCase()];
  return Object.assign(request, { query: Object.fromEntries(searchParams), header });
}

function withJson(response: ServerResponse): ServerResponse {
  return Object.assign(response, {
    status(code: number) {
      response.statusCode = code;
      return response;
    },
    json(body: unknown) {
      if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify(body));
    },
  });
}

function writeCard(origin: string, versions: readonly string[]): AgentCard {
  return {
    name: 'Planner',
    description: 'Plans trips',
    version: '1',
    capabilities: { streaming: true, pushNotifications: true, extensions: [] },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    supportedInterfaces: versions.map(protocolVersion => ({
      url: origin,
      protocolBinding: 'HTTP+JSON',
      protocolVersion,
      tenant: '',
    })),
    securityRequirements: [],
    securitySchemes: {},
    signatures: [],
  } as unknown as AgentCard;
}

/** Parts of each kind; the data look like the wrapper that version 0.3 has around data. */
const PARTS = [
  { text: 'Louvre' },
  { data: { data: { days: 2 } } },
  { url: 'https://a.example/plan.png', mediaType: 'image/png' },
];

/** Does what the first word of a message says. */
class Executor implements AgentExecutor {
  async execute({ taskId, contextId, userMessage }: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const [part] = userMessage.parts;
    const words = part?.content?.$case === 'text' ? part.content.value : '';
    const status = (state: string, said: string): object => ({
      state: `TASK_STATE_${state}`,
      message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: said }] },
    });
    if (words.startsWith('say')) {
      bus.publish(
        AgentEvent.message(
          Message.fromJSON({
            messageId: 'm',
            contextId,
            role: 'ROLE_AGENT',
            parts:
              words === 'say hello' ? [{ text: 'Hello' }] : userMessage.parts.map(part => Part.toJSON(part)),
          }),
        ),
      );
    } else {
      const task = Task.fromJSON({
        id: taskId,
        contextId,
        status: status('WORKING', 'On it'),
        artifacts: [
          { artifactId: 'plan', name: 'plan', parts: words.includes('parts') ? PARTS : [{ text: 'Louvre' }] },
        ],
      });
      bus.publish(AgentEvent.task({ ...task, artifacts: [] }));
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          artifact: task.artifacts[0],
          append: false,
          lastChunk: true,
          metadata: undefined,
        }),
      );
      const end = words.startsWith('fail') ? status('FAILED', 'no trains run') : status('COMPLETED', 'Done');
      const { status: ended } = Task.fromJSON({ id: taskId, contextId, status: end });
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: ended, metadata: undefined }));
    }
    bus.finished();
    return Promise.resolve();
  }

  cancelTask = (): Promise<void> => Promise.resolve();
}
