import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseAgentsFile } from '../../agents/src/config/agents-file.ts';
import { resolveAgent } from '../../agents/src/config/resolve-agent.ts';
import { expandVariables, type Variables } from '../../agents/src/config/variables.ts';

/** The issues of a file with the text that each marks. */
function issuesOf(text: string): readonly string[] {
  return parseAgentsFile(text).issues.map(
    ({ span, message }) => `${text.slice(span.start, span.end)} → ${message}`,
  );
}

const VARIABLES: Variables = {
  env: name => (name === 'HOME' ? '/home/me' : undefined),
  input: name => (name === 'who' ? 'me' : undefined),
  secret: name => Promise.resolve(name === 'key' ? 'k:${env:HOME}' : undefined),
  demo: name => (name === 'toolbox' ? 'http://127.0.0.1:1/' : undefined),
  workspaceFolder: () => '/work',
};

describe('parseAgentsFile', () => {
  it('reads agents and inputs, with comments and trailing commas', () => {
    const text = `{
      // the tools
      "inputs": [{ "id": "who", "type": "promptString", "description": "Who?", "password": true }],
      "agents": {
        "figma": {
          "protocol": "aicf", "type": "http", "url": "http://localhost:65001/aip/v1/aicf",
          "headers": { "Authorization": "Bearer \${secret:figma}" }, "timeout": 2.5, "contentType": "text/x",
          "tls": { "ca": "ca.pem", "allowSelfSigned": true },
        },
        "__proto__": { "protocol": "aicl", "url": "\${demo:analyst}" },
      },
    }`;
    const file = parseAgentsFile(text);
    assert.deepEqual(file.issues, []);
    assert.deepEqual([...file.inputs.values()], [{ id: 'who', description: 'Who?', isPassword: true }]);
    assert.deepEqual(
      [...file.agents.values()].map(({ span, ...agent }) => ({
        ...agent,
        at: text.slice(span.start, span.start + 5),
      })),
      [
        {
          name: 'figma',
          protocol: 'aicf',
          type: 'http',
          url: 'http://localhost:65001/aip/v1/aicf',
          headers: new Map([['Authorization', 'Bearer ${secret:figma}']]),
          timeout: 2.5,
          contentType: 'text/x',
          tls: { ca: 'ca.pem', allowSelfSigned: true },
          at: '"figm',
        },
        {
          name: '__proto__',
          protocol: 'aicl',
          type: 'http',
          url: '${demo:analyst}',
          headers: new Map(),
          tls: {},
          at: '"__pr',
        },
      ],
    );
  });

  const faults: readonly (readonly [text: string, ...issues: readonly string[]])[] = [
    ['', ' → This is not valid JSON here: value expected'],
    ['[]', '[] → This should be an object such as {"agents":{}}'],
    ['{"agents":[]}', "[] → 'agents' should be an object of agents by name"],
    ['{"agent":{}}', `"agent" → 'agent' is not known in the file; did you mean 'agents'?`],
    [
      '{"inputs":[1,{}]}',
      '1 → An input should be an object such as {"id":"token","type":"promptString"}',
      "{} → This input has no 'id'; add one",
    ],
    [
      '{"agents":{"a":1}}',
      `1 → The agent 'a' should be an object such as {"protocol":"aicf","url":"http://…"}`,
    ],
    [
      '{"agents":{"a":{}}}',
      `"a" → The agent 'a' has no 'protocol'; add one of 'aicl', 'aicf'`,
      `"a" → The agent 'a' has no 'url'; add the address it listens at`,
    ],
    [
      '{"agents":{"a":{"protocol":"mcp","type":"stdio","command":"node"}}}',
      `"mcp" → The protocol 'mcp' is not spoken by this version; use one of 'aicl', 'aicf'`,
      `"stdio" → The agent 'a' is a process (stdio), which this version cannot start; use an agent of type 'http'`,
    ],
    [
      '{"agents":{"a":{"protocol":"AICF","type":"tcp","url":5}}}',
      `"AICF" → The protocol 'AICF' is no known protocol; use one of 'aicl', 'aicf'`,
      `"tcp" → The type 'tcp' is not known; use 'http'`,
    ],
    [
      '{"agents":{"a":{"protocol":"aicf","url":"localhost:1","headers":{"a b":"x","c":1},"timeout":0}}}',
      `"localhost:1" → The address 'localhost:1' begins with 'localhost:'; use http:// or https://`,
      `"a b" → 'a b' cannot be a header's name; use letters, digits and hyphens`,
      `1 → The header 'c' should be a text`,
      `0 → The 'timeout' should be more than 0 seconds`,
    ],
    [
      '{"agents":{"a":{"protocol":"aicf","url":"x"}}}',
      `"x" → 'x' is not an address; write one such as http://localhost:65001/aip/v1/aicf`,
    ],
    ['['.repeat(100_000), '[ → Values nest deeper than 100 levels; remove the inner ones'],
  ];
  for (const [text, ...issues] of faults) {
    it(`reports ${text.slice(0, 60)}`, () => assert.deepEqual(issuesOf(text), issues));
  }

  it('keeps the agents that are whole beside one that is not', () => {
    const file = parseAgentsFile('{"agents":{"bad":{},"good":{"protocol":"aicl","url":"http://x/"}}}');
    assert.deepEqual([...file.agents.keys()], ['good']);
  });

  it('takes a file cut at every place', () => {
    const text =
      '{"inputs":[{"id":"x"}],"agents":{"a":{"protocol":"aicf","url":"http://x/","headers":{"k":"v"}}}}';
    for (let end = 0; end < text.length; end++)
      assert.ok(parseAgentsFile(text.slice(0, end)).issues.length > 0);
  });
});

describe('expandVariables', () => {
  it('replaces each kind once and tells the values that are secret', async () => {
    assert.deepEqual(
      await expandVariables(
        '${env:HOME}/${input:who}/${secret:key} ${demo:toolbox} ${workspaceFolder} $x {y}',
        VARIABLES,
      ),
      {
        ok: true,
        text: '/home/me/me/k:${env:HOME} http://127.0.0.1:1/ /work $x {y}',
        secrets: ['/home/me', 'me', 'k:${env:HOME}'],
      },
    );
  });

  it('names what it cannot replace', async () => {
    const messageFor = async (text: string, variables = VARIABLES): Promise<unknown> => {
      const expansion = await expandVariables(text, variables);
      return expansion.ok ? expansion : expansion.message;
    };
    const known = 'known are ${env:NAME}, ${input:ID}, ${secret:NAME}, ${demo:NAME} and ${workspaceFolder}';
    assert.equal(
      await messageFor('a${secret:nope}'),
      "The variable '${secret:nope}' has no value; store a secret under the name 'nope'",
    );
    assert.equal(await messageFor('${command:x}'), `'\${command:x}' is no variable; ${known}`);
    assert.equal(
      await messageFor('${workspaceFolder:x}'),
      `'\${workspaceFolder:x}' is no variable; ${known}`,
    );
    assert.equal(await messageFor('${env}'), `'\${env}' is no variable; ${known}`);
    const failing = { ...VARIABLES, secret: () => Promise.reject(new Error('locked')) };
    assert.equal(
      await messageFor('${secret:key}', failing),
      "The variable '${secret:key}' has no value; store a secret under the name 'key'",
    );
  });
});

describe('resolveAgent', () => {
  const resolve = async (agent: object): Promise<unknown> => {
    const config = parseAgentsFile(
      JSON.stringify({ agents: { a: { protocol: 'aicf', ...agent } } }),
    ).agents.get('a');
    assert.ok(config);
    return resolveAgent(config, VARIABLES);
  };

  it('leaves nothing variable', async () => {
    assert.deepEqual(
      await resolve({ url: '${demo:toolbox}', timeout: 1.5, headers: { 'X-K': '${secret:key}', Y: 'y' } }),
      {
        ok: true,
        agent: {
          name: 'a',
          protocol: 'aicf',
          url: new URL('http://127.0.0.1:1/'),
          headers: new Map([
            ['X-K', 'k:${env:HOME}'],
            ['Y', 'y'],
          ]),
          timeout: 1500,
          tls: {},
          secrets: ['k:${env:HOME}'],
          secretHeaders: ['X-K'],
        },
      },
    );
  });

  it('says in one sentence why not', async () => {
    const url = 'http://x/';
    const fail = (message: string): unknown => ({ ok: false, message: `The agent 'a': ${message}` });
    assert.deepEqual(
      await resolve({ url: '${demo:nope}' }),
      fail(
        "The variable '${demo:nope}' has no value; there is no demo agent 'nope' running; start the demo agents or correct its name",
      ),
    );
    assert.deepEqual(
      await resolve({ url: '${secret:key}' }),
      fail("The address '[redacted]' begins with 'k:'; use http:// or https://"),
    );
    assert.deepEqual(
      await resolve({ url, headers: { X: 'a\nb' } }),
      fail("the header 'X' holds a character that no header may carry; remove it"),
    );
    assert.deepEqual(
      await resolve({ url, tls: { ca: '${workspaceFolder}/none.pem' } }),
      fail("the file '/work/none.pem' of 'tls.ca' cannot be read; correct its path"),
    );
  });
});
