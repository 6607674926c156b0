/** The official client library: a file of its own beside the bundle (dist/a2a.js), which is read at the first call. */
export { SendMessageRequest, type AgentCard } from '@a2a-js/sdk';
export {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type Client,
} from '@a2a-js/sdk/client';
