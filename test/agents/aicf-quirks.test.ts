import assert from 'node:assert/strict';
import fc from 'fast-check';
import { afterEach, describe, it } from 'mocha';
import { mindQuirks } from '../../agents/aicf/quirky-connection.ts';
import type { ResolvedHttpAgent } from '../../agents/config/resolve-agent.ts';
import type { Connection } from '../../agents/connection.ts';
import { closeRawAgents, reply, startRawAgent, type RawAgent } from './support/raw-agent.ts';
import { agentAt, connectTo, sendTo } from './support/send.ts';
import { runs } from '../support/size.ts';

/** What a server read of its last request. */
interface Received {
  command: string;
  fields: readonly unknown[];
}

/** How a server reads a line: each is written by hand here and knows nothing of Parley. */
type Reading = (line: string) => Received;

/** The running server: the backslash of every escape goes, what is left is unescaped again, arguments get types. */
const asAip2: Reading = line => {
  const fields = [''];
  const trimmed = line.trim();
  for (let at = 0; at < trimmed.length; at++) {
    const character = trimmed.charAt(at);
    if (character === '|') fields.push('');
    else if (character === '\\' && at + 1 < trimmed.length) fields[fields.length - 1] += trimmed.charAt(++at);
    else fields[fields.length - 1] += character;
  }
  const [command = '', tool = '', ...args] = fields.map(field =>
    field.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\|', '|').replaceAll('\\\\', '\\'),
  );
  return { command, fields: [tool, ...args.map(typeOf)] };
};

function typeOf(text: string): unknown {
  if (text.trim() !== '' && !Number.isNaN(Number(text))) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}

/** A server that keeps to the document. */
const asWritten: Reading = line => {
  const [command = '', ...fields] = line
    .split(/(?<!\\)(?:\\\\)*\|/)
    .map(field =>
      field.replace(
        /\\([\\|nrt])/g,
        (_, letter: string) => ({ n: '\n', r: '\r', t: '\t' })[letter] ?? letter,
      ),
    );
  return { command, fields };
};

/** A server with one tool, of which it says what it takes. */
async function serve(read: Reading, takes = 'a|b'): Promise<RawAgent & { readonly received: Received[] }> {
  const received: Received[] = [];
  const agent: RawAgent = await startRawAgent((socket, index) => {
    const bytes = Buffer.from(agent.requests[index] ?? '', 'latin1').toString('utf8');
    const line = bytes.slice(bytes.indexOf('\r\n\r\n') + 4);
    const asked = read(line);
    if (asked.command === 'CALL') received.push(asked);
    const name = String(asked.fields[0]);
    const tool =
      name === 'echo' ? `TOOL|echo|Echoes|${takes}` : `ERR|404|Tool not found: ${name.replace('\n', '\\n')}`;
    socket.end(reply(asked.command === 'INFO' ? tool : 'OK|done'));
  });
  return {
    ...agent,
    get requests() {
      return agent.requests;
    },
    received,
  };
}

function connect(agent: RawAgent, quirks?: ResolvedHttpAgent['quirks']): Connection {
  const resolved = agentAt('aicf', `${agent.origin}/aip/v1/aicf`, quirks === undefined ? {} : { quirks });
  return mindQuirks(connectTo(resolved), resolved);
}

/** The first lines of what was asked. */
function linesOf(agent: RawAgent): readonly string[] {
  return agent.requests.map(request => request.slice(request.indexOf('\r\n\r\n') + 4));
}

const ENCODE = new Map([
  ['\\', '\\\\'],
  ['|', '\\|'],
  ['\n', '\\n'],
  ['\r', '\\r'],
]);

/** A field as the document writes it. */
function encode(text: string): string {
  return text.replace(/[\\|\n\r]/g, character => ENCODE.get(character) ?? '');
}

describe('the quirks of the running AICF server', () => {
  afterEach(closeRawAgents);

  it('are found out once, before the first request that they change', async () => {
    const agent = await serve(asAip2);
    const connection = connect(agent);
    for (const line of ['LIST', 'CALL|echo|plain', 'CALL|echo|a\\|b|C:\\\\temp x', 'CALL|echo|C:\\\\data|x'])
      await sendTo(connection, line);
    assert.deepEqual(linesOf(agent).slice(0, 3), ['LIST', 'CALL|echo|plain', 'INFO|a\\nb']);
    assert.deepEqual(
      agent.received.map(({ fields }) => fields),
      [
        ['echo', 'plain'],
        ['echo', 'C:\\data', 'x'],
      ],
    );
  });

  it('are not minded where the server reads what is written', async () => {
    const agent = await serve(asWritten);
    const connection = connect(agent);
    const { reply: answer, observed } = await sendTo(connection, 'CALL|echo|C:\\\\new|007');
    assert.deepEqual(answer, { status: 'ok', isProtocol: true, text: 'OK|done' });
    assert.deepEqual(linesOf(agent), ['INFO|a\\nb', 'CALL|echo|C:\\\\new|007']);
    assert.deepEqual(
      observed.filter(line => line.startsWith('note')),
      [],
    );
    assert.deepEqual(agent.received, [{ command: 'CALL', fields: ['echo', 'C:\\new', '007'] }]);
  });

  it('are not asked about where the option says what is so', async () => {
    const on = await serve(asAip2);
    await sendTo(connect(on, 'on'), 'CALL|echo|C:\\\\data');
    assert.deepEqual(linesOf(on), ['CALL|echo|C:\\\\\\\\data']);
    const off = await serve(asAip2);
    await sendTo(connect(off, 'off'), 'CALL|echo|C:\\\\data');
    assert.deepEqual(linesOf(off), ['CALL|echo|C:\\\\data']);
  });

  it('let every text arrive that they do not forbid, and name the others before they are sent', async () => {
    const agent = await serve(asAip2);
    const connection = connect(agent, 'on');
    const piece = fc.oneof(
      fc.constantFrom('\\', '|', '\n', '\t', 'n', 't', '"', '{', ' ', 'é', '中', '😀'),
      fc.string(),
    );
    // A field has no carriage return.
    const text = fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join('').replace(/\r\n?/g, '\n'));
    await fc.assert(
      fc.asyncProperty(text, text, async (one, two) => {
        agent.received.length = 0;
        const { reply: answer } = await sendTo(connection, `CALL|echo|${encode(one)}|${encode(two)}`);
        const isForbidden = /\\[nt]/.test(one) || /\\[nt]/.test(two) || two !== two.trim();
        const isTyped = [one, two].some(each => typeof typeOf(each) !== 'string');
        if (isForbidden && !isTyped) {
          assert.equal(answer.code, 'NOT_SENT');
          assert.deepEqual(agent.received, []);
        } else if (!isForbidden) {
          assert.deepEqual(agent.received, [{ command: 'CALL', fields: ['echo', typeOf(one), typeOf(two)] }]);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it('let every JSON arrive', async () => {
    const agent = await serve(asAip2, 'a:object|b:array');
    const connection = connect(agent, 'on');
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.array(fc.jsonValue()),
        async (one, two) => {
          agent.received.length = 0;
          const line = `CALL|echo|${encode(JSON.stringify(one))}|${encode(JSON.stringify(two))}`;
          await sendTo(connection, line);
          const same = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
          assert.deepEqual(agent.received, [{ command: 'CALL', fields: ['echo', same(one), same(two)] }]);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('are named where a text would become a number, with the endpoint that takes it', async () => {
    const agent = await serve(asAip2, 'a:string|b:number');
    const connection = connect(agent);
    const { reply: answer } = await sendTo(connection, 'CALL|echo|007|7');
    assert.deepEqual(answer, {
      status: 'error',
      code: 'NOT_SENT',
      text: '',
      isProtocol: false,
      message: `Not sent: this server would read '007' as the number 7, and 'a' is of type 'string'; its JSON-RPC endpoint takes it: set the agent's "protocol" to "json-rpc" and its "url" to '${agent.origin}/aip/v1/rpc'`,
    });
    await sendTo(connection, 'CALL|echo|seven|7');
    assert.deepEqual(linesOf(agent), ['INFO|a\\nb', 'INFO|echo', 'CALL|echo|seven|7']);
  });

  it('goes all the same where somebody wants that', async () => {
    const agent = await serve(asAip2);
    const connection = connect(agent, 'on');
    const notes: string[] = [];
    const listener = {
      head: () => undefined,
      bytes: () => undefined,
      progress: () => undefined,
      note: (said: string) => void notes.push(said),
    };
    const request = { wireText: 'CALL|echo|C:\\\\new', warningPolicy: 'send' } as const;
    const answer = await connection.send(request, listener, new AbortController().signal);
    assert.equal(answer.status, 'ok');
    assert.deepEqual(agent.received, [{ command: 'CALL', fields: ['echo', 'C:\\\new'] }]);
    assert.deepEqual(notes, [
      `This server unescapes twice and would read '\\n' in 'C:\\new' as a line end; its JSON-RPC endpoint takes it: set the agent's "protocol" to "json-rpc" and its "url" to '${agent.origin}/aip/v1/rpc'`,
      'The request is written for this server, which unescapes twice and types arguments itself (aip-2)',
    ]);
  });

  it('says what came of it where the server is gone', async () => {
    const agent = await serve(asAip2);
    await agent.close();
    const { reply: answer } = await sendTo(connect(agent), 'CALL|echo|a\\|b');
    assert.equal(answer.code, 'ECONNREFUSED');
  });
});
