import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentConfig } from '../../agents/config/agent-config.ts';
import { resolveAgent } from '../../agents/config/resolve-agent.ts';
import { readMcpFile } from '../../agents/mcp/servers-file.ts';
import { readSettingAgents } from '../../client/src/agents/setting-agents.ts';

/** As the documentation of VS Code shows such a file, with comments and trailing commas. */
const MCP = `{
  // the key
  "inputs": [
    { "type": "promptString", "id": "key", "description": "API key", "password": true },
    { "type": "pickString", "id": "level", "description": "Level", "options": ["low", "high"], "default": "low" },
    { "type": "command", "id": "asked", "command": "ask" },
  ],
  "servers": {
    "perplexity": { "type": "stdio", "command": "npx", "args": ["-y", "server-perplexity-ask"], "env": { "KEY": "\${input:key}", "PORT": 1, "OFF": null }, "cwd": "\${workspaceFolder}/sub", "dev": { "watch": "**" } },
    "github": { "type": "http", "url": "https://api.example.com/mcp", "headers": { "Authorization": "Bearer \${input:key}" } },
    "old": { "type": "sse", "url": "http://localhost:1/sse" },
    "short": { "command": "node" },
    "bare": { "url": "\${env:MCP_URL}" },
  },
}`;

/** What of an agent decides how it is reached. */
function summarise(config: AgentConfig): unknown {
  const { name, protocol, type } = config;
  return config.type === 'http'
    ? [name, protocol, type, config.url, [...config.headers]]
    : [name, protocol, type, config.command, config.args, [...config.env], config.cwd];
}

const VARIABLES = {
  env: (name: string) => (name === 'MCP_URL' ? 'http://localhost:9/mcp' : undefined),
  input: (name: string) => (name === 'key' ? 'k3y-of-the-user' : undefined),
  secret: () => undefined,
  demo: () => undefined,
  workspaceFolder: () => '/work',
};

describe('readMcpFile', () => {
  it('reads the servers that VS Code would start', () => {
    const { agents, inputs, issues } = readMcpFile(MCP);
    assert.deepEqual(issues, []);
    assert.deepEqual([...agents.values()].map(summarise), [
      [
        'perplexity',
        'mcp',
        'stdio',
        'npx',
        ['-y', 'server-perplexity-ask'],
        [
          ['KEY', '${input:key}'],
          ['PORT', '1'],
        ],
        '${workspaceFolder}/sub',
      ],
      ['github', 'mcp', 'http', 'https://api.example.com/mcp', [['Authorization', 'Bearer ${input:key}']]],
      ['old', 'mcp', 'http', 'http://localhost:1/sse', []],
      ['short', 'mcp', 'stdio', 'node', [], [], undefined],
      ['bare', 'mcp', 'http', '${env:MCP_URL}', []],
    ]);
    assert.deepEqual(
      [...inputs.values()],
      [
        { id: 'key', description: 'API key', isPassword: true },
        { id: 'level', description: "Level (one of 'low', 'high')", isPassword: false },
      ],
    );
  });

  it('resolves their variables: an input that is not seen is a secret', async () => {
    const { agents } = readMcpFile(MCP);
    const [process, http, , , bare] = [...agents.values()];
    assert.ok(process && http && bare);
    const [first, second, third] = [
      await resolveAgent(process, VARIABLES),
      await resolveAgent(http, VARIABLES),
      await resolveAgent(bare, VARIABLES),
    ];
    assert.ok(first.ok && first.agent.type === 'stdio');
    assert.deepEqual(
      [first.agent.cwd, first.agent.env.get('KEY'), first.agent.secrets],
      ['/work/sub', 'k3y-of-the-user', ['k3y-of-the-user']],
    );
    assert.ok(second.ok && second.agent.type === 'http');
    assert.deepEqual(second.agent.secretHeaders, ['Authorization']);
    assert.ok(third.ok && third.agent.type === 'http');
    assert.equal(third.agent.url.href, 'http://localhost:9/mcp');
  });

  it('says of a server that it cannot use what is missing, and reads the others', () => {
    const text =
      '{"servers":{"a":{"type":"stdio"},"b":{"type":"http","url":"ftp://x"},"c":{"type":"ws","url":"ws://x"},"d":{"type":"sse"},"e":{"command":"x","envFile":".env"},"g":{"command":"x","args":[1]},"f":1}}';
    const { agents, issues } = readMcpFile(text);
    assert.deepEqual([...agents.keys()], ['e']);
    assert.deepEqual(
      issues.map(({ agent, message, span }) => [agent, text.slice(span.start, span.end), message]),
      [
        ['a', '"a"', "The MCP server 'a' has no 'command'; add the program that is started"],
        [
          'b',
          '"ftp://x"',
          "The MCP server 'b' cannot be reached: The address 'ftp://x' should begin with http:// or https://",
        ],
        [
          'c',
          '"ws"',
          "The MCP server 'c' has the type 'ws', which is not known; use 'stdio', 'http' or 'sse'",
        ],
        ['d', '"d"', "The MCP server 'd' has no 'url'; add the address it listens at"],
        [
          'e',
          '"envFile"',
          "The MCP server 'e' has an 'envFile', which is not read here; write its variables into 'env'",
        ],
        ['g', '1', "The MCP server 'g' has an argument that is not a text; write it as a text"],
        ['f', '"f"', "The MCP server 'f' has no 'url'; add the address it listens at"],
      ],
    );
  });

  it('reads no header of a server that would frame a request or name who takes it', () => {
    const names = ['Host', 'Content-Length', 'Transfer-Encoding', 'content_length'];
    const headers = Object.fromEntries([...names, 'X-Own'].map(name => [name, '1']));
    const { agents, issues } = readMcpFile(
      JSON.stringify({ servers: { a: { type: 'http', url: 'http://x', headers } } }),
    );
    const agent = agents.get('a');
    assert.ok(agent?.type === 'http');
    assert.deepEqual([...agent.headers.keys()], ['X-Own']);
    assert.deepEqual(
      issues.map(({ message }) => /'([^']+)' cannot be set/.exec(message)?.[1]),
      names,
    );
  });

  it('never throws, whatever the file holds', () => {
    for (const text of [
      '',
      '[]',
      '{"servers":[]}',
      '{"servers":{"a":null}}',
      '{"inputs":{"id":1}}',
      '{"servers":{',
    ]) {
      const { agents } = readMcpFile(text);
      assert.equal(agents.size, 0, text);
    }
    for (let end = 1; end < MCP.length; end += 7) assert.ok(readMcpFile(MCP.slice(0, end)).issues.length > 0);
  });
});

describe('readSettingAgents', () => {
  it('reads agents as the agents file names them', () => {
    const value = {
      search: { protocol: 'mcp', url: 'http://localhost:8080/mcp' },
      analyst: { protocol: 'aicl', type: 'stdio', command: 'node', args: ['a.js'] },
    };
    const { agents, issues } = readSettingAgents(value);
    assert.deepEqual(issues, []);
    assert.deepEqual([...agents.values()].map(summarise), [
      ['search', 'mcp', 'http', 'http://localhost:8080/mcp', []],
      ['analyst', 'aicl', 'stdio', 'node', ['a.js'], [], undefined],
    ]);
  });

  it('says what is wrong, and takes no setting for none', () => {
    assert.deepEqual(readSettingAgents(undefined).issues, []);
    assert.deepEqual(
      readSettingAgents({ a: { protocol: 'mcp' } }).issues.map(({ message }) => message),
      ["The agent 'a' has no 'url'; add the address it listens at"],
    );
    assert.equal(readSettingAgents([1]).issues.length, 1);
  });
});
