import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { PROTOCOLS } from '../../../core/catalog/protocols.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { until } from '../support/raw-agent.ts';
import { CALLERS } from './callers.ts';
import { agentOf, bridge, type TestBridge } from './support.ts';
import { startTarget, type Target } from './targets.ts';

describe('the callers of a bridge', () => {
  const open: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  const serve = async (
    as: (typeof PROTOCOLS)[number]['name'],
  ): Promise<{ readonly bridged: TestBridge; readonly target: Target }> => {
    const target = await startTarget('json-rpc');
    open.push(() => target.close());
    const bridged = await bridge(agentOf({ protocol: 'json-rpc', type: 'http', url: target.url }), as);
    open.push(() => bridged.close());
    return { bridged, target };
  };

  /** Sends bytes over a connection of its own. Resolves with all that comes back. */
  const send = async (address: string, head: readonly string[], body: string): Promise<string> => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    const lines = [...head, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', '', body];
    socket.write(lines.join('\r\n'));
    let received = '';
    for await (const piece of socket) received += String(piece);
    return received;
  };

  for (const { name: as } of PROTOCOLS)
    it(`leave a call without a trace after its end, in ${as}`, async () => {
      const { bridged, target } = await serve(as);
      const { body = '' } = CALLERS[as].call('wait', { text: 'x' });
      const { hostname, port, pathname } = new URL(bridged.address);
      const socket = connect(Number(port), hostname);
      const head = `POST ${pathname} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${Buffer.byteLength(body)}`;
      socket.write(`${head}\r\nContent-Type: application/json\r\n\r\n${body}`);
      await until('the agent to receive the call', () => target.waiting() === 1);
      socket.destroy();
      await once(socket, 'close');
      const isGone = (event: TraceEvent): boolean => event.type === 'end' && event.code === 'CALLER_GONE';
      await until('the end of the call', () => bridged.events.some(isGone));
      if (as !== 'a2a') await until('the agent to be left', () => target.left() === 1);
      await bridged.close();
      open.pop();
      const ended = new Set<string>();
      for (const event of bridged.events) {
        assert.ok(!('call' in event) || !ended.has(event.call), JSON.stringify(event));
        if (event.type === 'end') ended.add(event.call);
      }
    });

  /** Sends requests to a bridge on one connection, as the version of HTTP that is named. */
  const begin = (bridged: TestBridge, words: readonly string[], version: '1.0' | '1.1'): Socket => {
    const { hostname, port, pathname } = new URL(bridged.address);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    for (const word of words) {
      const { body = '' } = CALLERS['json-rpc'].call(word, { text: 'x' });
      const head = `POST ${pathname} HTTP/${version}\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${body.length}`;
      socket.write(`${head}\r\n\r\n${body}`);
    }
    return socket;
  };

  for (const version of ['1.0', '1.1'] as const)
    it(`receive their reply also where they have closed their side, in HTTP/${version}`, async () => {
      const { bridged, target } = await serve('json-rpc');
      const socket = begin(bridged, ['hold'], version);
      socket.end();
      await until('the agent to receive the call', () => target.waiting() === 1);
      // Longer than the bridge takes to find that a caller has gone.
      await new Promise(resolve => setTimeout(resolve, 200));
      target.release();
      let received = '';
      for await (const piece of socket) received += String(piece);
      const [, reply = ''] =
        /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)*HTTP\/1\.1 200 OK([\s\S]*)$/.exec(received) ?? [];
      assert.match(reply, /said it/, received);
      assert.equal(received.includes(' 100 '), version === '1.1');
      assert.equal(target.left(), 0);
    });

  it('receive all their replies where they have sent several requests and closed their side', async () => {
    const { bridged, target } = await serve('json-rpc');
    const socket = begin(bridged, ['hold', 'say'], '1.1');
    socket.end();
    await until('the agent to receive the call', () => target.waiting() === 1);
    await new Promise(resolve => setTimeout(resolve, 200));
    target.release();
    let received = '';
    for await (const piece of socket) received += String(piece);
    const interim = 'HTTP/1\\.1 100 Continue\\r\\n\\r\\n';
    const reply = 'HTTP/1\\.1 200 OK\\r\\n(?:[^\\r]+\\r\\n)+\\r\\n\\{[^\\r]*said it[^\\r]*\\}';
    assert.match(received, new RegExp(`^(?:(?:${interim})*${reply}){2}$`));
  });

  it('end their call where they close both sides, one after the other', async () => {
    const { bridged, target } = await serve('json-rpc');
    const socket = begin(bridged, ['wait'], '1.1');
    socket.end();
    await until('the agent to receive the call', () => target.waiting() === 1);
    await new Promise(resolve => setTimeout(resolve, 200));
    assert.equal(target.left(), 0);
    // What was received and is not read makes the system reset the connection.
    socket.destroy();
    await until('the agent to be left', () => target.left() === 1);
  });

  it('hear why a compressed request is refused', async () => {
    const { bridged } = await serve('json-rpc');
    const { body = '' } = CALLERS['json-rpc'].call('say', { text: 'x' });
    const post = (encoding: string): Promise<Response> =>
      fetch(bridged.address, { method: 'POST', headers: { 'content-encoding': encoding }, body });
    const refused = await post('gzip');
    assert.deepEqual(
      [refused.status, refused.headers.get('accept-encoding'), await refused.text()],
      [415, 'identity', 'The request is compressed (gzip): send it without Content-Encoding'],
    );
    assert.match(await (await post('identity')).text(), /said it/);
  });

  it('may name the host in the target of a request, as proxies do', async () => {
    const { bridged } = await serve('json-rpc');
    const { origin, host, pathname } = new URL(bridged.address);
    const { body = '' } = CALLERS['json-rpc'].call('say', { text: 'x' });
    for (const target of [pathname, `${origin}${pathname}`, `HTTP://${host}${pathname}?x=1?y`]) {
      const answered = await send(bridged.address, [`POST ${target} HTTP/1.1`, `Host: ${host}`], body);
      assert.match(answered, /^HTTP\/1\.1 200 [\s\S]*said it/, target);
    }
    // The Host header of such a request does not count.
    const other = await send(bridged.address, [`POST ${origin}${pathname} HTTP/1.1`, 'Host: x.test'], body);
    assert.match(other, /^HTTP\/1\.1 200 /);
    for (const target of [
      `http://x.test${pathname}`,
      `http://127.0.0.1${pathname}`,
      `http://a@${host}${pathname}`,
    ]) {
      const refused = await send(bridged.address, [`POST ${target} HTTP/1.1`, `Host: ${host}`], body);
      assert.match(refused, /^HTTP\/1\.1 403 [\s\S]*answers on loopback names only/, target);
    }
    const nowhere = await send(bridged.address, [`GET ${origin} HTTP/1.1`, `Host: ${host}`], '');
    assert.match(nowhere, /^HTTP\/1\.1 404 /);
    const lines = bridged.events.flatMap(event => (event.type === 'head' ? [event.line] : []));
    assert.ok(lines.includes(`POST ${origin}${pathname}`), lines.join('\n'));
    assert.ok(!lines.some(line => line.includes('http://127.0.0.1', 12)), lines.join('\n'));
  });
});
