import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { ROOT } from '../../scripts/root.ts';
import { EVERYTHING } from '../agents/mcp/support.ts';
import { CliFolder } from './support/run-cli.ts';

/** An agent over standard input and output; it answers by lines and knows nothing of Parley. */
const MCP_AGENT = `
const { createInterface } = require('node:readline');
const pages = {
  first: { tools: [{ name: 'one', description: 'Does one thing.\\n\\nAnd no other.', inputSchema: SCHEMA }], nextCursor: 'second' },
  second: { tools: [{ name: 'two' }] },
};
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params = {} } = JSON.parse(line);
  const say = more => process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',' + more + '}\\n');
  if (method === 'initialize')
    say('"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"p","version":"1"}}');
  else if (method === 'tools/list') say('"result":' + JSON.stringify(pages[params.cursor ?? 'first']).replace('"DIGITS"', '9007199254740993'));
  else if (id !== undefined) say('"error":{"code":-32601,"message":"Method not found"}');
});`;
const SCHEMA = {
  type: 'object',
  properties: { path: { type: 'string' }, most: { type: 'integer', maximum: 'DIGITS' } },
  required: ['path'],
};

const NUMBERS = '{"maximum":1e400,"minimum":-0,"multipleOf":1.50,"default":12345678901234567890}';

const DEEP = 250;
const nest = (levels: number): string => `${'{"deep":'.repeat(levels)}1${'}'.repeat(levels)}`;

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

/** An agent whose tool says what would steer a terminal, and numbers that no double holds. */
const ODD_AGENT = MCP_AGENT.replace(
  /const pages = [^]*?\n};/,
  `const pages = { first: { tools: [{ name: 'o\\u202edd\\n', description: 'Red: \\u001b[31m\\ttab\\r\\nand \\u009b', inputSchema: 'ODD' }] } };`,
).replace("'\"DIGITS\"', '9007199254740993'", `'"ODD"', '{"properties":{"n":NUMBERS}}'`);

/** An agent whose lists are not what MCP says. */
const LONG = 'x'.repeat(10_000);
const STRANGE_AGENT = `
const LONG = 'x'.repeat(10000);
const lists = {
  'tools/list': { tools: [{ name: 't', inputSchema: { properties: { n: {} } } }] },
  'resources/list': { resources: [7, { uri: LONG, name: 9 }] },
  'resources/templates/list': { resourceTemplates: 'none' },
  'prompts/list': { prompts: [{ name: 'p', arguments: [null, { name: 'a', required: 'yes' }] }] },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method } = JSON.parse(line);
  const result = method === 'initialize'
    ? { protocolVersion: '2025-06-18', capabilities: { tools: {}, resources: {}, prompts: {} }, serverInfo: { name: 'p', version: '1' } }
    : lists[method];
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
});`;

describe('parley tools', () => {
  let folder: CliFolder;
  let port: number;

  before(async () => {
    port = await closedPort();
    const args = ['-e', MCP_AGENT.replace('SCHEMA', JSON.stringify(SCHEMA))];
    const agents = {
      toolbox: { protocol: 'aicf', type: 'http', url: '${demo:toolbox}' },
      librarian: { protocol: 'mcp', type: 'http', url: '${demo:librarian}' },
      herald: { protocol: 'a2a', type: 'http', url: '${demo:herald}' },
      talker: { protocol: 'responses', type: 'http', url: `http://127.0.0.1:${port}/` },
      files: { protocol: 'mcp', type: 'stdio', command: 'node', args },
      odd: {
        protocol: 'mcp',
        type: 'stdio',
        command: 'node',
        args: ['-e', ODD_AGENT.replace('NUMBERS', NUMBERS)],
      },
      everything: {
        protocol: 'mcp',
        type: 'stdio',
        command: 'node',
        args: [join(ROOT, EVERYTHING), 'stdio'],
      },
      strange: { protocol: 'mcp', type: 'stdio', command: 'node', args: ['-e', STRANGE_AGENT] },
      deep: {
        protocol: 'mcp',
        type: 'stdio',
        command: 'node',
        args: ['-e', ODD_AGENT.replace('NUMBERS', nest(DEEP))],
      },
      gone: { protocol: 'mcp', type: 'http', url: `http://127.0.0.1:${port}/` },
      locked: { protocol: 'aicf', type: 'http', url: 'http://127.0.0.1:1/${secret:key}' },
    };
    folder = await CliFolder.create({ '.vscode/agents.json': JSON.stringify({ agents }) });
  });
  after(() => folder.remove());

  it('lists them with what they take and say', async () => {
    const toolbox = [
      'text.reverse (text: string)',
      '  Reverses a text, character by character',
      'math.add (a: number, b: number)',
      '  Adds two numbers',
      'weather.forecast (city: string, days?: integer)',
      '  A forecast for the next days, made up from the name of the city',
      'image.gradient (width?: integer, height?: integer)',
      '  A small grey image as rows of numbers from 0 to 255',
      'slow.count (seconds: number)',
      '  Counts the seconds as they pass, one chunk a second',
      'fail.always (reason?: string)',
      '  Fails, to show what a failed call looks like',
    ];
    const librarian = [
      ...toolbox,
      'book.borrow (title: string)',
      '  Lends a book; asks the user for how long (elicitation)',
      'book.review (title: string)',
      '  Reviews a book in the words of a model of the client (sampling)',
      'resource book:odyssey (odyssey)',
      'resource book:emma (emma)',
      'template book:{title} (book)',
      '  The first sentence of a book',
      'prompt summarize (title)',
      '  Asks for a summary of a book',
    ];
    for (const [name, lines] of [
      ['toolbox', toolbox],
      ['librarian', librarian],
    ] as const)
      assert.deepEqual(await folder.run(['tools', name]), {
        exitCode: 0,
        out: `${lines.join('\n')}\n`,
        err: '',
      });
  });

  it('reads all pages, of an agent that is a process', async () => {
    assert.deepEqual(await folder.run(['tools', 'files']), {
      exitCode: 0,
      out: 'one (path: string, most?: integer)\n  Does one thing.\n\n  And no other.\ntwo\n',
      err: '',
    });
  });

  it('prints the schemas as the agent gave them, to the last digit', async () => {
    const run = await folder.run(['tools', 'files', '--format', 'json']);
    assert.match(run.out, /"maximum": 9007199254740993\n/);
    const schema = JSON.parse(JSON.stringify(SCHEMA).replace('"DIGITS"', '9007199254740993')) as unknown;
    assert.deepEqual(
      { ...run, out: JSON.parse(run.out) as unknown },
      {
        exitCode: 0,
        out: {
          tools: [
            { name: 'one', description: 'Does one thing.\n\nAnd no other.', schema },
            { name: 'two', description: '' },
          ],
        },
        err: '',
      },
    );
  });

  it('lists the resources, templates and prompts of the reference server of MCP', async () => {
    const { out } = await folder.run(['tools', 'everything']);
    const entries = out.split('\n').filter(text => /^(?:resource|template|prompt) /.test(text));
    assert.deepEqual(entries.slice(-7), [
      'resource demo://resource/static/document/structure.md (structure.md)',
      'template demo://resource/dynamic/text/{resourceId} (Dynamic Text Resource)',
      'template demo://resource/dynamic/blob/{resourceId} (Dynamic Blob Resource)',
      'prompt simple-prompt',
      'prompt args-prompt (city, state?)',
      'prompt completable-prompt (department, name)',
      'prompt resource-prompt (resourceType, resourceId)',
    ]);
    const json = JSON.parse((await folder.run(['tools', 'everything', '--format', 'json'])).out) as Record<
      'tools' | 'resources' | 'templates' | 'prompts',
      readonly Record<string, unknown>[]
    >;
    assert.deepEqual(
      [json.templates[0]?.['uriTemplate'], json.templates[0]?.['arguments'], json.prompts[1]?.['arguments']],
      [
        'demo://resource/dynamic/text/{resourceId}',
        [{ name: 'resourceId', type: 'string', optional: false }],
        [
          { name: 'city', type: 'string', optional: false },
          { name: 'state', type: 'string', optional: true },
        ],
      ],
    );
  });

  it('prints the entries of lists whose members have other types or are long', async () => {
    assert.deepEqual(await folder.run(['tools', 'strange']), {
      exitCode: 0,
      out: `t (n?: any)\nresource\nresource ${LONG}\nprompt p (?, a?)\n`,
      err: 'strange: note: resources/templates/list did not return a list\n',
    });
  });

  it('prints what would steer a terminal so that it is seen', async () => {
    assert.deepEqual(await folder.run(['tools', 'odd']), {
      exitCode: 0,
      out: 'oU+202Edd⏎ (n?: any)\n  Red: U+001B[31m\ttab\n  and U+009B\n',
      err: '',
    });
  });

  it('prints numbers of schemas as the agent wrote them', async () => {
    const run = await folder.run(['tools', 'odd', '--format', 'json']);
    const schema = /"n": (\{[^}]*\})/.exec(run.out)?.[1];
    assert.equal(schema?.replace(/\s/g, ''), NUMBERS);
  });

  it('tells where a schema is nested deeper than it is read, and keeps what is deeper', async () => {
    const run = await folder.run(['tools', 'deep', '--format', 'json']);
    const [text] = /"(?:\\.|[^"\\])*\\"(?:\\.|[^"\\])*"/.exec(run.out) ?? [''];
    const stored = JSON.parse(text || '""') as string;
    const outer = run.out.split('"deep": ').length - 1;
    assert.deepEqual(
      [run.exitCode, stored, outer, run.err],
      [
        0,
        nest(DEEP - outer),
        194,
        'deep: note: the list of tools is nested deeper than 200 levels; what is deeper in a schema is shown as a text of JSON\n',
      ],
    );
  });

  it('prints the arguments of an agent that has no schemas', async () => {
    const run = await folder.run(['tools', 'toolbox', '--format', 'json']);
    const { tools: listed } = JSON.parse(run.out) as { tools: readonly unknown[] };
    assert.deepEqual(
      [run.exitCode, run.err, listed.length, listed[2]],
      [
        0,
        '',
        6,
        {
          name: 'weather.forecast',
          description: 'A forecast for the next days, made up from the name of the city',
          arguments: [
            { name: 'city', type: 'string', optional: false },
            { name: 'days', type: 'integer', optional: true },
          ],
        },
      ],
    );
  });

  it('tells where it does not ask for the arguments of all tools', async () => {
    const names = Array.from({ length: 201 }, (_, at) => `t${at}`);
    const asked: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        const name = body.split('|')[1];
        if (name !== undefined) asked.push(name);
        response.end(name === undefined ? `TOOLS|${names.join('|')}` : `TOOL|${name}||a:string`);
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await folder.write(
      'many.json',
      JSON.stringify({ agents: { many: { protocol: 'aicf', type: 'http', url, quirks: 'off' } } }),
    );
    const run = await folder.run(['tools', 'many', '--agents', 'many.json']);
    await new Promise(resolve => server.close(resolve));
    assert.deepEqual(
      [run, asked],
      [
        {
          exitCode: 0,
          out: `${names.map(name => (name === 't200' ? name : `${name} (a: string)`)).join('\n')}\n`,
          err: 'many: note: of 201 tools the first 200 were queried for their arguments; only the names of the others are known\n',
        },
        names.slice(0, 200),
      ],
    );
  });

  it('says in one sentence why there are none, and exits 1', async () => {
    const err = `gone: Tried POST http://127.0.0.1:${port}/, but nothing listens at 127.0.0.1:${port} (connection refused); start the agent or correct its url\n`;
    assert.deepEqual(await folder.run(['tools', 'gone']), { exitCode: 1, out: '', err });
    assert.deepEqual(await folder.run(['tools', 'gone', '--format', 'json']), {
      exitCode: 1,
      out: '{\n  "tools": []\n}\n',
      err,
    });
    assert.deepEqual(await folder.run(['tools', 'talker']), {
      exitCode: 1,
      out: '',
      err: 'talker: Agents of OpenAI Responses do not list their tools; send one a task\n',
    });
  });

  it('lists the skills of an A2A agent', async () => {
    assert.deepEqual(await folder.run(['tools', 'herald']), {
      exitCode: 0,
      out: 'proclaim\n  Says it so that all hear it\n',
      err: '',
    });
  });

  it('wants the name of one agent that the file has, and values for its variables', async () => {
    const errors = await Promise.all(
      [['tools'], ['tools', 'a', 'b'], ['tools', 'toolbx'], ['tools', 'locked']].map(async words => {
        const { exitCode, out, err } = await folder.run(words);
        return [exitCode, out, err.replaceAll(folder.path, '')];
      }),
    );
    assert.deepEqual(errors, [
      [2, '', "parley: 'parley tools' takes the name of one agent; it got 0\n"],
      [2, '', "parley: 'parley tools' takes the name of one agent; it got 2\n"],
      [2, '', "parley: There is no agent 'toolbx' in '/.vscode/agents.json': did you mean 'toolbox'?\n"],
      [
        2,
        '',
        "parley: The agent 'locked': The variable '${secret:key}' has no value; store a secret under the name 'key'; on the command line set PARLEY_SECRET_KEY\n",
      ],
    ]);
  });
});
