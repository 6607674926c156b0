import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import type { ProtocolName } from '../../core/catalog/protocols.ts';
import type { ResolvedAgent, ResolvedHttpAgent } from '../../agents/config/resolve-agent.ts';
import { connectAgent } from '../../agents/all.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import { Protocols, type Protocol } from '../../protocols/protocol.ts';
import { diagnose, printDiagnosis } from '../../agents/doctor/diagnose.ts';
import { openHeadlessHost } from './mcp-conformance/headless-host.ts';
import { openOAuthAgent } from './support/oauth-agent.ts';
import { startA2aAgent } from './support/a2a-agent.ts';
import { EVERYTHING_SCRIPT } from './support/everything-server.ts';
import { closeRawAgents, reply, startRawAgent } from './support/raw-agent.ts';
import { startResponsesMock } from './support/responses-mock.ts';
import { agentAt, sendTo } from './support/send.ts';
import { scriptAgent, stdioAgent } from './support/stdio-agent.ts';

/** The agent is asked in no other protocol, because its replies are scripted. */
const NO_OTHERS = new Protocols<Protocol>([]);
const NEVER = new AbortController().signal;
const TLS = (name: string): string =>
  readFileSync(new URL(`fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

/** Each step as `name: status`, the last with all that it says. */
async function look(
  agent: ResolvedAgent,
  { limit = 5_000, protocols = NO_OTHERS }: { readonly limit?: number; readonly protocols?: Protocols } = {},
): Promise<readonly string[]> {
  const reported: string[] = [];
  const { steps } = await diagnose(agent, NEVER, step => void reported.push(step.name), {
    connect: connectAgent,
    protocols,
    step: limit,
  });
  // The steps reported on the way are those of the result.
  assert.deepEqual(
    reported,
    steps.map(step => step.name),
  );
  return steps.map(({ name, status, finding: said, advice }, at) =>
    at < steps.length - 1
      ? `${name}: ${status}`
      : [`${name}: ${status}`, said, advice].filter(Boolean).join('; '),
  );
}

function at(protocol: ProtocolName, url: string, more: Partial<ResolvedHttpAgent> = {}): ResolvedHttpAgent {
  return { ...agentAt('aicf', url, more), protocol };
}

const TOOLS = 'TOOLS|add|sub';
const WELL = [
  'Authorization; passed; The agent did not ask for other credentials',
  'First reply; passed; The agent answered in Model Context Protocol, with an error of its own: Method not found',
];
const WAY = ['Address: passed', 'Name: skipped', 'Port: passed', 'TLS: skipped'];

const KEY = 'sk-abcdefgh12345678';
const given = { headers: new Map([['Authorization', `Bearer ${KEY}`]]) };
const ALL = { protocols: ALL_PROTOCOLS };

describe('connection doctor', () => {
  afterEach(closeRawAgents);

  it('finds nothing wrong with an agent that answers', async () => {
    const { origin, requests } = await startRawAgent(socket => void socket.end(reply(TOOLS)));
    assert.deepEqual(await look(at('aicf', `${origin}/aip/v1/aicf`)), [
      ...WAY,
      'Authorization: passed',
      'Path: passed',
      'Content type: passed',
      'Version: skipped',
      'First reply: passed; The agent answered in AICF-RPC 1.0',
    ]);
    assert.deepEqual(
      requests.map(request => request.split('\r\n\r\n')[1]),
      ['LIST'],
    );
  });

  it('says that a name is unknown', async () => {
    const steps = await look(at('aicf', 'http://nowhere.invalid/aip/v1/aicf'));
    assert.equal(steps[0], 'Address: passed');
    assert.match(
      steps[1] ?? '',
      /^Name: failed; 'nowhere\.invalid' was not found \((ENOTFOUND|EAI_AGAIN)\); correct the name/,
    );
    assert.equal(steps.length, 2);
  });

  it('says that nothing listens at a port', async () => {
    const agent = await startRawAgent(() => undefined);
    const { port } = agent;
    await agent.close();
    assert.deepEqual(await look(at('aicf', `http://127.0.0.1:${port}/`)), [
      'Address: passed',
      'Name: skipped',
      `Port: failed; Port ${port} of 127.0.0.1 did not open (ECONNREFUSED); start the agent, or correct the port of its url: nothing listens there`,
    ]);
  });

  it('says that what answers does not speak TLS', async () => {
    const { port } = await startRawAgent(socket => void socket.end(reply(TOOLS)));
    const server = createServer(socket =>
      socket.on('error', () => undefined).end('HTTP/1.1 400 Bad\r\n\r\n'),
    );
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const plain = (server.address() as AddressInfo).port;
    try {
      const [, , opened, tls] = await look(at('aicf', `https://127.0.0.1:${plain}/`));
      assert.equal(opened, 'Port: passed');
      assert.match(tls ?? '', /^TLS: failed; The server there does not use TLS \(.+\); write http:\/\//);
    } finally {
      server.close();
    }
    assert.ok(port > 0);
  });

  it('looks at the certificate, and at whether it is trusted', async () => {
    const server = createTlsServer({ cert: TLS('cert'), key: TLS('key') }, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end(TOOLS);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      const [refused, taken] = [
        await look(at('aicf', url)),
        await look(at('aicf', url, { tls: { allowSelfSigned: true } })),
      ];
      assert.match(
        refused.at(-1) ?? '',
        /^TLS: failed; TLSv1\.\d, certificate for '.*', valid until .*; it is not trusted \(.*SELF_SIGNED.*\); name the certificate's authority/,
      );
      assert.deepEqual(
        [taken[3], taken.at(-1)],
        ['TLS: passed', 'First reply: passed; The agent answered in AICF-RPC 1.0'],
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('tells a wrong path from a wrong token and from a page', async () => {
    const answers = [
      reply('Not here', '404 Not Found'),
      reply('Who are you?', '401 Unauthorized'),
      reply('<h1>It works!</h1>', '200 OK', 'text/html'),
    ];
    const { origin } = await startRawAgent((socket, index) => void socket.end(answers[index] ?? ''));
    const url = `${origin}/aip/v1/aicf`;
    const [missing, refused, page] = [
      await look(at('aicf', url)),
      await look(at('aicf', url)),
      await look(at('aicf', url)),
    ];
    assert.deepEqual(missing, [
      ...WAY,
      'Authorization: passed',
      'Path: failed; The agent answered 404 Not Found; check that an AICF-RPC server runs at this address',
    ]);
    assert.deepEqual(refused, [
      ...WAY,
      "Authorization: failed; The agent refused the request: 401 Unauthorized; set the agent's 'headers', such as Authorization with ${secret:NAME}, or sign in",
    ]);
    assert.deepEqual(page, [
      ...WAY,
      'Authorization: passed',
      'Path: passed',
      'Content type: failed; The reply is text/html, a web page; AICF-RPC 1.0 is text/plain; check that an AICF-RPC server runs at this address',
    ]);
  });

  it('names the address that would fit, or to which the agent redirects', async () => {
    const answers = [
      reply('Not here', '404 Not Found'),
      reply('{"a":1}', '200 OK', 'application/json'),
      'HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    ];
    const { origin } = await startRawAgent((socket, index) => void socket.end(answers[index] ?? ''));
    const said: (string | undefined)[] = [];
    for (let index = 0; index < answers.length; index++)
      said.push((await look(at('aicf', `${origin}/rpc`))).at(-1));
    const fitting = `the AICF endpoint would be ${origin}/aip/v1/aicf; put it into the agent's url`;
    assert.deepEqual(said, [
      `Path: failed; The agent answered 404 Not Found; ${fitting}`,
      `Content type: failed; The reply is application/json; AICF-RPC 1.0 is text/plain; ${fitting}`,
      `Path: failed; The agent answered 302 Found; it redirects to '${origin}/there', and redirects are not followed; put that address into the agent's url if you trust it`,
    ]);
  });

  it('takes a server that wants credentials for that, wherever it has no way to sign in', async () => {
    const agent = await startRawAgent((socket, index) => {
      const isOwn = agent.requests[index]?.startsWith('POST /mcp ') === true;
      socket.end(isOwn ? reply('no', '401 Unauthorized') : reply('Not here', '404 Not Found'));
    });
    const { origin } = agent;
    assert.equal(
      (await look(at('mcp', `${origin}/mcp`))).at(-1),
      "Authorization: failed; The agent refused the request: 401 Unauthorized; set the agent's 'headers', such as Authorization with ${secret:NAME}, or sign in",
    );
  });

  it('takes a reply that broke off for none', async () => {
    const { origin } = await startRawAgent(socket => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\nTOOLS|a');
    });
    const url = `${origin}/aip/v1/aicf`;
    assert.equal(
      (await look(at('aicf', url))).at(-1),
      `First reply: failed; Tried POST ${url}: 200 OK and 7 bytes came, then the connection was lost; the received part is stored, send again for the rest`,
    );
  });

  it('judges the type of a reply by whether it could be read', async () => {
    const answers = [
      reply(TOOLS, '200 OK', 'Text/Plain; charset=utf-8'),
      reply(TOOLS, '200 OK', 'text/html'),
      reply('{"a":1}', '200 OK', 'application/json'),
      reply('what?', '200 OK', 'text/plain'),
    ];
    const { origin } = await startRawAgent((socket, index) => void socket.end(answers[index] ?? ''));
    const said: string[] = [];
    for (let index = 0; index < answers.length; index++) {
      const { steps } = await diagnose(at('aicf', `${origin}/aip/v1/aicf`), NEVER, () => undefined, {
        connect: connectAgent,
        protocols: NO_OTHERS,
      });
      const step = steps.find(({ name }) => name === 'Content type');
      said.push(`${step?.status ?? ''}: ${step?.finding ?? ''}; then ${steps.at(-1)?.name ?? ''}`);
    }
    assert.deepEqual(said, [
      'passed: Text/Plain; charset=utf-8; then First reply',
      'passed: text/html; AICF-RPC 1.0 is text/plain, but the reply could be read; then First reply',
      'failed: The reply is application/json; AICF-RPC 1.0 is text/plain; then Content type',
      'passed: text/plain; then First reply',
    ]);
  });

  it('uses the stored sign-in, renews it, and opens no page', async () => {
    const server = await openOAuthAgent();
    const host = openHeadlessHost();
    try {
      const agent = at('mcp', `${server.origin}/mcp`);
      const ask = async (): Promise<readonly string[]> => {
        const diagnosis = await diagnose(agent, NEVER, () => undefined, {
          connect: connectAgent,
          protocols: NO_OTHERS,
          signIn: host,
        });
        for (const secret of server.secrets) assert.ok(!JSON.stringify(diagnosis).includes(secret));
        return diagnosis.steps
          .filter(({ name }) => /^(Authorization|First reply)$/.test(name))
          .map(({ name, status, finding: said, advice }) =>
            [name, status, said, advice].filter(Boolean).join('; '),
          );
      };
      const wanted = [
        "Authorization; failed; The agent requires a sign-in, and it accepts none of the stored ones; run 'Parley Agents: Connect…' and sign in with the browser that opens",
      ];
      const before = [await ask(), host.opened.length];
      const connection = connectAgent(agent, { signIn: host });
      await sendTo(connection, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
      await connection.close();
      const signedIn = await ask();
      server.valid.clear();
      const renewed = await ask();
      server.valid.clear();
      server.settings.refused['refresh_token'] = 'invalid_grant';
      const lost = await ask();
      assert.deepEqual(
        { before, signedIn, renewed, lost, opened: host.opened.length },
        { before: [wanted, 0], signedIn: WELL, renewed: WELL, lost: wanted, opened: 1 },
      );
    } finally {
      await server.close();
    }
  });

  it('waits no longer for an answer than its limit', async () => {
    const { origin } = await startRawAgent(() => undefined);
    assert.deepEqual(await look(at('aicf', `${origin}/`), { limit: 200 }), [
      ...WAY,
      "Path: failed; No answer began within 0.2 s; wait for the agent or raise its 'timeout'",
    ]);
  });

  it('asks agents without a list of tools for their page alone', async () => {
    const { origin, requests } = await startRawAgent(
      socket => void socket.end(reply('', '405 Method Not Allowed')),
    );
    assert.deepEqual(await look(at('agent-api', `${origin}/process`)), [
      ...WAY,
      'Authorization: passed',
      'Path: passed',
      'First reply: skipped; Agents of AgentScope Agent API have no request that is free of cost; send a request to test it',
    ]);
    assert.deepEqual(
      requests.map(request => request.split('\r\n', 1)[0]),
      ['GET /process HTTP/1.1'],
    );
  });

  it('takes the card of an A2A agent for its reply, and the list of models of a Responses agent', async () => {
    const a2a = await startA2aAgent({ version: '1.0', streaming: false });
    const mock = await startResponsesMock(KEY);
    assert.deepEqual(
      [
        (await look(at('a2a', `${a2a.origin}/`), ALL)).at(-1),
        (await look(at('responses', mock.url, given), ALL)).at(-1),
      ],
      [
        'First reply: passed; The agent answered in Agent2Agent (A2A) with its description of itself',
        'First reply: passed; The agent answered a request of OpenAI Responses that is free of cost',
      ],
    );
    await a2a.close();
    await mock.close();
  });

  it('names the protocol of an agent whose entry names another one', async () => {
    const a2a = await startA2aAgent({ version: '1.0', streaming: false });
    const mock = await startResponsesMock(KEY);
    const said = await Promise.all([
      look(at('aicf', `${a2a.origin}/`), ALL),
      look(at('agent-api', mock.url, given), ALL),
      look(stdioAgent(process.execPath, [EVERYTHING_SCRIPT, 'stdio']), { ...ALL, limit: 1_000 }),
    ]);
    await a2a.close();
    await mock.close();
    assert.deepEqual(
      said.map(steps =>
        steps
          .at(-1)
          ?.replace(/^[^;]*; This/, 'This')
          .replace(/ \(.*\)/, ''),
      ),
      [
        "This is an A2A agent: its entry in the agents file names another protocol; change 'protocol' to 'a2a'",
        "This is an OpenAI-style agent: its entry in the agents file names another protocol; change 'protocol' to 'responses'",
        "This is an MCP server: its entry in the agents file names another protocol; change 'protocol' to 'mcp'",
      ],
    );
  });

  it('does not say that an agent is fine that was asked nothing in its protocol', () => {
    const about = { agent: 'it', protocol: 'A2A', address: '' };
    const reached = { name: 'Port', status: 'passed', finding: 'Open' } as const;
    const asked = { name: 'First reply', status: 'passed', finding: 'It answered' } as const;
    const skipped = { name: 'First reply', status: 'skipped', finding: 'Nothing is free' } as const;
    const tls = { name: 'TLS', status: 'skipped', finding: 'Plain' } as const;
    assert.deepEqual(
      [
        [reached, skipped],
        [reached, tls, asked],
        [reached, asked],
      ].map(steps => printDiagnosis({ ...about, steps }).split('\n')[2]),
      [
        'Reachable, but not verified as A2A: Nothing is free.',
        'The agent answers in A2A. 1 step was skipped, because there was nothing to try.',
        'The agent answers in A2A.',
      ],
    );
  });

  it('keeps secrets out of all that it says', async () => {
    const { origin } = await startRawAgent(
      socket => void socket.end(reply('hunter2 is wrong', '403 hunter2 Forbidden')),
    );
    const agent = at('aicf', `${origin}/x?token=hunter2`, {
      headers: new Map([['Authorization', 'Bearer hunter2']]),
      secrets: ['hunter2'],
    });
    const diagnosis = await diagnose(agent, NEVER, () => undefined, {
      connect: connectAgent,
      protocols: NO_OTHERS,
    });
    assert.ok(!JSON.stringify(diagnosis).includes('hunter2'));
    assert.equal(diagnosis.steps.at(-1)?.finding, 'The agent refused the request: 403 [redacted] Forbidden');
  });

  it('follows a process from its command to its reply', async () => {
    const agent = scriptAgent("on(() => say(result('parley', 'fine') + '\\n')); warn('ready\\n');");
    assert.deepEqual(await look(agent), [
      'Folder: passed',
      'Command: passed',
      'Start: passed',
      'Exit: passed',
      'Error output: passed',
      'Version: skipped',
      'First reply: passed; The agent answered in LightAICL 1.0',
    ]);
  });

  it('says that there is no such folder, no such command, and that a process ended', async () => {
    const folder = stdioAgent('node', [], { cwd: '/no/such/folder' });
    assert.deepEqual(await look(folder), [
      "Folder: failed; There is no folder '/no/such/folder'; correct the agent's 'cwd'",
    ]);
    assert.deepEqual(await look(stdioAgent('no-such-command', [])), [
      'Folder: passed',
      "Command: failed; 'no-such-command' was not found on PATH; install it, or correct the agent's 'command'",
    ]);
    const ended = await look(scriptAgent("warn('no key\\n'); process.exitCode = 3;"));
    assert.deepEqual(ended, [
      'Folder: passed',
      'Command: passed',
      'Start: passed',
      "Exit: failed; It ended (EXIT 3) before it answered; its error output: 'no key'; look at what it wrote to its error output",
    ]);
  });

  it('writes a text that begins with the cause, each step on a line of its own', () => {
    const steps = [
      { name: 'Port', status: 'passed', finding: 'Open' },
      { name: 'Version', status: 'skipped', finding: 'None' },
      { name: 'Path', status: 'failed', finding: 'two\nlines', advice: 'correct the path' },
    ] as const;
    const about = { agent: 'coder', protocol: 'AICF-RPC 1.0', address: 'http://127.0.0.1:1/' };
    assert.equal(
      printDiagnosis({ ...about, steps }),
      [
        'Connection to coder',
        'AICF-RPC 1.0 at http://127.0.0.1:1/',
        '',
        'Likely cause (path): two lines.',
        'What to do: Correct the path.',
        '',
        'What was tried',
        ' 1. OK       Port     Open',
        ' 2. skipped  Version  None',
        ' 3. failed   Path     two lines',
        '',
      ].join('\n'),
    );
  });
});
