import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { startOtlpReceiver } from '../../agents/collector/otlp-receiver.ts';
import { Tape } from '../agents/proxy/support.ts';
import { CliFolder } from './support/run-cli.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

const RECORDED = [
  '{"format":"agenttrace","version":1,"producer":"by hand"}',
  `{"type":"call","call":"00f067aa0ba902b7","trace":"${TRACE}","at":1760000000000,"agent":"planner","protocol":"aicf","title":"trip.plan"}`,
  '{"type":"end","call":"00f067aa0ba902b7","at":1760000000041,"status":"ok"}',
  '',
].join('\n');

/** The same with what was on its wire. */
const SAID = RECORDED.replace(
  '{"type":"end"',
  [
    '{"type":"wire","call":"00f067aa0ba902b7","at":1760000000001,"direction":"out","bytes":{"text":"CALL|trip.plan|Oslo"}}',
    '{"type":"wire","call":"00f067aa0ba902b7","at":1760000000002,"direction":"in","bytes":{"text":"OK|booked"}}',
    '{"type":"end"',
  ].join('\n'),
);

/** As Jaeger answers, by hand. */
const ANSWER = `{"result":{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"planner"}}]},"scopeSpans":[{"spans":[{"traceId":"${TRACE}","spanId":"00f067aa0ba902b7","name":"plan trip","kind":2,"startTimeUnixNano":"1760000000000000000","endTimeUnixNano":"1760000000041000000"}]}]}]}}`;

describe('parley trace and servers for traces', () => {
  let folder: CliFolder;
  let jaeger: Server;
  let url: string;
  const asked: string[] = [];

  before(async () => {
    folder = await CliFolder.create({ 'a.agenttrace.jsonl': RECORDED, 'said.agenttrace.jsonl': SAID });
    jaeger = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization ?? ''}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER);
    });
    await new Promise<void>(resolve => jaeger.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(jaeger.address() as AddressInfo).port}`;
  });

  after(async () => {
    await folder.remove();
    await new Promise(resolve => jaeger.close(resolve));
  });

  it('sends the spans of a file to a collector, to which they are spans like all others', async () => {
    const tape = new Tape();
    const started = await startOtlpReceiver(0, { emit: event => tape.take(event) });
    assert.ok(started.ok);
    const run = await folder.run([
      'trace',
      'export',
      'a.agenttrace.jsonl',
      '--to',
      'otlp',
      '--post',
      started.receiver.address,
    ]);
    await started.receiver.close();
    assert.deepEqual(
      [
        run,
        tape
          .calls()
          .map(({ call, status, duration }) => [
            call.trace,
            call.agent,
            call.title,
            call.protocol,
            status,
            duration,
          ]),
      ],
      [
        { exitCode: 0, out: '', err: 'parley: 1 spans sent, 0 rejected, 0 not sent\n' },
        [[TRACE, 'trip.plan', 'execute_tool trip.plan', 'other', 'ok', 41]],
      ],
    );
  });

  it('sends what was asked and answered where that is wanted', async () => {
    const reported: string[] = [];
    const started = await startOtlpReceiver(0, {
      emit: event => {
        if (event.type !== 'attributes') return;
        for (const { name, json } of event.attributes)
          if (/[.]call[.]/.test(name)) reported.push(`${name} ${json}`);
      },
    });
    assert.ok(started.ok);
    const { address } = started.receiver;
    const line = ['trace', 'export', 'said.agenttrace.jsonl', '--to', 'otlp'];
    const without = await folder.run([...line, '--post', address]);
    assert.deepEqual([without.exitCode, reported], [0, []]);
    const run = await folder.run([...line, '--post', address, '--content']);
    await started.receiver.close();
    const said = ['gen_ai.tool.call.arguments "[\\"Oslo\\"]"', 'gen_ai.tool.call.result "booked"'];
    assert.deepEqual([run.exitCode, reported], [0, said]);
    const file = await folder.run([...line, '--content']);
    assert.deepEqual(
      [file.exitCode, file.out.includes('"key":"gen_ai.tool.call.result","value":{"stringValue":"booked"}')],
      [0, true],
    );
    const wrong = await folder.run(['trace', 'export', 'a.agenttrace.jsonl', '--to', 'aio', '--content']);
    assert.deepEqual([wrong.exitCode, wrong.err], [2, "parley: --content goes with '--to otlp'\n"]);
  });

  it('says what was not sent, and fails', async () => {
    const closed = createServer((_, response) => response.writeHead(401).end());
    await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    const run = await folder.run([
      'trace',
      'export',
      'a.agenttrace.jsonl',
      '--to',
      'otlp',
      '--post',
      address,
    ]);
    await new Promise(resolve => closed.close(resolve));
    assert.deepEqual(run, {
      exitCode: 1,
      out: '',
      err: `parley: POST ${address}/v1/traces was answered with HTTP 401; correct the headers that sign in there\nparley: 0 spans sent, 0 rejected, 1 not sent\n`,
    });
  });

  it('shows a trace of a Jaeger, signed in by a header of the environment', async () => {
    const run = await folder.run(
      ['trace', 'show', '--jaeger', url, TRACE, '--header', 'Authorization: Bearer ${env:JAEGER_KEY}'],
      { env: { JAEGER_KEY: 'key-of-jaeger' } },
    );
    assert.deepEqual(
      [run, asked],
      [
        {
          exitCode: 0,
          out: `Trace ${TRACE}, 1 call\n  plan trip  planner  ok · 41 ms\n`,
          err: '',
        },
        [`/api/v3/traces/${TRACE} Bearer key-of-jaeger`],
      ],
    );
  });

  it('takes no id that is none, no header without a colon, and --post with OTLP alone', async () => {
    const wrong = await folder.run(['trace', 'show', '--jaeger', url, '../x']);
    const header = await folder.run(['trace', 'show', '--jaeger', url, TRACE, '--header', 'x']);
    const secret = await folder.run([
      'trace',
      'show',
      '--jaeger',
      url,
      TRACE,
      '--header',
      'x: ${secret:key}',
    ]);
    const format = await folder.run(['trace', 'export', 'a.agenttrace.jsonl', '--to', 'aio', '--post', url]);
    assert.deepEqual(
      [wrong, header, secret, format].map(({ exitCode, err }) => [exitCode, err]),
      [
        [2, "parley: '../x' is not a trace id; it has up to 32 hexadecimal digits\n"],
        [2, "parley: --header takes a name and a value with a colon between; it got 'x'\n"],
        [
          2,
          "parley: The variable '${secret:key}' has no value; store a secret under the name 'key'; on the command line set PARLEY_SECRET_KEY\n",
        ],
        [2, "parley: --post goes with '--to otlp' and without --out\n"],
      ],
    );
  });
});
