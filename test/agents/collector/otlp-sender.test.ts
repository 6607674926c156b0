import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { afterEach, describe, it } from 'mocha';
import { cutExport, type SpanBatch } from '../../../agents/collector/batches.ts';
import { batchesOf, sendSpans, type SendReport } from '../../../agents/collector/otlp-sender.ts';
import { OTLP_PROTOBUF } from '../../../agents/collector/otlp-messages.ts';
import { resolveTarget, type TraceTarget } from '../../../agents/collector/target.ts';
import { importOtlp } from '../../../trace/import/otlp-json.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { Tape } from '../proxy/support.ts';
import { recordTeam } from './support.ts';

const servers = new Set<Server>();

type Handler = (request: IncomingMessage, response: ServerResponse, index: number, body: Buffer) => void;

/** A collector that answers as a test says. */
async function startCollector(handler: Handler, port = 0): Promise<number> {
  let count = 0;
  const server = createServer((request, response) => {
    const index = count++;
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => handler(request, response, index, Buffer.concat(pieces)));
  });
  servers.add(server);
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function targetAt(url: string, headers: Record<string, string> = {}): Promise<TraceTarget> {
  const none = (): undefined => undefined;
  const resolved = await resolveTarget(
    { url, headers: new Map(Object.entries(headers)) },
    {
      env: none,
      input: none,
      demo: none,
      workspaceFolder: none,
      secret: name => (name === 'key' ? 'sk-very-secret' : undefined),
    },
  );
  if (!resolved.ok) throw new Error(resolved.message);
  return resolved.target;
}

/** An export of so many spans in two services. */
function exportOf(count: number): object {
  const span = (index: number): object => ({
    traceId: 'a'.repeat(32),
    spanId: (index + 1).toString(16).padStart(16, '0'),
    name: `span ${index}`,
    startTimeUnixNano: '1000000',
    endTimeUnixNano: '2000000',
  });
  const spans = Array.from({ length: count }, (_, index) => span(index));
  const half = Math.floor(count / 2);
  return {
    resourceSpans: [
      { resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'one' }, spans: spans.slice(0, half) }] },
      { resource: { attributes: [] }, scopeSpans: [{ scope: { name: 'two' }, spans: spans.slice(half) }] },
    ],
  };
}

interface Sending {
  readonly report: SendReport;
  /** Milliseconds that it wanted to wait. */
  readonly waits: readonly number[];
}

async function send(
  target: TraceTarget,
  batches: Iterable<SpanBatch> | AsyncIterable<SpanBatch>,
  more: { readonly onWait?: (count: number) => unknown; readonly signal?: AbortSignal } = {},
): Promise<Sending> {
  const waits: number[] = [];
  const report = await sendSpans(
    target,
    batches,
    more.signal ?? new AbortController().signal,
    async (milliseconds, signal) => {
      waits.push(milliseconds);
      await more.onWait?.(waits.length);
      signal.throwIfAborted();
    },
  );
  return { report, waits };
}

function draw(node: CallNode): unknown {
  const { call, status, code, usage, message, attributes, children } = node;
  return [call.agent, call.title, call.at, status, code, usage, message, attributes, children.map(draw)];
}

describe('sending traces to a collector', () => {
  afterEach(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    }
    servers.clear();
  });

  it('brings a trace there as it is here', async () => {
    const json: unknown = JSON.parse(
      new TextDecoder().decode(JsonTraceSerializer.serializeRequest(await recordTeam())),
    );
    const [here, there] = [new Tape(), new Tape()];
    const imported = importOtlp([json]);
    if (imported.ok) imported.events.forEach(event => here.take(event));
    const stored: unknown[] = [];
    const port = await startCollector((_, response, __, body) => {
      const decoded = OTLP_PROTOBUF.decode('Export', body);
      if (decoded.ok) stored.push(decoded.value);
      response.end();
    });
    const source = { trees: here.trees(), payload: async () => [], protocols: ALL_PROTOCOLS };
    const { report } = await send(await targetAt(`http://127.0.0.1:${port}`), batchesOf(source));
    const loaded = importOtlp(stored);
    if (loaded.ok) loaded.events.forEach(event => there.take(event));
    assert.deepEqual(report, { sent: 3, rejected: 0, unsent: 0, problems: [] });
    assert.deepEqual(
      there.trees().map(tree => tree.roots.map(draw)),
      here.trees().map(tree => tree.roots.map(draw)),
    );
    assert.equal(here.trees().length, 1);
  });

  it('makes the next batch of a trace when it is asked for, and reads payloads only then', async () => {
    const here = new Tape();
    for (let index = 0; index < 600; index++) {
      const call = (index + 1).toString(16).padStart(16, '0');
      here.take({ type: 'call', call, trace: 't', at: index, agent: 'a', protocol: 'mcp', title: 'x' });
    }
    const asked: string[] = [];
    const payload = async (call: string): Promise<readonly []> => {
      asked.push(call);
      return [];
    };
    const steps: string[] = [];
    for await (const { spans } of batchesOf({
      protocols: ALL_PROTOCOLS,
      trees: here.trees(),
      payload,
      includesContent: true,
    }))
      steps.push(`${spans} after ${asked.length}`);
    assert.deepEqual(steps, ['512 after 512', '88 after 600']);
  });

  it('cuts an export into batches that name their service', () => {
    const sizes = [...cutExport(exportOf(10), 4)].map(({ value, spans }) => [
      spans,
      (
        value as { resourceSpans: { scopeSpans: { scope: { name: string }; spans: object[] }[] }[] }
      ).resourceSpans.map(({ scopeSpans }) =>
        scopeSpans.map(({ scope, spans: own }) => [scope.name, own.length]),
      ),
    ]);
    assert.deepEqual(sizes, [
      [4, [[['one', 4]]]],
      [4, [[['one', 1]], [['two', 3]]]],
      [2, [[['two', 2]]]],
    ]);
  });

  it('signs in by its headers, and asks for the next batch when the one before it has arrived', async () => {
    const seen: string[] = [];
    const port = await startCollector(({ method, url, headers }, response) => {
      seen.push(`${method} ${url} ${headers['content-type']} ${headers.authorization}`);
      response.end();
    });
    const target = await targetAt(`http://127.0.0.1:${port}/api/otel/`, {
      Authorization: 'Bearer ${secret:key}',
    });
    const order: string[] = [];
    const batches = (function* () {
      for (const batch of cutExport(exportOf(6), 3)) {
        order.push(`asked after ${seen.length}`);
        yield batch;
      }
    })();
    const { report, waits } = await send(target, batches);
    const line = 'POST /api/otel/v1/traces application/x-protobuf Bearer sk-very-secret';
    assert.deepEqual(
      [seen, order, waits, report],
      [
        [line, line],
        ['asked after 0', 'asked after 1'],
        [],
        { sent: 6, rejected: 0, unsent: 0, problems: [] },
      ],
    );
  });

  it('asks a busy collector again, when it says or with growing pauses', async () => {
    const answers: readonly (readonly [number, Record<string, string>])[] = [
      [503, {}],
      [429, { 'retry-after': '7' }],
      [502, {}],
      [200, {}],
    ];
    const port = await startCollector((_, response, index) =>
      response.writeHead(...(answers[index] ?? [500, {}])).end(),
    );
    const { report, waits } = await send(
      await targetAt(`http://127.0.0.1:${port}/v1/traces`),
      cutExport(exportOf(2)),
    );
    assert.deepEqual(
      [report, waits],
      [{ sent: 2, rejected: 0, unsent: 0, problems: [] }, [1000, 7000, 4000]],
    );
  });

  it('waits for a collector that is down, and brings all once it is up', async () => {
    const port = await startCollector((_, response) => response.end());
    const [first] = servers;
    await new Promise(resolve => first?.close(resolve));
    servers.clear();
    let spans = 0;
    const { report, waits } = await send(
      await targetAt(`http://127.0.0.1:${port}`),
      cutExport(exportOf(10), 4),
      {
        onWait: async count => {
          if (count === 2)
            await startCollector((_, response) => {
              spans++;
              response.end();
            }, port);
        },
      },
    );
    assert.deepEqual(
      [report, waits, spans],
      [{ sent: 10, rejected: 0, unsent: 0, problems: [] }, [1000, 2000], 3],
    );
  });

  it('says how many spans were not sent when the collector stays down', async () => {
    const port = await startCollector(() => undefined);
    const [first] = servers;
    await new Promise(resolve => first?.close(resolve));
    servers.clear();
    const { report, waits } = await send(
      await targetAt(`http://127.0.0.1:${port}`),
      cutExport(exportOf(10), 4),
    );
    assert.deepEqual(
      [report, waits],
      [
        {
          sent: 0,
          rejected: 0,
          unsent: 10,
          problems: [
            `POST http://127.0.0.1:${port}/v1/traces: no answer came (ECONNREFUSED); check that the server runs and that its address is right`,
          ],
        },
        [1000, 2000, 4000, 8000],
      ],
    );
  });

  it('gives up at once where it is not let in, and shows no secret that is repeated', async () => {
    let count = 0;
    const port = await startCollector(({ headers }, response) => {
      count++;
      response.writeHead(401, { 'content-type': 'text/plain' }).end(`no such key: ${headers.authorization}`);
    });
    const target = await targetAt(`http://127.0.0.1:${port}`, { Authorization: 'Bearer ${secret:key}' });
    const { report, waits } = await send(target, cutExport(exportOf(10), 4));
    assert.deepEqual(
      [report, waits, count],
      [
        {
          sent: 0,
          rejected: 0,
          unsent: 10,
          problems: [
            `POST http://127.0.0.1:${port}/v1/traces was answered with HTTP 401: 'no such key: [redacted]'; correct the headers that sign in there`,
          ],
        },
        [],
        1,
      ],
    );
  });

  it('takes no page for an answer of a collector, whatever its status', async () => {
    let count = 0;
    const port = await startCollector((_, response) => {
      count++;
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<title>Sign in</title>');
    });
    const { report } = await send(await targetAt(`http://127.0.0.1:${port}`), cutExport(exportOf(4), 2));
    assert.deepEqual(
      [report, count],
      [
        {
          sent: 0,
          rejected: 0,
          unsent: 4,
          problems: [
            `POST http://127.0.0.1:${port}/v1/traces was answered with HTTP 200: '<title>Sign in</title>'; that is a web page: check the address`,
          ],
        },
        1,
      ],
    );
  });

  it('follows no redirect', async () => {
    const port = await startCollector(({ headers }, response) =>
      response.writeHead(307, { location: `http://${headers.host}/elsewhere` }).end(),
    );
    const { report } = await send(await targetAt(`http://127.0.0.1:${port}`), cutExport(exportOf(1)));
    assert.deepEqual(report, {
      sent: 0,
      rejected: 0,
      unsent: 1,
      problems: [
        `POST http://127.0.0.1:${port}/v1/traces was answered with HTTP 307; redirects are not followed, so set the final address there`,
      ],
    });
  });

  it('goes on after a batch that is refused, halves one that is too large, and writes JSON where only that is taken', async () => {
    const bodies: (string | undefined)[] = [];
    const port = await startCollector(({ headers }, response, _, body) => {
      if (headers['content-type'] !== 'application/json') response.writeHead(415).end();
      else {
        const names = [...body.toString().matchAll(/"span (\d+)"/g)].map(([, number]) => number);
        bodies.push(names.join());
        response.writeHead(names.length > 2 ? 413 : names.includes('5') ? 400 : 200).end();
      }
    });
    const { report } = await send(await targetAt(`http://127.0.0.1:${port}`), cutExport(exportOf(8), 4));
    assert.deepEqual(
      [bodies, report],
      [
        ['0,1,2,3', '0,1', '2,3', '4,5,6,7', '4,5', '6,7'],
        {
          sent: 6,
          rejected: 0,
          unsent: 2,
          problems: [`POST http://127.0.0.1:${port}/v1/traces was answered with HTTP 400`],
        },
      ],
    );
  });

  it('counts what the collector did not want', async () => {
    const port = await startCollector((_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}'),
    );
    const { report } = await send(await targetAt(`http://127.0.0.1:${port}`), cutExport(exportOf(5)));
    assert.deepEqual(report, { sent: 2, rejected: 3, unsent: 0, problems: ['The collector says: too old'] });
  });

  it('stops on request, and counts the rest', async () => {
    const stop = new AbortController();
    const port = await startCollector((_, response) => response.writeHead(503).end());
    const { report } = await send(await targetAt(`http://127.0.0.1:${port}`), cutExport(exportOf(10), 4), {
      signal: stop.signal,
      onWait: () => stop.abort(),
    });
    assert.deepEqual(report, { sent: 0, rejected: 0, unsent: 10, problems: ['Sending was stopped'] });
  });

  it('says which variable has no value', async () => {
    await assert.rejects(targetAt('http://127.0.0.1:1', { key: '${secret:other}' }), {
      message: "The variable '${secret:other}' has no value; store a secret under the name 'other'",
    });
    await assert.rejects(targetAt('localhost:4318'), {
      message: "The address 'localhost:4318' should begin with http:// or https://",
    });
  });
});
