/** The official client library: a separate file beside the bundle (dist/a2a.js) that is loaded at the first call. */
export { SendMessageRequest, type AgentCard } from '@a2a-js/sdk';
export {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type Client,
} from '@a2a-js/sdk/client';
