/** The schemes in which agents propagate trace identity (reading of trace identity, section 7). */
export const TRACE_SCHEMES = [
  // W3C trace context: `00-TRACE-PARENT-FLAGS` in `traceparent`, a header and a key of MCP's `_meta`.
  'w3c',
  // AIO: `trace_id` at the top of a message, beside its `id`.
  'aio',
  // OpenStarry: a trace id and a depth in headers, or as plain keys in `params._meta` if there are no headers.
  'openstarry',
  // A2A: the id of a task. Calls with the same task belong to one trace, but none is the parent of another.
  'a2a',
] as const;

export type TraceScheme = (typeof TRACE_SCHEMES)[number];

/** The scheme of call chains, whose names have the depth that the recursion guard checks. */
export const CHAIN_SCHEME = 'openstarry' satisfies TraceScheme;

/** The scheme whose trace id is a member of the message. */
export const MESSAGE_SCHEME = 'aio' satisfies TraceScheme;

/** Schemes whose identifiers may occur in several traces. */
export const MANY_TRACES: ReadonlySet<string> = new Set(['a2a'] satisfies readonly TraceScheme[]);

/** True for an id that one task has: Parley gives each of its ids to one, and agents of A2A theirs. */
export function isOfTask(scheme: TraceScheme, trace: string): boolean {
  return MANY_TRACES.has(scheme) || (scheme === MESSAGE_SCHEME && AIO_NAMES.ownTraceId.test(trace));
}

/** The maximum number of calls above a call that the recursion guard allows (reading of OpenStarry, section 5). */
export const DEEPEST_CALL = 5;

/** How AIO-MCP writes identifiers in text (reading of AIO-MCP 4): `trace_id#id` is one call in the graph of a trace. */
export const AIO_NAMES = {
  /** A trace id that is not part of a longer word: a date and what distinguishes the trace on that date. */
  traceId: '(?<![A-Za-z0-9_.-])AIO-TR-\\d{8}-[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9_])?',
  /** The trace ids that Parley gives: the milliseconds of the day and six random digits. */
  ownTraceId: /^AIO-TR-\d{8}-\d{14}$/,
  /** The id after the `#`; a full stop at its end belongs to the sentence. */
  id: '[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9_])?(?![A-Za-z0-9_])',
  /** The maximum length of an identifier, which bounds the search. */
  longest: 220,
  example: 'AIO-TR-20250131-0001#1',
} as const;

/**
 * OpenTelemetry attributes that are read and written, from its semantic conventions 1.38 (generative AI, MCP,
 * HTTP, RPC and general attributes). `parley.*` are our own.
 */
export const TELEMETRY = {
  agentName: 'gen_ai.agent.name',
  operation: 'gen_ai.operation.name',
  toolName: 'gen_ai.tool.name',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  conversation: 'gen_ai.conversation.id',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  provider: 'gen_ai.provider.name',
  /** The name of `provider` up to version 1.36. */
  system: 'gen_ai.system',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  /** The names of the two token counts up to version 1.26. */
  promptTokens: 'gen_ai.usage.prompt_tokens',
  completionTokens: 'gen_ai.usage.completion_tokens',
  mcpMethod: 'mcp.method.name',
  mcpSession: 'mcp.session.id',
  errorType: 'error.type',
  exceptionMessage: 'exception.message',
  httpStatus: 'http.response.status_code',
  grpcStatus: 'rpc.grpc.status_code',
  requestSize: 'http.request.body.size',
  responseSize: 'http.response.body.size',
  serviceName: 'service.name',
  peerService: 'peer.service',
  serverAddress: 'server.address',
  peerName: 'net.peer.name',
  rpcSystem: 'rpc.system',
  rpcService: 'rpc.service',
  /** Facts about a call for which there is no other attribute, as JSON text. */
  call: 'parley.call',
  /** The number of chunks in which the reply arrived. */
  chunks: 'parley.chunks',
  /** The attributes that we added to those that the call already had. */
  added: 'parley.added',
} as const;

/** The kind of callee for values of `gen_ai.operation.name`. */
export const TELEMETRY_OPERATIONS = {
  create_agent: 'agent',
  invoke_agent: 'agent',
  execute_tool: 'tool',
  chat: 'model',
  embeddings: 'model',
  generate_content: 'model',
  text_completion: 'model',
} as const;

/** Kinds of spans, by their numbers in OTLP. */
export const SPAN_KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

export type SpanKind = (typeof SPAN_KINDS)[number];
