import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { closeRawAgents, startRawAgent } from '../support/raw-agent.ts';
import { closeProxies, converse, record, Tape } from './support.ts';

describe('a redirect of an agent', () => {
  afterEach(async () => {
    await closeProxies();
    await closeRawAgents();
  });

  const past = ["The redirect leads to 'http://127.0.0.1:9/new': requests sent there bypass the recording"];
  const rows: readonly (readonly [
    name: string,
    status: string,
    location: string,
    notes: readonly string[],
  ])[] = [
    ['to another server leads past the recording', '307 Temporary Redirect', 'http://127.0.0.1:9/new', past],
    ['also one that a browser makes a GET of', '302 Found', 'http://127.0.0.1:9/new', past],
    ['to a path does not', '307 Temporary Redirect', '/new', []],
    ['to the recording does not', '307 Temporary Redirect', 'http://127.0.0.1:PORT/new', []],
    ['is none where something was made', '201 Created', 'http://127.0.0.1:9/new', []],
  ];
  for (const [name, status, location, notes] of rows) {
    it(name, async () => {
      let port = 0;
      const agent = await startRawAgent(socket => {
        const to = location.replace('PORT', String(port));
        socket.end(`HTTP/1.1 ${status}\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`);
      });
      const tape = new Tape();
      ({ port } = await record(agent.origin, tape));
      const request = `POST / HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 4\r\n\r\nLIST`;
      const { bytes } = await converse(port, [request]);
      await closeProxies();
      assert.match(bytes, new RegExp(`^HTTP/1\\.1 ${status}\r\nLocation: `));
      assert.deepEqual(
        tape.calls().map(call => call.notes),
        [notes],
      );
    });
  }
});
