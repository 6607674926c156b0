import assert from 'node:assert/strict';
import { connect, createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, it } from 'mocha';
import { startOtlpReceiver } from '../../agents/collector/otlp-receiver.ts';
import { listenLoopback } from '../../agents/http/local-access.ts';
import { closeProxies, record, Tape } from './proxy/support.ts';

/** Addresses of this computer by which others reach it, and the loopback interface of IPv6. */
function otherAddresses(): readonly string[] {
  const known = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  // An address of one link alone needs the name of that link too.
  const outer = known.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  return ['::1', ...outer.map(({ address }) => address)];
}

function isReached(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host, port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** The addresses by which a port is reached. */
async function reachedAt(port: number): Promise<readonly string[]> {
  const reached: string[] = [];
  for (const host of ['127.0.0.1', ...otherAddresses()]) if (await isReached(host, port)) reached.push(host);
  return reached;
}

describe('what listens', () => {
  it('listens at the address of the loopback interface', async () => {
    const server = createServer();
    const listening = await listenLoopback(server, 0);
    const { address, family, port } = server.address() as AddressInfo;
    server.close();
    assert.deepEqual([address, family, listening], ['127.0.0.1', 'IPv4', { ok: true, port }]);
  });

  it('is reached by this computer alone: a recording, and the receiver of telemetry', async () => {
    const proxy = await record('http://127.0.0.1:1/', new Tape());
    const started = await startOtlpReceiver(0, { emit: () => undefined });
    assert.ok(started.ok);
    const reached = [await reachedAt(proxy.port), await reachedAt(started.receiver.port)];
    await closeProxies();
    await started.receiver.close();
    assert.deepEqual(reached, [['127.0.0.1'], ['127.0.0.1']]);
  });
});
