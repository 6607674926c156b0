import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { parseAgentsFile } from '../../agents/config/agents-file.ts';
import { resolveAgent, type Resolution } from '../../agents/config/resolve-agent.ts';
import { expandVariables, type Variables } from '../../agents/config/variables.ts';

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

const DEEP = 'Values nest deeper than 100 levels; remove the inner ones';

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
          inputs: file.inputs,
          at: '"figm',
        },
        {
          name: '__proto__',
          protocol: 'aicl',
          type: 'http',
          url: '${demo:analyst}',
          headers: new Map(),
          tls: {},
          inputs: file.inputs,
          at: '"__pr',
        },
      ],
    );
  });

  it('reads an agent that is a process', () => {
    const text =
      '{"agents":{"a":{"protocol":"aicl","type":"stdio","command":"node","args":["a.js","${input:x}"],"env":{"K":"${secret:k}"},"cwd":"sub","timeout":3},"b":{"protocol":"aicl","type":"stdio","command":"b"}}}';
    const file = parseAgentsFile(text);
    const { inputs } = file;
    assert.deepEqual(file.issues, []);
    assert.deepEqual(
      [...file.agents.values()].map(({ span, ...agent }) => ({
        ...agent,
        at: text.slice(span.start, span.start + 3),
      })),
      [
        {
          name: 'a',
          protocol: 'aicl',
          type: 'stdio',
          command: 'node',
          args: ['a.js', '${input:x}'],
          env: new Map([['K', '${secret:k}']]),
          cwd: 'sub',
          timeout: 3,
          inputs,
          at: '"a"',
        },
        {
          name: 'b',
          protocol: 'aicl',
          type: 'stdio',
          command: 'b',
          args: [],
          env: new Map(),
          inputs,
          at: '"b"',
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
      `"a" → The agent 'a' has no 'protocol'; add one of 'aicl', 'aicf', 'json-rpc', 'aio', 'mcp', 'agent-api', 'responses', 'a2a'`,
      `"a" → The agent 'a' has no 'url'; add the address it listens at`,
    ],
    [
      '{"agents":{"a":{"protocol":"acp","type":"stdio","command":"node"}}}',
      `"acp" → The agent 'a': the protocol 'acp' is not a known protocol; use one of 'aicl', 'aicf', 'json-rpc', 'aio', 'mcp', 'agent-api', 'responses', 'a2a'`,
    ],
    [
      '{"agents":{"a":{"protocol":"aicf","type":"stdio","command":"node"}}}',
      `"stdio" → The agent 'a': the type 'stdio' does not go with AICF-RPC 1.0; use 'http'`,
    ],
    [
      '{"agents":{"a":{"protocol":"aicl","type":"stdio"},"b":{"protocol":"aicl","type":"stdio","command":" ","url":"http://x/"}}}',
      `"a" → The agent 'a' has no 'command'; add the program that is started`,
      `"url" → The agent 'b': 'url' is not known in an agent of type 'stdio'; known are 'protocol', 'type', 'timeout', 'command', 'args', 'env', 'cwd', 'mode'`,
      `" " → The agent 'b': the 'command' is empty; name the program that is started`,
    ],
    [
      '{"agents":{"a":{"protocol":"aicl","type":"stdio","command":"x","args":["a",1],"env":{"A=B":"c","D":2},"cwd":3}}}',
      `1 → The agent 'a': an argument should be a text`,
      `"A=B" → The agent 'a': 'A=B' cannot be the name of an environment variable; remove '='`,
      `2 → The agent 'a': the environment variable 'D' should be a text`,
      `3 → The agent 'a': 'cwd' should be the path of a folder`,
    ],
    [
      '{"agents":{"a":{"protocol":"aicl","type":"stdio","command":"x","args":"y"}}}',
      `"y" → The agent 'a': 'args' should be a list`,
    ],
    [
      '{"agents":{"a":{"protocol":"AICF","type":"tcp","url":5}}}',
      `"AICF" → The agent 'a': the protocol 'AICF' is not a known protocol; use one of 'aicl', 'aicf', 'json-rpc', 'aio', 'mcp', 'agent-api', 'responses', 'a2a'`,
      `"tcp" → The agent 'a': the type 'tcp' is not known; use 'http' or 'stdio'`,
    ],
    [
      '{"agents":{"a":{"protocol":"aicf","url":"localhost:1","headers":{"a b":"x","c":1},"timeout":0}}}',
      `"localhost:1" → The agent 'a': the address 'localhost:1' should begin with http:// or https://`,
      `"a b" → The agent 'a': 'a b' cannot be a header's name; use letters, digits and hyphens`,
      `1 → The agent 'a': the header 'c' should be a text`,
      `0 → The agent 'a': the 'timeout' should be more than 0 seconds`,
    ],
    [
      '{"agents":{"a":{"protocol":"aicf","url":"x"}}}',
      `"x" → The agent 'a': 'x' is not an address; write one such as http://localhost:65001/aip/v1/aicf`,
    ],
    [
      '{"agents":{"a":{"protocol":"aicf","url":"http://x/","quirks":"on","command":"x"}}}',
      `"command" → The agent 'a': 'command' is not known in an agent of type 'http'; known are 'protocol', 'type', 'timeout', 'url', 'headers', 'contentType', 'tls', 'quirks', 'model', 'oauth'`,
    ],
    [
      '{"inputs":[{"id":"a","type":"pickString","pasword":true}]}',
      `"pasword" → 'pasword' is not known in an input; did you mean 'password'?`,
      `"pickString" → The type 'pickString' is not known; use 'promptString'`,
    ],
    [
      '{"agents":{\n"down":{"protocol":"aicf","url":"http://x/","html":1,\n"up":{"protocol":"aicf","url":"http://y/"}\n}',
      ' → This is not valid JSON here: close brace expected',
    ],
    ['['.repeat(100_000), `[ → ${DEEP}`],
    // The parser goes on in each list: what closes another kind of bracket, a text or a comment closes none.
    ['[},'.repeat(100_000), `[ → ${DEEP}`],
    ['/*"*/[\n'.repeat(100_000), `/ → ${DEEP}`],
    [`"${'x'.repeat(30_000_000)}"`, '" → The file holds more than 1000000 characters; remove some'],
    [
      `"${'\\"'.repeat(40_000)}`,
      `"${'\\"'.repeat(40_000)} → This is not valid JSON here: unexpected end of string`,
    ],
  ];
  for (const [text, ...issues] of faults) {
    it(`reports ${JSON.stringify(text.slice(0, 60))}`, () => assert.deepEqual(issuesOf(text), issues));
  }

  it('keeps the agents that are whole beside one that is not, and says which that is', () => {
    const file = parseAgentsFile(
      '{"agents":{"bad":{"protocol":"grpc","url":"http://x/"},"good":{"protocol":"aicl","url":"http://x/"}},"more":1}',
    );
    assert.deepEqual(
      [[...file.agents.keys()], file.issues.map(({ agent }) => agent)],
      [['good'], [undefined, 'bad']],
    );
  });

  it('takes a file cut at every place', () => {
    const text =
      '{"inputs":[{"id":"x"}],"agents":{"a":{"protocol":"aicf","url":"http://x/","headers":{"k":"v"}}}}';
    for (let end = 0; end < text.length; end++)
      assert.ok(parseAgentsFile(text.slice(0, end)).issues.length > 0);
  });
});

/** Inputs of a file: one that is typed in the open, one that is not. */
const INPUTS = new Map([
  ['who', { id: 'who', description: 'Who?', isPassword: false }],
  ['pin', { id: 'pin', description: 'PIN?', isPassword: true }],
]);

describe('expandVariables', () => {
  it('replaces each kind once and tells the values that are secret', async () => {
    assert.deepEqual(
      await expandVariables(
        '${env:HOME}/${input:who}/${secret:key} ${demo:toolbox} ${workspaceFolder} $x {y}',
        VARIABLES,
        new Map(),
      ),
      {
        ok: true,
        text: '/home/me/me/k:${env:HOME} http://127.0.0.1:1/ /work $x {y}',
        holdsSecret: true,
        secrets: ['/home/me', 'me', { value: 'k:${env:HOME}', template: '{{secret key}}' }],
      },
    );
  });

  it('takes no short value of the environment and no input that is typed in the open for a token', async () => {
    const variables: Variables = {
      ...VARIABLES,
      env: () => '80',
      input: id => (id === 'pin' ? '123' : 'Rome'),
    };
    const expand = (text: string): unknown => expandVariables(text, variables, INPUTS);
    assert.deepEqual(
      [await expand('${env:PORT}'), await expand('${input:who}'), await expand('${input:pin}')],
      [
        { ok: true, text: '80', holdsSecret: true, secrets: [] },
        { ok: true, text: 'Rome', holdsSecret: false, secrets: [] },
        { ok: true, text: '123', holdsSecret: true, secrets: ['123'] },
      ],
    );
  });

  it('names what it cannot replace', async () => {
    const messageFor = async (text: string, variables = VARIABLES): Promise<unknown> => {
      const expansion = await expandVariables(text, variables, INPUTS);
      return expansion.ok ? expansion : expansion.message;
    };
    const known = 'known are ${env:NAME}, ${input:ID}, ${secret:NAME}, ${demo:NAME} and ${workspaceFolder}';
    assert.equal(
      await messageFor('a${secret:nope}'),
      "The variable '${secret:nope}' has no value; store a secret under the name 'nope'",
    );
    assert.equal(await messageFor('${command:x}'), `'\${command:x}' is not a variable; ${known}`);
    assert.equal(
      await messageFor('${workspaceFolder:x}'),
      `'\${workspaceFolder:x}' is not a variable; ${known}`,
    );
    assert.equal(await messageFor('${env}'), `'\${env}' is not a variable; ${known}`);
    const failing = { ...VARIABLES, secret: () => Promise.reject(new Error('locked')) };
    assert.equal(
      await messageFor('${secret:key}', failing),
      "The variable '${secret:key}' has no value; store a secret under the name 'key'",
    );
  });
});

describe('resolveAgent', () => {
  const resolve = async (agent: object, variables = VARIABLES): Promise<Resolution> => {
    const config = parseAgentsFile(
      JSON.stringify({ agents: { a: { protocol: 'aicf', ...agent } } }),
    ).agents.get('a');
    assert.ok(config);
    return resolveAgent(config, variables);
  };

  it('takes values of the environment for secrets by their names', async () => {
    const env = { API_KEY: 'abcdef', MAX_TOKENS: '4096', DB_PASSWORD: 'hunter2', PORT_KEY: '80' };
    const resolution = await resolve({ protocol: 'aicl', type: 'stdio', command: 'x', cwd: '/', env });
    assert.deepEqual(resolution.ok && resolution.agent.secrets, ['abcdef', 'hunter2']);
  });

  it('leaves nothing variable', async () => {
    assert.deepEqual(
      await resolve({ url: '${demo:toolbox}', timeout: 1.5, headers: { 'X-K': '${secret:key}', Y: 'y' } }),
      {
        ok: true,
        agent: {
          type: 'http',
          name: 'a',
          protocol: 'aicf',
          url: new URL('http://127.0.0.1:1/'),
          headers: new Map([
            ['X-K', 'k:${env:HOME}'],
            ['Y', 'y'],
          ]),
          timeout: 1500,
          tls: {},
          secrets: [{ value: 'k:${env:HOME}', template: '{{secret key}}' }],
          secretHeaders: ['X-K'],
        },
      },
    );
  });

  it('leaves nothing variable in a process', async () => {
    const agent = {
      protocol: 'aicl',
      type: 'stdio',
      command: '${workspaceFolder}/run',
      args: ['--as', '${input:who}'],
      env: { KEY: '${secret:key}' },
      cwd: 'sub',
      timeout: 1,
    };
    assert.deepEqual(await resolve(agent), {
      ok: true,
      agent: {
        type: 'stdio',
        name: 'a',
        protocol: 'aicl',
        command: '/work/run',
        args: ['--as', 'me'],
        env: new Map([['KEY', 'k:${env:HOME}']]),
        cwd: '/work/sub',
        timeout: 1000,
        secrets: ['me', { value: 'k:${env:HOME}', template: '{{secret key}}' }],
        secretHeaders: [],
      },
    });
    const resolution = await resolve({ ...agent, cwd: undefined });
    assert.equal(resolution.ok && resolution.agent.type === 'stdio' && resolution.agent.cwd, '/work');
    assert.deepEqual(await resolve({ ...agent, args: ['${input:you}'] }), {
      ok: false,
      message:
        "The agent 'a': The variable '${input:you}' has no value; enter a value for it, and check that 'inputs' lists 'you'",
    });
    assert.deepEqual(await resolve({ ...agent, args: ['a\0b'] }), {
      ok: false,
      message: "The agent 'a': the argument 'aU+0000b' holds the character U+0000; remove it",
    });
    assert.deepEqual(await resolve(agent, { ...VARIABLES, workspaceFolder: () => undefined }), {
      ok: false,
      message: "The agent 'a': The variable '${workspaceFolder}' has no value; open a folder",
    });
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
      fail("The address '${secret:key}' should begin with http:// or https://"),
    );
    assert.deepEqual(
      await resolve({ url, headers: { X: 'a\nb' } }),
      fail("the header 'X' contains a character that is not allowed in a header; remove it"),
    );
    assert.deepEqual(
      await resolve({ url, tls: { ca: '${workspaceFolder}/none.pem' } }),
      fail("the file '${workspaceFolder}/none.pem' of 'tls.ca' cannot be read; correct its path"),
    );
    assert.deepEqual(
      await resolve({ url, tls: { key: '${secret:key}.pem' } }),
      fail("the file '${secret:key}.pem' of 'tls.key' cannot be read; correct its path"),
    );
    assert.deepEqual(
      await resolve({ url, tls: { ca: 'ca.pem' } }, { ...VARIABLES, workspaceFolder: () => undefined }),
      fail("The variable '${workspaceFolder}' has no value; open a folder"),
    );
  });

  it('finds certificates from the workspace folder on', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-'));
    try {
      await writeFile(join(folder, 'ca.pem'), 'PEM');
      const variables = { ...VARIABLES, workspaceFolder: () => folder };
      const tls = { ca: 'ca.pem', cert: join(folder, 'ca.pem') };
      const resolution = await resolve({ url: 'http://x/', tls }, variables);
      assert.deepEqual(resolution.ok && resolution.agent.type === 'http' && resolution.agent.tls, {
        ca: 'PEM',
        cert: 'PEM',
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
