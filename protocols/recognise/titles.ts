/** The title of a request that ends a session of MCP. */
export const END_SESSION = 'end session';

/** The title of a request for the card of an A2A agent. */
export const AGENT_CARD = 'agent card';
