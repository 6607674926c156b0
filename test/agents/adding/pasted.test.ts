import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readPasted, type Pasted, type PastedAgent } from '../../../agents/adding/pasted.ts';
import { PASTED_READERS } from '../../../agents/all.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';

/** Names, protocol, place and secrets of an agent, on one line. */
type Row = readonly [name: string, protocol: string, place: string, more?: string];

function read(text: string, platform = 'linux', variables: readonly string[] = []): Pasted {
  return readPasted(text, {
    protocols: ALL_PROTOCOLS,
    readers: PASTED_READERS,
    taken: new Set(),
    platform,
    hasVariable: name => variables.includes(name),
  });
}

function toRow({ name, protocol, place, secrets }: PastedAgent): Row {
  const where = place.type === 'http' ? place.url : [place.command, ...place.args].join(' ');
  const given = [...((place.type === 'http' ? place.headers : place.env) ?? [])];
  const more = [
    ...given.map(([key, value]) => `${key}=${value}`),
    ...(place.type === 'stdio' && place.cwd !== undefined ? [`in ${place.cwd}`] : []),
    ...(place.type === 'http' && place.model !== undefined ? [`model ${place.model}`] : []),
    ...[...secrets].map(([key, value]) => `secret ${key}: ${value}`),
  ].join('; ');
  return more === '' ? [name, protocol ?? '?', where] : [name, protocol ?? '?', where, more];
}

/** What people have: lines of READMEs, documentation and configuration files. */
const TABLE: readonly (readonly [text: string, ...rows: Row[]])[] = [
  // Commands
  [
    'npx -y @modelcontextprotocol/server-everything',
    ['everything', 'mcp', 'npx -y @modelcontextprotocol/server-everything'],
  ],
  ['$ npx @playwright/mcp@latest', ['playwright', 'mcp', 'npx @playwright/mcp@latest']],
  [
    'uvx mcp-server-git --repository path/to/git/repo',
    ['git', 'mcp', 'uvx mcp-server-git --repository path/to/git/repo'],
  ],
  [
    'uvx --from git+https://github.com/oraios/serena serena start-mcp-server',
    ['serena', 'mcp', 'uvx --from git+https://github.com/oraios/serena serena start-mcp-server'],
  ],
  [
    'python -m mcp_server_time --local-timezone=Europe/Lisbon',
    ['time', 'mcp', 'python -m mcp_server_time --local-timezone=Europe/Lisbon'],
  ],
  [
    'uv --directory /home/me/weather run weather.py',
    ['weather', 'mcp', 'uv --directory /home/me/weather run weather.py'],
  ],
  ['node /home/me/weather/build/index.js', ['weather', 'mcp', 'node /home/me/weather/build/index.js']],
  [
    'node ./node_modules/@modelcontextprotocol/server-everything/dist/index.js stdio',
    ['everything', 'mcp', 'node ./node_modules/@modelcontextprotocol/server-everything/dist/index.js stdio'],
  ],
  ['node x.js', ['x', 'mcp', 'node x.js']],
  ['docker run -i --rm mcp/fetch', ['fetch', 'mcp', 'docker run -i --rm mcp/fetch']],
  [
    'GITHUB_PERSONAL_ACCESS_TOKEN=ghp_abcdefgh12345678 docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server',
    [
      'github',
      'mcp',
      'docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server',
      'GITHUB_PERSONAL_ACCESS_TOKEN=${secret:github-personal-access-token}; secret github-personal-access-token: ghp_abcdefgh12345678',
    ],
  ],
  [
    'export BRAVE_API_KEY="YOUR_API_KEY_HERE" && npx -y @modelcontextprotocol/server-brave-search',
    [
      'brave-search',
      'mcp',
      'npx -y @modelcontextprotocol/server-brave-search',
      'BRAVE_API_KEY=${secret:brave-search-brave-api-key}',
    ],
  ],
  ['cd /srv/notes && node server.js', ['notes', 'mcp', 'node server.js', 'in /srv/notes']],
  [
    'npx -y @modelcontextprotocol/server-filesystem "/home/me/My Documents" \'/tmp/a b\'',
    ['filesystem', 'mcp', 'npx -y @modelcontextprotocol/server-filesystem /home/me/My Documents /tmp/a b'],
  ],
  [
    String.raw`"C:\Program Files\nodejs\node.exe" C:\Users\me\weather\build\index.js`,
    ['weather', 'mcp', String.raw`C:\Program Files\nodejs\node.exe C:\Users\me\weather\build\index.js`],
  ],
  ['cmd /c npx -y @upstash/context7-mcp', ['context7', 'mcp', 'npx -y @upstash/context7-mcp']],
  ['npx -y mcp-remote https://mcp.linear.app/sse', ['linear', 'mcp', 'https://mcp.linear.app/sse']],
  [
    'npx mcp-remote@latest https://example.com/mcp --header "Authorization: Bearer ${AUTH_TOKEN}"',
    ['example', 'mcp', 'https://example.com/mcp', 'Authorization=Bearer ${secret:example-auth-token}'],
  ],
  [
    'claude mcp add github -e GITHUB_TOKEN=ghp_abcdefgh12345678 -- npx -y @modelcontextprotocol/server-github',
    [
      'github',
      'mcp',
      'npx -y @modelcontextprotocol/server-github',
      'GITHUB_TOKEN=${secret:github-token}; secret github-token: ghp_abcdefgh12345678',
    ],
  ],
  [
    'claude mcp add --transport http sentry https://mcp.sentry.dev/mcp',
    ['sentry', 'mcp', 'https://mcp.sentry.dev/mcp'],
  ],
  [
    'docker run -i --rm \\\n  -e API_KEY=<your-key> \\\n  mcp/notion',
    ['notion', 'mcp', 'docker run -i --rm -e API_KEY=<your-key> mcp/notion'],
  ],
  // Addresses
  ['http://localhost:3001/mcp', ['agent-3001', '?', 'http://localhost:3001/mcp']],
  ['localhost:41241', ['agent-41241', '?', 'http://localhost:41241']],
  ['127.0.0.1:8080/weather/mcp', ['weather', '?', 'http://127.0.0.1:8080/weather/mcp']],
  ['https://mcp.deepwiki.com/mcp', ['deepwiki', '?', 'https://mcp.deepwiki.com/mcp']],
  ['https://api.openai.com/v1/responses', ['openai', '?', 'https://api.openai.com/v1/responses']],
  ['`https://api.githubcopilot.com/mcp/`', ['githubcopilot', '?', 'https://api.githubcopilot.com/mcp/']],
  [
    'https://mcp.tavily.com/mcp/?tavilyApiKey=tvly-1234567890',
    [
      'tavily',
      '?',
      'https://mcp.tavily.com/mcp/?tavilyApiKey=${secret:tavilyapikey}',
      'secret tavilyapikey: tvly-1234567890',
    ],
  ],
  // cURL
  [
    `curl https://api.openai.com/v1/responses \\
  -H "Content-Type: application/json" \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -d '{ "model": "gpt-5", "input": "Tell me a story." }'`,
    [
      'openai',
      'responses',
      'https://api.openai.com/v1/responses',
      'Authorization=Bearer ${secret:openai-api-key}; model gpt-5',
    ],
  ],
  [
    `curl -X POST http://localhost:3000/mcp -H 'Accept: application/json, text/event-stream' -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
    ['agent-3000', 'mcp', 'http://localhost:3000/mcp'],
  ],
  [
    `curl --location 'https://agents.example.org/support' --header 'x-api-key: abc12345'`,
    [
      'example',
      '?',
      'https://agents.example.org/support',
      'x-api-key=${secret:example-x-api-key}; secret example-x-api-key: abc12345',
    ],
  ],
  // JSON of other programs
  [
    `{
  "mcpServers": {
    "filesystem": {
      "command": "npx", // needs Node
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/me/Desktop",],
    },
    "github": { "command": "docker", "args": ["run", "-i", "--rm", "ghcr.io/github/github-mcp-server"], "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "<YOUR_TOKEN>" } }
  }
}`,
    ['filesystem', 'mcp', 'npx -y @modelcontextprotocol/server-filesystem /Users/me/Desktop'],
    [
      'github',
      'mcp',
      'docker run -i --rm ghcr.io/github/github-mcp-server',
      'GITHUB_PERSONAL_ACCESS_TOKEN=${secret:github-personal-access-token}',
    ],
  ],
  [
    '"weather": { "command": "uv", "args": ["--directory", "/ABSOLUTE/PATH/weather", "run", "weather.py"] },',
    ['weather', 'mcp', 'uv --directory /ABSOLUTE/PATH/weather run weather.py'],
  ],
  [
    '{ "inputs": [{ "type": "promptString", "id": "key", "description": "API key", "password": true }], "servers": { "perplexity": { "type": "stdio", "command": "npx", "args": ["-y", "server-perplexity-ask"], "env": { "PERPLEXITY_API_KEY": "${input:key}" } } } }',
    ['perplexity', 'mcp', 'npx -y server-perplexity-ask', 'PERPLEXITY_API_KEY=${input:key}'],
  ],
  [
    '{"mcpServers":{"figma":{"url":"http://127.0.0.1:3845/mcp"},"stripe":{"type":"http","url":"https://mcp.stripe.com","headers":{"Authorization":"Bearer sk_live_abcdef123456"}}}}',
    ['figma', 'mcp', 'http://127.0.0.1:3845/mcp'],
    [
      'stripe',
      'mcp',
      'https://mcp.stripe.com',
      'Authorization=Bearer ${secret:stripe-key}; secret stripe-key: sk_live_abcdef123456',
    ],
  ],
  [
    '```json\n{ "servers": { "playwright": { "command": "npx", "args": ["@playwright/mcp@latest"] } } }\n```',
    ['playwright', 'mcp', 'npx @playwright/mcp@latest'],
  ],
  [
    '{"mcpServers":{"mcp":{"command":"cmd","args":["/c","npx","-y","mcp-remote","https://mcp.notion.com/mcp"]}}}',
    ['notion', 'mcp', 'https://mcp.notion.com/mcp'],
  ],
  ['{ "command": "npx", "args": ["-y", "tavily-mcp@0.1.2"] }', ['tavily', 'mcp', 'npx -y tavily-mcp@0.1.2']],
  [
    '# Codex\n[mcp_servers.context7]\ncommand = "npx"\nargs = ["-y", "@upstash/context7-mcp"]\n\n[mcp_servers.context7.env]\nCONTEXT7_API_KEY = "ctx7sk-1234567890"\n',
    [
      'context7',
      'mcp',
      'npx -y @upstash/context7-mcp',
      'CONTEXT7_API_KEY=${secret:context7-api-key}; secret context7-api-key: ctx7sk-1234567890',
    ],
  ],
  // The MCP registry
  [
    '{"$schema":"https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json","name":"io.github.example/weather","description":"Weather","version":"1.0.0","packages":[{"registryType":"npm","identifier":"@example/weather-mcp","version":"1.0.0","transport":{"type":"stdio"},"environmentVariables":[{"name":"WEATHER_KEY","isRequired":true,"isSecret":true},{"name":"UNITS"}]}]}',
    ['weather', 'mcp', 'npx -y @example/weather-mcp@1.0.0', 'WEATHER_KEY=${secret:weather-key}'],
  ],
  [
    '{"name":"com.example/tracker","version":"2.0.0","description":"","remotes":[{"type":"streamable-http","url":"https://tracker.example.com/mcp","headers":[{"name":"X-API-Key","value":"{api_key}","isRequired":true,"isSecret":true}]}]}',
    ['tracker', 'mcp', 'https://tracker.example.com/mcp', 'X-API-Key=${secret:tracker-x-api-key}'],
  ],
  // Agent cards
  [
    '{"protocolVersion":"0.3.0","name":"Hello World Agent","description":"Just a hello world agent","url":"http://localhost:9999/","version":"1.0.0","capabilities":{},"skills":[],"defaultInputModes":["text"],"defaultOutputModes":["text"]}',
    ['hello-world-agent', 'a2a', 'http://localhost:9999/'],
  ],
  [
    '{"name":"Planner","supportedInterfaces":[{"url":"https://planner.example.com/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"skills":[],"version":"1"}',
    ['planner', 'a2a', 'https://planner.example.com/a2a'],
  ],
];

describe('a pasted agent', () => {
  for (const [text, ...rows] of TABLE)
    it(text.replace(/\s+/g, ' ').slice(0, 90), () => {
      const { agents, problems } = read(text);
      assert.deepEqual([agents.map(toRow), problems], [rows, []]);
    });

  it('has the inputs that it names', () => {
    const { agents } = read(
      '{"inputs":[{"type":"promptString","id":"a","description":"A","password":true},{"type":"promptString","id":"b"}],"servers":{"x":{"url":"https://h.example/mcp","headers":{"K":"${input:a}"}}}}',
    );
    assert.deepEqual(
      agents.map(({ inputs }) => inputs),
      [[{ id: 'a', description: 'A', isPassword: true }]],
    );
  });

  it('gets a name of its own beside another', () => {
    const { agents } = readPasted('npx -y @modelcontextprotocol/server-everything', {
      protocols: ALL_PROTOCOLS,
      readers: PASTED_READERS,
      taken: new Set(['everything']),
      platform: 'linux',
      hasVariable: () => false,
    });
    assert.deepEqual(
      agents.map(({ name }) => name),
      ['everything-2'],
    );
  });

  it('keeps the wrapper that Windows needs, and reads variables that are set from the environment', () => {
    assert.deepEqual(
      [
        ...read('cmd /c npx -y @upstash/context7-mcp', 'win32').agents.map(toRow),
        ...read('curl https://x.example.com/ -H "X-Api-Key: $MY_KEY"', 'linux', ['MY_KEY']).agents.map(toRow),
      ],
      [
        ['context7', 'mcp', 'cmd /c npx -y @upstash/context7-mcp'],
        ['example', '?', 'https://x.example.com/', 'X-Api-Key=${env:MY_KEY}'],
      ],
    );
  });

  it('loses no line end of a curl command to the box that it is pasted into', () => {
    const pasted = `curl https://api.openai.com/v1/responses \\   -H "Authorization: Bearer $OPENAI_API_KEY" \\   -d '{"model":"gpt-5","input":"Hi"}'`;
    assert.deepEqual(read(pasted).agents.map(toRow), [
      [
        'openai',
        'responses',
        'https://api.openai.com/v1/responses',
        'Authorization=Bearer ${secret:openai-api-key}; model gpt-5',
      ],
    ]);
  });

  it('is nothing while a word of a list is typed', () => {
    for (const text of [
      '',
      'mcp',
      'openai agent',
      'A2A',
      'more protocols',
      'http',
      'https://',
      'node',
      'npx ',
    ])
      assert.deepEqual(read(text), { agents: [], problems: [] }, text);
  });

  it('is refused with the reason', () => {
    const rows: readonly (readonly [text: string, problem: RegExp])[] = [
      ['npx -y x-mcp | tee log', /needs a shell/],
      ['{"mcpServers": {"a": ', /not valid JSON/],
      ['{"a": 1}', /describes no agent/],
      ['{"mcpServers": {"a": {"args": []}}}', /'a' has no 'url'/],
    ];
    for (const [text, problem] of rows) {
      const { agents, problems } = read(text);
      assert.deepEqual(agents, [], text);
      assert.match(problems.join(' '), problem);
    }
  });
});
