import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { EventReader } from '../../../agents/mcp/event-reader.ts';
import { startHandAgent } from '../support/hand-agents.ts';
import { HAND_SCRIPTS } from '../support/hand-scripts.ts';
import { closeRawAgents } from '../support/raw-agent.ts';
import { ask, closeAll, connect, mcpAt, rpc } from './support.ts';

/** The bytes of each event of a stream in chunks, with its data; the rest last. */
function read(
  ...chunks: readonly string[]
): readonly (readonly [bytes: string, data?: string | undefined])[] {
  const reader = new EventReader();
  const found = chunks.flatMap(chunk => reader.push(Buffer.from(chunk)));
  return [
    ...found.map(({ bytes, event }) => [Buffer.from(bytes).toString(), event?.data] as const),
    [Buffer.from(reader.end()).toString()],
  ];
}

describe('the events of a stream with their bytes', () => {
  afterEach(async () => {
    await closeAll();
    await closeRawAgents();
  });

  it('end with an empty line, also if line ends differ', () => {
    assert.deepEqual(read('data: 1\r\n\ndata: 2\n\r\ndata: 3\r\r\ndata: 4'), [
      ['data: 1\r\n\n', '1'],
      ['data: 2\n\r\n', '2'],
      ['data: 3\r\r\n', '3'],
      ['data: 4'],
    ]);
  });

  it('are passed on when the CR of their last line end arrives, and its LF when it arrives', () => {
    assert.deepEqual(read('data: 1\r\n\r', '\n', 'data: 2\r\n', '\r\n'), [
      ['data: 1\r\n\r', '1'],
      ['\n', undefined],
      ['data: 2\r\n\r\n', '2'],
      [''],
    ]);
  });

  it('reach the caller of a server whose line ends differ', async () => {
    const log = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}';
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n';
    const agent = await startHandAgent(HAND_SCRIPTS.mcp, 0, (socket, body) => {
      const id = /"id":(\d+)/.exec(body)?.[1] ?? '1';
      const answer = `{"jsonrpc":"2.0","id":${id},"result":{"x":1}}`;
      socket.end(`${head}data: ${log}\n\r\ndata: ${answer}\r\n\r\n`);
    });
    const { reply } = await ask(connect(mcpAt(`${agent.origin}/`)), rpc('x/y'));
    assert.equal(reply.status, 'ok');
  });

  it('may begin with a byte order mark only at the start of the stream', () => {
    assert.deepEqual(read('\u{feff}data: 1\n\n\u{feff}data: 2\n\n'), [
      ['\u{feff}data: 1\n\n', '1'],
      ['\u{feff}data: 2\n\n', undefined],
      [''],
    ]);
  });
});
