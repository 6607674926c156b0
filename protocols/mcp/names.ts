/** First segments of the methods of the Model Context Protocol, all versions from 2024-11-05 to 2026-07-28. */
export const MCP_METHOD_ROOTS = [
  'completion',
  'elicitation',
  'logging',
  'notifications',
  'prompts',
  'resources',
  'roots',
  'sampling',
  'server',
  'subscriptions',
  'tasks',
  'tools',
] as const;

/** Methods without a slash. */
export const MCP_METHODS = ['initialize', 'ping'] as const;

/** Members of a result that no other protocol over JSON-RPC has. */
export const MCP_RESULT_MEMBERS = [
  '_meta',
  'content',
  'isError',
  'nextCursor',
  'protocolVersion',
  'resourceTemplates',
  'resultType',
  'structuredContent',
  'supportedVersions',
  'tools',
] as const;

/**
 * Results of methods other than tool calls, which only their members identify: the required members, and the
 * required members of each item of their list.
 */
export const MCP_BARE_RESULTS: readonly {
  readonly members: readonly string[];
  readonly items: readonly string[];
}[] = [
  { members: ['protocolVersion', 'capabilities', 'serverInfo'], items: [] },
  { members: ['supportedVersions', 'capabilities'], items: [] },
  { members: ['contents'], items: ['uri'] },
  { members: ['resources'], items: ['uri', 'name'] },
  { members: ['resourceTemplates'], items: ['uriTemplate', 'name'] },
  { members: ['roots'], items: ['uri'] },
];

/** The version for an `initialize` without one: the last version with a handshake. */
export const MCP_HANDSHAKE_VERSION = '2025-11-25';

/** The key of `params._meta` with a request's protocol version since 2026-07-28. */
export const MCP_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
