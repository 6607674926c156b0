import { setTimeout as sleep } from 'node:timers/promises';
import {
  McpServer,
  acceptedContent,
  fromJsonSchema,
  inputRequired,
  type JsonSchemaType,
} from '@modelcontextprotocol/server';

/** A server of MCP 2026-07-28 by the official library, which serves older versions too. */
export function makeServer(): McpServer {
  const server = new McpServer(
    { name: 'modern', version: '1.2.3' },
    { capabilities: { tools: { listChanged: true }, logging: {} } },
  );
  const text = (said: string, more = {}): { content: { type: 'text'; text: string }[] } => ({
    content: [{ type: 'text', text: said }],
    ...more,
  });
  const schema = (properties: Record<string, JsonSchemaType>) =>
    fromJsonSchema<Record<string, unknown>>({
      type: 'object',
      properties,
      required: Object.keys(properties),
    });
  server.registerTool(
    'echo',
    { description: 'Says it again', inputSchema: schema({ message: { type: 'string' } }) },
    args => text(`Echo: ${String(args['message'])}`),
  );
  server.registerTool('fail', { description: 'Fails' }, () => text('no such file', { isError: true }));
  server.registerTool('slow', { description: 'Tells its progress' }, async ctx => {
    const token = ctx.mcpReq._meta?.progressToken;
    for (const progress of [1, 2]) {
      if (token !== undefined)
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: token, progress, total: 2 },
        });
      // Chunks of one turn are stored as one.
      await sleep(20);
    }
    return text('done');
  });
  server.registerTool('hang', { description: 'Never answers' }, ctx => {
    process.stderr.write('hanging\n');
    return new Promise(resolve => {
      ctx.mcpReq.signal.addEventListener('abort', () => {
        process.stderr.write('aborted\n');
        resolve(text('aborted'));
      });
    });
  });
  server.registerTool(
    'near',
    {
      description: 'Wants its region in a header too',
      inputSchema: schema({ region: { type: 'string', 'x-mcp-header': 'Region' } as JsonSchemaType }),
    },
    args => text(`near ${String(args['region'])}`),
  );
  const confirmation = schema({ confirm: { type: 'boolean' } });
  server.registerTool('confirm', { description: 'Asks first' }, ctx => {
    const confirmed = acceptedContent(ctx.mcpReq.inputResponses, 'confirm');
    if (confirmed) return text(`confirmed: ${JSON.stringify(confirmed)}`);
    return inputRequired({
      inputRequests: {
        confirm: inputRequired.elicit({ message: 'Really?', requestedSchema: confirmation }),
      },
    });
  });
  server.registerTool('rhyme', { description: 'Asks for a text of a model' }, () =>
    inputRequired({
      inputRequests: {
        rhyme: inputRequired.createMessage({
          messages: [{ role: 'user', content: { type: 'text', text: 'Rhyme' } }],
          maxTokens: 9,
        }),
      },
    }),
  );
  return server;
}
