import type { RuleRow } from './rule-row.ts';

/** Rules for requests in JSON. The examples are files of MCP, `x.mcp.jsonc`. */
export const AGENT_JSON_RULES = [
  {
    code: 'agent-json/broken-json',
    severity: 'error',
    title: 'Broken JSON',
    explanation:
      'The text is not JSON, so it is not sent. Comments and a comma after the last member are allowed: they are removed before sending.',
    good: [
      '// A comment\n{"method": "ping", /* another one */}',
      '[\n  {"method": "ping"},\n  {"method": "tools/list"},\n]',
    ],
    bad: ['{"method" «"ping"»}', '{"method": «ping»}'],
  },
  {
    code: 'agent-json/duplicate-member',
    severity: 'error',
    title: 'Two members of one name',
    explanation:
      'Receivers differ in which of two members with one name counts, so such a request is not sent. Remove one of them.',
    good: ['{"method": "ping", "params": {"_meta": {"a": {"b": 1}, "b": 2}}}'],
    bad: ['{"method": "ping", «"method"»: "ping"}'],
  },
  {
    code: 'agent-json/no-request',
    severity: 'error',
    title: 'A value that is no request',
    explanation: 'A request is a JSON object; an array holds several, which are sent one after the other.',
    good: ['{"method": "ping"}', '[{"method": "ping"}, {"method": "ping"}]'],
    bad: ['«"ping"»', '[{"method": "ping"}, «1»]'],
  },
  {
    code: 'agent-json/other-protocol',
    severity: 'error',
    title: 'A method of another protocol',
    explanation:
      'The name of a file, such as `x.mcp.jsonc` or `x.a2a.json`, says which protocol its requests are written in. This method is one of another protocol.',
    good: ['{"method": "resources/list"}'],
    bad: [
      '{"method": «"message/send"», "params": {"message": {"role": "user", "parts": [], "messageId": "1"}}}',
    ],
  },
  {
    code: 'agent-json/unknown-method',
    severity: 'warning',
    title: 'A method that the protocol does not have',
    explanation:
      'The protocol defines no such method. An agent may have methods of its own; if not, it answers with an error.',
    good: ['{"method": "tools/list"}'],
    bad: ['{"method": «"tools/lists"»}', '{"method": «"do/something"»}'],
  },
  {
    code: 'agent-json/unknown-tool',
    severity: 'warning',
    title: 'A tool that the agent does not list',
    explanation: 'The agent listed its tools, and this one is not among them.',
    schema: '{"type":"object","properties":{"n":{"type":"integer"}}}',
    good: ['{"method": "tools/call", "params": {"name": "t"}}'],
    bad: ['{"method": "tools/call", "params": {"name": «"tt"»}}'],
  },
  {
    code: 'agent-json/schema',
    severity: 'warning',
    title: 'A request that does not fit its schema',
    explanation:
      'The protocol defines what its requests hold, and an agent reports the JSON Schema of the arguments of each tool. Agents usually answer such a request with an error.',
    schema: '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}',
    good: ['{"method": "tools/call", "params": {"name": "t", "arguments": {"n": 1}}}'],
    bad: [
      '{"method": "tools/call", "params": {"name": "t", "arguments": {"n": «"1"»}}}',
      '{"method": "tools/call", "params": {"name": "t", "arguments": «{»}}}',
      '{"method": «"resources/read"»}',
      '{"method": "resources/read", "params": {"uri": «1»}}',
    ],
  },
] as const satisfies readonly RuleRow[];

export type AgentJsonRuleCode = (typeof AGENT_JSON_RULES)[number]['code'];
