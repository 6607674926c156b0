/** The official client library: a file of its own beside the bundle (dist/mcp.js), which is read at the first call. */
export {
  Client,
  IssuerMismatchError,
  SSEClientTransport,
  SUPPORTED_PROTOCOL_VERSIONS,
  StreamableHTTPClientTransport,
  auth,
  computeScopeUnion,
  discoverAuthorizationServerMetadata,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  parseJSONRPCMessage,
  type AuthOptions,
  type AuthResult,
} from '@modelcontextprotocol/client';
