/** The official client library: a separate file beside the bundle (dist/mcp.js) that is loaded at the first call. */
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
