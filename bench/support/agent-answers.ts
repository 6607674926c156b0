/** Replies of benchmark agents, written by hand and not by the code under test. */

/** An AICL result. */
export const AICL_REPLY =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:result],[s:data]:[i:3]]\n';

/** An AICL message that contains a text. */
export function writeAiclText(text: string): string {
  return `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:result],[s:data]:[s:${text}]]\n`;
}

/** An A2A 0.3 agent card with `URL` instead of its URL. */
export const A2A_CARD =
  '{"protocolVersion":"0.3.0","name":"bench","description":"","url":"URL","version":"1","capabilities":{"streaming":true},"skills":[],"defaultInputModes":["text"],"defaultOutputModes":["text"]}';

/** The reply to an MCP request, in version 2025-06-18; undefined for a notification. */
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

/** An MCP progress notification as an event. */
export function writeMcpProgress(progress: number, text: string): string {
  return `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":${progress},"message":"${text}"}}\n\n`;
}

/** An A2A stream event: a message, a part of an artifact, or the end of the task. */
export function writeA2aEvent(body: string, kind: 'message' | 'artifact' | 'end', text: string): string {
  const part = `"parts":[{"kind":"text","text":"${text}"}]`;
  const results = {
    message: `{"kind":"message","role":"agent","messageId":"m","contextId":"c",${part}}`,
    artifact: `{"kind":"artifact-update","taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a",${part}}}`,
    end: '{"kind":"status-update","taskId":"t","contextId":"c","status":{"state":"completed"},"final":true}',
  };
  return `data: {"jsonrpc":"2.0","id":${idOf(body)},"result":${results[kind]}}\n\n`;
}

/** The reply of a protocol that contains a text; undefined for a notification. */
export function writeText(protocol: string, body: string, text: string): string | undefined {
  switch (protocol) {
    case 'aicl':
      return writeAiclText(text);
    case 'aicf':
      return `OK|${text}\n`;
    case 'json-rpc':
      return `{"jsonrpc":"2.0","id":${idOf(body)},"result":{"success":true,"data":"${text}"}}`;
    case 'aio':
      return `{"id":${idOf(body)},"trace_id":"t","from":"bench","result":"${text}"}`;
    case 'mcp':
      return answerMcp(body)?.replace(/"3"/, JSON.stringify(text));
    case 'a2a':
      return writeA2aEvent(body, 'message', text);
    case 'agent-api':
      return `${AGENT_API_EVENT}"object":"content","type":"text","status":"completed","index":0,"delta":false,"msg_id":"m","text":"${text}"}\n\n${AGENT_API_EVENT}"object":"response","id":"r","status":"completed"}\n\n`;
    default:
      return `data: {"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"${text}"}\n\ndata: {"type":"response.completed","response":{"id":"r","object":"response","status":"completed","output":[{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","text":"${text}","annotations":[]}]}]}}\n\n`;
  }
}

const AGENT_API_EVENT = 'data: {"sequence_number":0,';

/** The id of a request in its source form. */
function idOf(body: string): string {
  return /"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? '1';
}
