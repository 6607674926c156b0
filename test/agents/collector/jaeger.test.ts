import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { fetchJaegerTrace } from '../../../agents/collector/jaeger.ts';
import { resolveTarget } from '../../../agents/collector/target.ts';
import { importTrace } from '../../../trace/import/import.ts';
import type { ImportedTrace } from '../../../trace/import/imported.ts';
import { readJaegerLink, readTraceId } from '../../../trace/import/jaeger-link.ts';
import { foldTrace } from '../../support/at-once.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';

const ID = '5b8aa5a2d2c872e8321cf37308d69df2';

/** As Jaeger 1 and 2 answer `/api/traces/ID`, written by hand after its documented form. */
const LEGACY = `{"data":[{"traceID":"${ID}","spans":[
{"traceID":"${ID}","spanID":"051581bf3cb55c13","flags":1,"operationName":"invoke_agent planner","references":[],"startTime":1760000000000000,"duration":60500,
 "tags":[{"key":"span.kind","type":"string","value":"server"},{"key":"n","type":"int64","value":"9223372036854775807"},{"key":"__proto__","type":"bool","value":true}],
 "logs":[{"timestamp":1760000000015000,"fields":[{"key":"event","type":"string","value":"first token"},{"key":"index","type":"int64","value":0}]}],"processID":"p1","warnings":["clock skew adjusted"]},
{"traceID":"${ID}","spanID":"5fb397be34d26b51","operationName":"execute_tool book","references":[{"refType":"CHILD_OF","traceID":"${ID}","spanID":"51581bf3cb55c13"},{"refType":"FOLLOWS_FROM","traceID":"${ID}","spanID":"aaaa"}],"startTime":1760000000040000,"duration":10000,
 "tags":[{"key":"error","type":"bool","value":true},{"key":"otel.status_code","type":"string","value":"ERROR"},{"key":"otel.status_description","type":"string","value":"no room"},{"key":"gen_ai.operation.name","type":"string","value":"execute_tool"},{"key":"gen_ai.tool.name","type":"string","value":"book"},{"key":"error.type","type":"string","value":"422"}],"logs":[],"processID":"p1","warnings":null},
{"spanID":"1","operationName":"lost"}],
"processes":{"p1":{"serviceName":"planner","tags":[{"key":"host.name","type":"string","value":"box"}]}},"warnings":null}],"total":0,"limit":0,"offset":0,"errors":null}`;

/** As `/api/v3/traces/ID` answers. */
const MODERN = `{"result":{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"planner"}}]},"scopeSpans":[{"scope":{"name":"x"},"spans":[
{"traceId":"${ID}","spanId":"051581bf3cb55c13","parentSpanId":"","name":"invoke_agent planner","kind":2,"startTimeUnixNano":"1760000000000000000","endTimeUnixNano":"1760000000060500000","attributes":[],"status":{}}]}]}]}}`;

const NOT_FOUND = `{"data":null,"total":0,"limit":0,"offset":0,"errors":[{"code":404,"msg":"trace not found"}]}`;

const servers = new Set<Server>();

type Answers = Readonly<Record<string, readonly [status: number, body: string]>>;

async function startJaeger(answers: Answers): Promise<{ url: string; asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer(({ method, url = '', headers }, response) => {
    asked.push(`${method} ${url} ${headers.authorization ?? ''}`.trim());
    const [status, body] = answers[url] ?? [404, '404 page not found'];
    response
      .writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/plain' })
      .end(body);
  });
  servers.add(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function fetchFrom(url: string): Promise<ImportedTrace> {
  const none = (): undefined => undefined;
  const headers = new Map([['authorization', 'Bearer t0ken-of-jaeger']]);
  const resolved = await resolveTarget(
    { url, headers },
    { env: none, input: none, secret: none, demo: none, workspaceFolder: none },
  );
  if (!resolved.ok) throw new Error(resolved.message);
  return fetchJaegerTrace(resolved.target, ID, new AbortController().signal);
}

function draw(node: CallNode): unknown {
  const { call, duration, status, code, message, notes, attributes, children } = node;
  return {
    call: `${call.trace} ${call.agent}: ${call.title} ${call.seen ?? ''}`.trim(),
    at: call.at,
    duration,
    end: [status, code, message].filter(each => each !== undefined).join(' '),
    notes,
    attributes: attributes.map(({ name, json }) => `${name} ${json}`),
    children: children.map(draw),
  };
}

const ROOT = {
  call: `${ID} planner: invoke_agent planner callee`,
  at: 1_760_000_000_000,
  duration: 60.5,
  end: 'ok',
};

const LEGACY_TREE = {
  ...ROOT,
  notes: ['Jaeger says: clock skew adjusted', 'first token: index 0'],
  attributes: [
    'span.kind "server"',
    'n 9223372036854775807',
    '__proto__ true',
    'service.name "planner"',
    'host.name "box"',
  ],
  children: [
    {
      call: `${ID} book: execute_tool book`,
      at: 1_760_000_000_040,
      duration: 10,
      end: 'error 422 no room',
      notes: [`Linked with the span 000000000000aaaa of the trace ${ID}`],
      attributes: [
        'error true',
        'otel.status_code "ERROR"',
        'otel.status_description "no room"',
        'gen_ai.operation.name "execute_tool"',
        'gen_ai.tool.name "book"',
        'error.type "422"',
        'service.name "planner"',
        'host.name "box"',
      ],
      children: [],
    },
  ],
};

function drawAll(imported: ImportedTrace): unknown {
  if (!imported.ok) return imported.error;
  return [foldTrace(imported.events).map(tree => tree.roots.map(draw)), imported.notes];
}

const LEFT_OUT = "A span without ids or times was left out: 'lost'";

describe('a trace of Jaeger', () => {
  afterEach(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    }
    servers.clear();
  });

  it('is read as OTLP where that is there', async () => {
    const { url, asked } = await startJaeger({ [`/base/api/v3/traces/${ID}`]: [200, MODERN] });
    const read = drawAll(await fetchFrom(`${url}/base/`));
    assert.deepEqual(
      [read, asked],
      [
        [[[{ ...ROOT, notes: [], attributes: ['service.name "planner"'], children: [] }]], []],
        [`GET /base/api/v3/traces/${ID} Bearer t0ken-of-jaeger`],
      ],
    );
  });

  it("is read of Jaeger's own JSON else", async () => {
    const { url, asked } = await startJaeger({ [`/api/traces/${ID}`]: [200, LEGACY] });
    assert.deepEqual(
      [drawAll(await fetchFrom(url)), asked.map(line => line.split(' ')[1])],
      [
        [[[LEGACY_TREE]], [LEFT_OUT]],
        [`/api/v3/traces/${ID}`, `/api/traces/${ID}`],
      ],
    );
  });

  it('is read of a file that its pages saved', () => {
    assert.deepEqual(drawAll(importTrace(LEGACY, ALL_PROTOCOLS)), [[[LEGACY_TREE]], [LEFT_OUT]]);
  });

  it('that does not exist is reported, and so is a server that is not a Jaeger', async () => {
    const gone = await startJaeger({ [`/api/traces/${ID}`]: [404, NOT_FOUND] });
    const page = await startJaeger({
      [`/api/v3/traces/${ID}`]: [200, '<!doctype html>'],
      [`/api/traces/${ID}`]: [200, '<!doctype html>'],
    });
    const closed = await startJaeger({ [`/api/traces/${ID}`]: [403, 'not for t0ken-of-jaeger'] });
    const down = 'http://127.0.0.1:1';
    assert.deepEqual(
      await Promise.all(
        [gone.url, page.url, closed.url, down].map(async url => drawAll(await fetchFrom(url))),
      ),
      [
        `${gone.url}/ has no trace '5b8aa5a2d2c872e8321cf37308d69df2'; check its id, and that it was sent there`,
        `GET ${page.url}/api/traces/${ID} did not return a trace; use the address of the Jaeger UI, such as http://localhost:16686`,
        `GET ${closed.url}/api/traces/${ID} was answered with HTTP 403: 'not for [redacted]'; correct the headers that sign in there`,
        `GET ${down}/api/v3/traces/${ID}: no answer came (ECONNREFUSED); check that the server runs and that its address is right`,
      ],
    );
  });

  it('is named by a link to its page, or by its id', () => {
    assert.deepEqual(
      [
        readJaegerLink(`http://localhost:16686/jaeger/trace/${ID}?uiFind=x`),
        readJaegerLink('http://localhost:16686/search'),
        readTraceId(' 5B8AA5A2-D2C8-72E8-321C-F37308D69DF2 '),
        readTraceId('../../secrets'),
      ],
      [{ url: 'http://localhost:16686/jaeger', trace: ID }, undefined, ID, undefined],
    );
  });
});
