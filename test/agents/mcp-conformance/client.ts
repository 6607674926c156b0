/**
 * The client that the conformance suite starts: `node client.ts URL`, with the scenario in the environment. It speaks through
 * our connection, as the extension and the command line do, and exits with 1 where a call failed.
 */
import type { Reply } from '../../../agents/connection.ts';
import type { AgentQuestions } from '../../../core/message/message.ts';
import { connectMcp } from '../../../agents/mcp/connection.ts';
import { agentAt } from '../support/send.ts';
import { openHeadlessHost } from './headless-host.ts';

/** What each scenario wants to see; tools are called after the list of tools was asked for. */
const TOOLS: Readonly<Record<string, { readonly name: string; readonly arguments: object }>> = {
  tools_call: { name: 'add_numbers', arguments: { a: 5, b: 3 } },
  'elicitation-sep1034-client-defaults': { name: 'test_client_elicitation_defaults', arguments: {} },
  'sse-retry': { name: 'test_reconnection', arguments: {} },
};

/** A user who sends a form as it is shown. */
const QUESTIONS: AgentQuestions = {
  fillForm: () => Promise.resolve({ action: 'accept', content: {} }),
  openAddress: () => Promise.resolve('decline'),
  writeText: () => Promise.resolve(undefined),
  approve: () => Promise.resolve(false),
  listRoots: () => Promise.resolve([]),
};

const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Record<string, string>;
const connection = connectMcp(agentAt('mcp', process.argv[2] ?? '', { oauth: readOAuth() }), {
  signIn: openHeadlessHost(),
});
const tool =
  TOOLS[scenario] ?? (scenario.startsWith('auth/') ? { name: 'test-tool', arguments: {} } : undefined);
const replies = [await send('tools/list', {})];
if (tool && replies[0]?.status === 'ok') replies.push(await send('tools/call', tool));
await connection.close();
for (const { status, code, message } of replies)
  process.stdout.write(`${status} ${code ?? ''} ${message ?? ''}\n`);
process.exitCode = replies.every(({ status }) => status === 'ok') ? 0 : 1;

function send(method: string, params: object): Promise<Reply> {
  const note = (text: string): void => void process.stdout.write(`note ${text}\n`);
  return connection.send(
    { wireText: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), questions: QUESTIONS },
    { head: () => undefined, bytes: () => undefined, note, progress: () => undefined },
    new AbortController().signal,
  );
}

/** What a user would write into agents.json. */
function readOAuth(): { clientId?: string; clientSecret?: string } {
  // The suite knows us by this address where we say that a document tells of us.
  if (scenario === 'auth/basic-cimd')
    return { clientId: 'https://conformance-test.local/client-metadata.json' };
  const { client_id: clientId, client_secret: clientSecret } = context;
  return { ...(clientId ? { clientId } : {}), ...(clientSecret ? { clientSecret } : {}) };
}
