/** What agents of benchmarks answer: bytes written by hand, which no code of ours has printed. */

/** A result of AICL. */
export const AICL_REPLY =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:task_result],[s:status]:[s:completed],[s:data]:[i:3]]\n';

/** A message of AICL with a text in it. */
export function writeAiclText(text: string): string {
  return `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:task_result],[s:status]:[s:completed],[s:data]:[s:${text}]]\n`;
}

/** A card of A2A in version 0.3, with `URL` in the place of its address. */
export const A2A_CARD =
  '{"protocolVersion":"0.3.0","name":"bench","description":"","url":"URL","version":"1","capabilities":{"streaming":true},"skills":[],"defaultInputModes":["text"],"defaultOutputModes":["text"]}';

/** The answer to a request of MCP in its version of 2025-06-18; undefined for a notification. */
export function answerMcp(body: string): string | undefined {
  const method = /"method":"([^"]*)"/.exec(body)?.[1] ?? '';
  if (method.startsWith('notifications/')) return undefined;
  const answer = MCP_ANSWERS[method] ?? '"error":{"code":-32601,"message":"Method not found"}';
  return `{"jsonrpc":"2.0","id":${idOf(body)},${answer}}`;
}

const MCP_ANSWERS: Readonly<Record<string, string>> = {
  initialize:
    '"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1"}}',
  'tools/list':
    '"result":{"tools":[{"name":"math.add","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}}}}]}',
  'tools/call': '"result":{"content":[{"type":"text","text":"3"}]}',
};

/** An event of MCP that tells how far a call has come. */
export function writeMcpProgress(progress: number, text: string): string {
  return `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":${progress},"message":"${text}"}}\n\n`;
}

/** An event of a stream of A2A: a message, a piece of an artifact, or the end of its task. */
export function writeA2aEvent(body: string, kind: 'message' | 'artifact' | 'end', text: string): string {
  const part = `"parts":[{"kind":"text","text":"${text}"}]`;
  const results = {
    message: `{"kind":"message","role":"agent","messageId":"m","contextId":"c",${part}}`,
    artifact: `{"kind":"artifact-update","taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a",${part}}}`,
    end: '{"kind":"status-update","taskId":"t","contextId":"c","status":{"state":"completed"},"final":true}',
  };
  return `data: {"jsonrpc":"2.0","id":${idOf(body)},"result":${results[kind]}}\n\n`;
}

/** The id of a request, as it stands there. */
function idOf(body: string): string {
  return /"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? '1';
}
