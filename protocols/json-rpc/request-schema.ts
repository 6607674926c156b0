import { ANY_OBJECT, described, objectOf, rpcRequest, text } from '../request-schema.ts';

const TOOL = text('The name of the tool.');

/** The requests of the twin endpoint of AICF (AICF-RPC 1.0, "Dual Protocol Support"). */
export const JSON_RPC_REQUESTS = rpcRequest({
  'aip.tool.invoke': {
    summary: 'Calls a tool with its arguments.',
    params: objectOf({ tool: TOOL, arguments: described(ANY_OBJECT, 'The arguments of the tool.') }, [
      'tool',
    ]),
  },
  'aip.capabilities.list': {
    summary: 'Lists the tools, or describes one.',
    params: objectOf({ tool: TOOL }),
  },
  'aip.handshake': { summary: 'Agrees on a version.', params: objectOf({ version: text('A version.') }) },
});
