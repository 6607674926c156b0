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
