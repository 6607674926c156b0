import { ANY_OBJECT, objectOf, oneOf, rpcRequest, TEXT, text } from '../request-schema.ts';

const CURSOR = objectOf({ cursor: text('Where the next page begins, as the page before it says.') });
const NAME = text('The name, as the server lists it.');
const TEXTS = { type: 'object', additionalProperties: TEXT };

/** The requests that a client sends to an MCP server (versions 2024-11-05 to 2026-07-28). */
export const MCP_REQUESTS = rpcRequest({
  'tools/call': {
    summary: 'Calls a tool with its arguments.',
    params: objectOf(
      { name: NAME, arguments: { type: 'object', description: 'The arguments of the tool.' } },
      ['name'],
    ),
  },
  'tools/list': { summary: 'Lists the tools of the server.', params: CURSOR },
  'resources/list': { summary: 'Lists the resources of the server.', params: CURSOR },
  'resources/templates/list': { summary: 'Lists the URI templates of resources.', params: CURSOR },
  'resources/read': {
    summary: 'Reads a resource.',
    params: objectOf({ uri: text('The URI of the resource.') }, ['uri']),
  },
  'resources/subscribe': {
    summary: 'Asks for notifications when a resource changes.',
    params: objectOf({ uri: text('The URI of the resource.') }, ['uri']),
  },
  'resources/unsubscribe': {
    summary: 'Ends the notifications about a resource.',
    params: objectOf({ uri: text('The URI of the resource.') }, ['uri']),
  },
  'prompts/list': { summary: 'Lists the prompts of the server.', params: CURSOR },
  'prompts/get': {
    summary: 'Gets a prompt with its arguments filled in.',
    params: objectOf(
      { name: NAME, arguments: { ...TEXTS, description: 'The arguments of the prompt: texts.' } },
      ['name'],
    ),
  },
  'completion/complete': {
    summary: 'Completes the value of an argument of a prompt or a resource template.',
    params: objectOf(
      {
        ref: objectOf({ type: oneOf('ref/prompt', 'ref/resource'), name: NAME, uri: TEXT }, ['type']),
        argument: objectOf({ name: TEXT, value: text('What is typed so far.') }, ['name', 'value']),
        context: objectOf({ arguments: TEXTS }),
      },
      ['ref', 'argument'],
    ),
  },
  'logging/setLevel': {
    summary: 'Sets from which level on the server sends log messages.',
    params: objectOf(
      { level: oneOf('debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency') },
      ['level'],
    ),
  },
  ping: { summary: 'Checks that the server answers.' },
  initialize: {
    summary: 'Begins a session. Parley sends this by itself.',
    params: objectOf({ protocolVersion: TEXT, capabilities: ANY_OBJECT, clientInfo: ANY_OBJECT }, [
      'protocolVersion',
    ]),
  },
  'server/discover': { summary: 'Asks what the server can do. Parley sends this by itself.' },
  'tasks/get': {
    summary: 'Asks for the state of a task.',
    params: objectOf({ taskId: TEXT }, ['taskId']),
  },
  'tasks/result': {
    summary: 'Waits for the result of a task.',
    params: objectOf({ taskId: TEXT }, ['taskId']),
  },
  'tasks/cancel': { summary: 'Cancels a task.', params: objectOf({ taskId: TEXT }, ['taskId']) },
  'tasks/list': { summary: 'Lists the tasks of the server.', params: CURSOR },
  'notifications/cancelled': {
    summary: 'Cancels a request.',
    params: objectOf({ requestId: { type: ['string', 'number'] }, reason: TEXT }),
  },
  'notifications/progress': {
    summary: 'Reports progress on a request.',
    params: objectOf({ progressToken: { type: ['string', 'number'] }, progress: { type: 'number' } }, [
      'progressToken',
    ]),
  },
  'notifications/roots/list_changed': { summary: 'Reports that the folders of the client changed.' },
  'notifications/initialized': {
    summary: 'Reports that the session is initialized. Parley sends this by itself.',
  },
});
