import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import fc from 'fast-check';
import { after, afterEach, before, describe, it } from 'mocha';
import { closeProxies, record, Tape, wireOf } from './support.ts';
import { runs } from '../../support/size.ts';

/** Says when a caller has all of the last reply. */
const LAST = 'the last one';

describe('a recording of requests that do not wait for each other', () => {
  let agent: Server;
  let port = 0;
  before(async () => {
    agent = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => response.end(`got ${Buffer.concat(pieces).toString('latin1')}`));
    });
    agent.keepAliveTimeout = 60_000;
    await new Promise<void>(resolve => agent.listen(0, '127.0.0.1', resolve));
    ({ port } = agent.address() as AddressInfo);
  });
  after(() => {
    agent.closeAllConnections();
    agent.close();
  });
  afterEach(closeProxies);

  const request = (own: number, body: string): string =>
    `POST / HTTP/1.1\r\nHost: 127.0.0.1:${own}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

  /** Sends packets over one connection; resolves with all that came once the last reply is there. */
  async function talk(own: number, packets: readonly string[]): Promise<string> {
    const socket = connect({ port: own, host: '127.0.0.1', noDelay: true });
    let came = '';
    const done = new Promise<void>((resolve, reject) => {
      socket.on('data', piece => {
        came += piece.toString('latin1');
        if (came.endsWith(`got ${LAST}`)) resolve();
      });
      socket.on('close', () => reject(new Error(`The connection ended after ${came}`)));
    });
    for (const packet of packets) {
      socket.write(packet, 'latin1');
      await new Promise(resolve => setTimeout(resolve, 2));
    }
    await done;
    socket.removeAllListeners('close').destroy();
    return came.replaceAll(/\r\nDate: [^\r\n]*/g, '');
  }

  it('has a call of each, however they are cut into packets, and passes what passes without it', async () => {
    const bodies = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r'), maxLength: 30 }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(bodies, fc.array(fc.nat(200), { maxLength: 10 }), async (most, cuts) => {
        const all = [...most, LAST];
        const tape = new Tape();
        const proxy = await record(`http://127.0.0.1:${port}`, tape);
        const packetsFor = (own: number): readonly string[] => {
          const text = all.map(body => request(own, body)).join('');
          const places = [0, ...cuts.filter(cut => cut < text.length).toSorted((a, b) => a - b), text.length];
          return places.slice(1).map((end, index) => text.slice(places[index], end));
        };
        const seen = await talk(proxy.port, packetsFor(proxy.port));
        assert.equal(seen, await talk(port, packetsFor(port)));
        await proxy.close();
        assert.deepEqual(
          tape.calls().map(call => [call.status, wireOf(call, 'out'), wireOf(call, 'in')]),
          all.map(body => ['ok', body, `got ${body}`]),
        );
      }),
      { numRuns: runs(60), examples: [[['', 'a'], []]] },
    );
  });
});
