import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, workspace, type ExtensionContext } from 'vscode';
import { Telemetry } from '../../client/src/agents/telemetry.ts';
import type {
  OpenedTrace,
  ReceiverStart,
  SendingInfo,
  SendingStart,
  SendStart,
} from '../../client/src/services/telemetry-service.ts';
import { UNTRUSTED } from '../../client/src/base/trust.ts';
import { activateParley, closeEditors, openScratch, sendRequest } from './support/parley.ts';

const TRACE = '5b8aa5a2d2c872e8321cf37308d69df2';

function exportOf(trace: string, span: string): string {
  return `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"reported"}}]},"scopeSpans":[{"spans":[{"traceId":"${trace}","spanId":"${span}","name":"plan trip","kind":2,"startTimeUnixNano":"1760000000000000000","endTimeUnixNano":"1760000000041000000"}]}]}]}`;
}

const servers = new Set<Server>();

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handler);
  servers.add(server);
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('telemetry', () => {
  const settings = workspace.getConfiguration('parley');

  afterEach(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    }
    servers.clear();
    await settings.update('trace.collector', undefined, ConfigurationTarget.Global);
    await closeEditors();
  });

  it('that comes shows in the traces, goes on to a collector, and stops', async () => {
    const api = await activateParley();
    const started = await commands.executeCommand<ReceiverStart>('parley.telemetry', 'startReceiver', {
      port: 0,
    });
    assert.ok(started.ok, JSON.stringify(started));
    const { address } = started.receiver;
    const headers = { 'content-type': 'application/json' };
    const body = exportOf(TRACE, '051581bf3cb55c13');
    const taken = await fetch(`${address}/v1/traces`, { method: 'POST', headers, body });
    assert.equal(await taken.text(), '{}');
    const find = (): readonly string[] =>
      api
        .traces()
        .filter(({ trace }) => trace === TRACE)
        .flatMap(({ roots }) => roots)
        .map(({ call, status }) => `${call.agent} ${call.title} ${status}`);
    assert.deepEqual(find(), ['reported plan trip ok']);

    const paths: string[] = [];
    const collector = await serve((request, response) => {
      paths.push(`${request.method} ${request.url} ${String(request.headers['x-key'])}`);
      request.resume().on('end', () => response.end());
    });
    const setting = { url: collector, headers: { 'X-Key': 'abc' } };
    await settings.update('trace.collector', setting, ConfigurationTarget.Global);
    const sent = await commands.executeCommand<SendStart>(
      'parley.sendToCollector',
      'reported:051581bf3cb55c13',
    );
    assert.deepEqual(
      [sent, paths],
      [{ ok: true, sent: 1, rejected: 0, unsent: 0, problems: [] }, ['POST /v1/traces abc']],
    );

    await commands.executeCommand('parley.telemetry', 'stopReceiver');
    await assert.rejects(fetch(`${address}/v1/traces`, { method: 'POST', headers, body }));
  });

  it('goes to a collector as calls end, until that is stopped, and says what did not get there', async () => {
    await activateParley();
    assert.equal(await commands.executeCommand('parley.telemetry', 'startSending'), undefined);
    let requests = 0;
    const collector = await serve((request, response) => {
      requests++;
      request.resume().on('end', () => response.end());
    });
    await settings.update('trace.collector', { url: collector }, ConfigurationTarget.Global);
    const begun = await commands.executeCommand<SendingStart>('parley.telemetry', 'startSending');
    assert.deepEqual(begun, {
      ok: true,
      sending: { address: `${collector}/`, sent: 0, waiting: 0, lost: 0, problem: undefined },
    });
    const started = await commands.executeCommand<ReceiverStart>('parley.telemetry', 'startReceiver', {
      port: 0,
    });
    assert.ok(started.ok);
    const report = async (span: string): Promise<void> => {
      const headers = { 'content-type': 'application/json' };
      const body = exportOf('e'.repeat(32), span);
      await fetch(`${started.receiver.address}/v1/traces`, { method: 'POST', headers, body });
    };
    await report('e'.repeat(16));
    await report('f'.repeat(16));
    const ended = await commands.executeCommand<SendingInfo>('parley.telemetry', 'stopSending');
    assert.deepEqual([ended, requests], [{ ...begun.sending, sent: 2 }, 1]);
    await report('d'.repeat(16));
    assert.equal(await commands.executeCommand('parley.telemetry', 'stopSending'), undefined);
    assert.equal(requests, 1);
    await commands.executeCommand('parley.telemetry', 'stopReceiver');
  });

  it('tells a collector what was asked and answered where the settings say so', async () => {
    await activateParley();
    const bodies: string[] = [];
    const collector = await serve((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        bodies.push(Buffer.concat(pieces).toString('latin1'));
        response.end();
      });
    });
    const document = await openScratch('collected.aicf', '# @agent toolbox\nCALL|math.add|20|23\n');
    const sent = await sendRequest(document, 'CALL|math.add|20|23');
    assert.ok(sent);
    const send = async (more: { readonly content?: boolean }): Promise<readonly boolean[]> => {
      bodies.length = 0;
      await settings.update('trace.collector', { url: collector, ...more }, ConfigurationTarget.Global);
      await commands.executeCommand('parley.sendToCollector', sent.call);
      await commands.executeCommand('parley.telemetry', 'startSending');
      assert.ok(await sendRequest(document, 'CALL|math.add|20|23'));
      await commands.executeCommand('parley.telemetry', 'stopSending');
      return bodies.map(body => body.includes('["20","23"]') && body.includes('gen_ai.tool.call.result'));
    };
    assert.deepEqual(
      [await send({}), await send({ content: true })],
      [
        [false, false],
        [true, true],
      ],
    );
  });

  it('of a Jaeger opens by the id of its trace', async () => {
    const api = await activateParley();
    const trace = 'c'.repeat(32);
    const url = await serve((request, response) => {
      const isThere = request.url === `/api/v3/traces/${trace}`;
      response
        .writeHead(isThere ? 200 : 404, { 'content-type': 'application/json' })
        .end(isThere ? `{"result":${exportOf(trace, 'cccccccccccccccc')}}` : '{"data":null}');
    });
    const opened = await commands.executeCommand<OpenedTrace>('parley.openTrace', { url, trace });
    const missing = await commands.executeCommand<OpenedTrace>('parley.openTrace', {
      url,
      trace: 'd'.repeat(32),
    });
    assert.deepEqual(
      [opened, missing, api.traces().filter(tree => tree.trace === trace).length],
      [
        { ok: true, call: 'reported:cccccccccccccccc', notes: [] },
        {
          ok: false,
          message: `${url}/ has no trace '${'d'.repeat(32)}'; check its id, and that it was sent there`,
        },
        1,
      ],
    );
  });

  it('opens no port and sends nothing in a workspace that is not trusted', async () => {
    const trusted = Object.getOwnPropertyDescriptor(workspace, 'isTrusted');
    const memory = { get: () => undefined, update: () => Promise.resolve() };
    const context = { secrets: {}, globalState: memory } as unknown as ExtensionContext;
    const telemetry = new Telemetry(context, () => undefined);
    let asked = 0;
    const url = await serve((_, response) => {
      asked++;
      response.end();
    });
    await settings.update('trace.collector', { url }, ConfigurationTarget.Global);
    Object.defineProperty(workspace, 'isTrusted', { configurable: true, get: () => false });
    try {
      const { signal } = new AbortController();
      assert.deepEqual(
        [
          await telemetry.startReceiver(0),
          await telemetry.send({ trees: [], payload: async () => [] }, signal),
          await telemetry.startSending({
            onDidEnd: () => ({ dispose: () => undefined }),
            find: () => undefined,
            payload: async () => [],
          }),
          telemetry.sending,
          await telemetry.openTrace(url, TRACE, signal),
          telemetry.receiver,
          asked,
        ],
        [
          { ok: false, message: UNTRUSTED },
          { ok: false, message: UNTRUSTED },
          { ok: false, message: UNTRUSTED },
          undefined,
          { ok: false, message: UNTRUSTED },
          undefined,
          0,
        ],
      );
    } finally {
      if (trusted) Object.defineProperty(workspace, 'isTrusted', trusted);
      else Reflect.deleteProperty(workspace, 'isTrusted');
      telemetry.dispose();
    }
  });
});
