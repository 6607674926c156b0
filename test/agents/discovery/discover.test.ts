import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { discover, type Discovery } from '../../../agents/discovery/discover.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { startA2aAgent } from '../support/a2a-agent.ts';
import { startEverything, type EverythingServer } from '../support/everything-server.ts';
import { startResponsesMock } from '../support/responses-mock.ts';

const KEY = 'sk-abcdefgh12345678';

function look(url: string, headers: ReadonlyMap<string, string> = new Map()): Promise<Discovery> {
  const target = { url: new URL(url), headers, tls: {} };
  return discover(target, ALL_PROTOCOLS, new AbortController().signal);
}

/** What was found, as protocol, address, name, models and whether it needs credentials. */
function summarise({ found }: Discovery): unknown {
  return (
    found && [
      found.protocol.facts.name,
      found.address,
      found.name,
      found.models,
      found.isLocked,
      found.isSure,
    ]
  );
}

describe('finding the protocol at an address', () => {
  let everything: EverythingServer;
  before(async () => {
    everything = await startEverything();
  });
  after(() => everything.close());

  it('finds an MCP server at its address, and at its host', async () => {
    const { url } = everything;
    const found = ['mcp', url, 'mcp-servers/everything', undefined, undefined, true];
    assert.deepEqual(
      [summarise(await look(url)), summarise(await look(new URL('/', url).href))],
      [found, found],
    );
  });

  it('finds an A2A agent of each version by GET alone', async () => {
    for (const version of ['0.3', '1.0'] as const) {
      const agent = await startA2aAgent({ version, streaming: false });
      const found = await look(agent.origin);
      assert.deepEqual(
        [summarise(found), agent.requests.filter(request => !request.startsWith('GET '))],
        [['a2a', `${agent.origin}/`, found.found?.name, undefined, undefined, true], []],
      );
      await agent.close();
    }
  });

  it('finds an agent of the Responses API by its models, or by what it wants first', async () => {
    const mock = await startResponsesMock(KEY);
    const given = new Map([['Authorization', `Bearer ${KEY}`]]);
    const { origin } = new URL(mock.url);
    assert.deepEqual(
      [
        summarise(await look(mock.url)),
        summarise(await look(`${origin}/v1/chat/completions`, given)),
        summarise(await look(origin, given)),
      ],
      [
        ['responses', mock.url, undefined, undefined, true, true],
        ['responses', mock.url, undefined, ['large', 'small'], undefined, true],
        ['responses', mock.url, undefined, ['large', 'small'], undefined, true],
      ],
    );
    assert.equal(mock.requests.filter(request => !request.startsWith('GET ')).length, 0);
    await mock.close();
  });

  it('says what answered in no known protocol, takes its path for a hint, and asks no other host', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.writeHead(404).end('nothing');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [plain, hinted] = [await look(`${origin}/hello`), await look(`${origin}/aip/v1/aicf`)];
    server.close();
    server.closeAllConnections();
    assert.deepEqual(
      [plain.found, plain.isReached, plain.words, summarise(hinted)],
      [
        undefined,
        true,
        'The server there answered 404 Not Found, in no protocol that Parley finds by itself',
        ['aicf', `${origin}/aip/v1/aicf`, undefined, undefined, undefined, false],
      ],
    );
    assert.ok(seen.length > 2);
  });

  it('says that nothing listens', async () => {
    const { found, isReached, words } = await look('http://127.0.0.1:9/');
    assert.deepEqual([found, isReached], [undefined, false]);
    assert.match(words, /ECONNREFUSED|refused/);
  });
});
