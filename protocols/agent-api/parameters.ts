import {
  BOOLEAN,
  INTEGER,
  integerWithin,
  NUMBER,
  parameter,
  TEXT,
  TEXTS,
  TOOLS,
  type Parameter,
} from '../conversation/parameters.ts';

/** The parameters of a request besides its input and session (Agent API, "Request Models"). */
export const AGENT_API_PARAMETERS: readonly Parameter[] = [
  parameter('model', TEXT),
  parameter('stream', BOOLEAN),
  parameter('top_p', NUMBER),
  parameter('temperature', NUMBER),
  parameter('frequency_penalty', NUMBER),
  parameter('presence_penalty', NUMBER),
  parameter('max_tokens', INTEGER),
  parameter('stop', TEXTS),
  parameter('n', integerWithin(1, 5)),
  parameter('seed', INTEGER),
  parameter('tools', TOOLS),
  parameter('response_id', TEXT),
];
