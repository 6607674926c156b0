import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import type { ResolvedHttpAgent } from '../../agents/config/resolve-agent.ts';
import { agentAt, connectTo, sendTo, type Sent } from './support/send.ts';

// A certificate that signed itself, for 127.0.0.1 and for tests alone, with its key.
const cert = readFileSync(new URL('./fixtures/tls/cert.pem', import.meta.url), 'utf8');
const key = readFileSync(new URL('./fixtures/tls/key.pem', import.meta.url), 'utf8');

describe('an agent over https', () => {
  let server: Server;
  let url: string;
  before(async () => {
    server = createServer({ cert, key }, (request, response) => {
      request.resume();
      response.end('OK|1');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/aip/v1/aicf`;
  });
  after(() => void server.close());

  const send = (tls: ResolvedHttpAgent['tls']): Promise<Sent> =>
    sendTo(connectTo(agentAt('aicf', url, { tls })), 'LIST');
  const OK = { status: 'ok', isProtocol: true, text: 'OK|1' } as const;

  it('is not accepted with a self-signed certificate', async () => {
    assert.deepEqual((await send({})).reply, {
      status: 'error',
      isProtocol: false,
      text: '',
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      message: `Tried POST ${url}, but the agent's certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); name its authority with 'tls.ca' or set 'tls.allowSelfSigned'`,
    });
  });

  it('is taken with its authority named, or when the user says so', async () => {
    assert.deepEqual((await send({ ca: cert })).reply, OK);
    assert.deepEqual((await send({ allowSelfSigned: true })).reply, OK);
  });

  it('gets a certificate that cannot be read: one sentence', async () => {
    const { reply } = await send({ cert: 'no PEM', key: 'no PEM' });
    assert.deepEqual([reply.status, reply.isProtocol], ['error', false]);
    assert.match(reply.message ?? '', new RegExp(`^Tried POST ${url}, but that failed: .+`));
  });
});
