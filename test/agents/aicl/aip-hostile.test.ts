import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connectAio } from '../../../agents/aio/connection.ts';
import type { Connection } from '../../../agents/connection.ts';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../../../agents/http/http-connection.ts';
import { connectJsonRpc } from '../../../agents/json-rpc/connection.ts';
import { FINE, RPC_ATTACKS } from '../support/rpc-attacks.ts';
import { closeRawAgents, reply, startRawAgent, until } from '../support/raw-agent.ts';
import { agentAt, sendTo } from '../support/send.ts';

const ASK = '{"jsonrpc":"2.0","id":2,"method":"agent::go"}';

const CONNECTORS = [
  {
    title: 'JSON-RPC (AIP)',
    connect: (origin: string, limits: HttpLimits): Connection =>
      connectJsonRpc(agentAt('json-rpc', origin), limits),
  },
  {
    title: 'AIO-MCP 1.2.1',
    connect: (origin: string, http: HttpLimits): Connection => connectAio(agentAt('aio', origin), { http }),
  },
] as const;

for (const { title, connect } of CONNECTORS)
  describe(`a hostile agent of ${title} over HTTP`, () => {
    afterEach(closeRawAgents);

    for (const attack of RPC_ATTACKS)
      it(`${attack.name}: one sentence, the received part is stored, and the next request works`, async () => {
        // The handshake or help, the attack, and then the truth.
        const agent = await startRawAgent((socket, index) =>
          index === 1
            ? attack.answer(socket)
            : void socket.end(reply(index === 0 ? '{"error":{"code":-32601}}' : FINE)),
        );
        const connection = connect(agent.origin, { ...DEFAULT_HTTP_LIMITS, ...attack.limits });
        const sent = await sendTo(connection, ASK);
        const message = sent.reply.message?.replace(`${agent.origin}/`, 'URL').replaceAll(title, 'TITLE');
        assert.deepEqual({ ...sent.reply, ...(message === undefined ? {} : { message }) }, attack.reply);
        assert.deepEqual(
          sent.observed.filter(line => line.startsWith('note: ')).map(line => line.slice(6)),
          attack.notes ?? [],
        );
        assert.equal((await sendTo(connection, ASK)).reply.status, 'ok');
        assert.equal(agent.requests.length, 3);
        await until('the connections are closed', () => agent.countSockets() === 0);
      });
  });
