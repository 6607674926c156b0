import { objectOf, rpcRequest, text } from '../request-schema.ts';

const RPC = rpcRequest({});

/** The requests of AIO-MCP 1.2.1: each method is one of an agent, which lists them in its `help`. */
export const AIO_REQUESTS = {
  ...RPC,
  request: {
    ...RPC.request,
    ...objectOf(
      {
        method: text('The agent and its method, such as `agent::help`.'),
        trace_id: text('The trace; filled in where it is missing.'),
      },
      ['method'],
    ),
  },
};
