import assert from 'node:assert/strict';
import { link, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { TRACE_FORMATS } from '../../trace/export/trace-formats.ts';
import { CliFolder } from './support/run-cli.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A planner that asks a booker, which fails: the file as the specification describes it, by hand. */
const RECORDED = [
  '{"format":"agenttrace","version":1,"producer":"by hand"}',
  `{"type":"call","call":"00f067aa0ba902b7","trace":"${TRACE}","at":1760000000000.5,"agent":"planner","protocol":"aicf","title":"trip.plan"}`,
  '{"type":"head","call":"00f067aa0ba902b7","at":1760000000001,"direction":"out","line":"POST http://127.0.0.1:65001/aip/v1/aicf","headers":[{"name":"authorization","value":"[redacted]","redacted":13}]}',
  '{"type":"wire","call":"00f067aa0ba902b7","at":1760000000001.25,"direction":"out","bytes":{"text":"CALL|trip.plan|Oslo"}}',
  `{"type":"call","call":"00f067aa0ba902b8","trace":"${TRACE}","parent":"00f067aa0ba902b7","at":1760000000010,"agent":"booker","from":"planner","protocol":"aio","title":"book","seen":"between"}`,
  '{"type":"wire","call":"00f067aa0ba902b8","at":1760000000010,"direction":"out","bytes":{"text":"{\\"method\\":\\"booker::book\\",\\"params\\":{\\"to\\":\\"Oslo\\"},\\"id\\":7,\\"trace_id\\":\\"AIO-TR-20251009-0001\\"}"}}',
  '{"type":"wire","call":"00f067aa0ba902b8","at":1760000000020,"direction":"in","bytes":{"text":"{\\"error\\":{\\"code\\":-32603,\\"message\\":\\"No seat\\"}}"}}',
  '{"type":"end","call":"00f067aa0ba902b8","at":1760000000020.5,"status":"error","code":"-32603","message":"No seat","usage":{"input":12,"output":3}}',
  '{"type":"head","call":"00f067aa0ba902b7","at":1760000000030,"direction":"in","line":"200 OK","headers":[{"name":"content-type","value":"text/plain"}]}',
  '{"type":"wire","call":"00f067aa0ba902b7","at":1760000000030,"direction":"in","bytes":{"text":"ERR|500|No seat"}}',
  '{"type":"note","call":"00f067aa0ba902b7","at":1760000000031,"text":"This server does not escape"}',
  '{"type":"end","call":"00f067aa0ba902b7","at":1760000000041.5,"status":"error","code":"500","message":"No seat"}',
  '',
].join('\n');

const delta = (text: string): string =>
  `data: {"object":"message","id":"m","type":"reasoning","status":"in_progress"}\n\ndata: {"object":"content","type":"text","index":0,"delta":true,"msg_id":"m","text":"${text}"}\n\n`;

/** A reply that was cut, and one that is awaited with progress. */
const PARTS = [
  { format: 'agenttrace', version: 1 },
  { type: 'call', call: 'a', trace: 't', at: 10, agent: 'planner', protocol: 'agent-api', title: 'story' },
  { type: 'wire', call: 'a', at: 20, direction: 'in', bytes: { text: delta('Hm.\\n').slice(0, 90) } },
  {
    type: 'wire',
    call: 'a',
    at: 30,
    direction: 'in',
    bytes: { text: delta('Hm.\\n').slice(90) + delta('\\u0007') },
  },
  {
    type: 'call',
    call: 'b',
    trace: 't',
    parent: 'a',
    at: 20,
    agent: 'counter',
    protocol: 'mcp',
    title: 'count',
  },
  {
    type: 'wire',
    call: 'b',
    at: 25,
    direction: 'in',
    bytes: {
      text: '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":2}}\n',
    },
  },
  { type: 'end', call: 'a', at: 100, status: 'ok' },
]
  .map(line => `${JSON.stringify(line)}\n`)
  .join('');

const TREE = `Trace ${TRACE}, 2 calls
  trip.plan  planner  error 500 · 41 ms
    failed: 500, the tool failed: No seat
    note: This server does not escape
    book  booker  error -32603 · 11 ms, 12 tokens in, 3 out
      failed: -32603, the tool failed: No seat
`;

describe('parley trace', () => {
  let folder: CliFolder;

  before(async () => {
    folder = await CliFolder.create({
      'a.agenttrace.jsonl': RECORDED,
      'torn.agenttrace.jsonl': RECORDED.slice(0, -20),
      'empty.agenttrace.jsonl': '{"format":"agenttrace","version":1}\n',
      'graph.json':
        '{"trace_id":"AIO-TR-20250326-0001","calls":[{"id":1,"agent":"reader","method":"resources.list","input":{},"output":{"resources":[]},"status":"ok"},{"id":2,"agent":"reader","method":"sampling.start","input":{}}]}',
      'parts.agenttrace.jsonl': PARTS,
      'none.txt': 'hello',
      'bad.json': Uint8Array.of(0x7b, 0xff),
      'deep.agenttrace.jsonl': [
        '{"format":"agenttrace","version":1}',
        ...Array.from(
          { length: 30 },
          (_, index) =>
            `{"type":"call","call":"c${index}","trace":"t","at":${index},"agent":"a${index}","protocol":"mcp","title":"x\\u001b[2J"${index > 0 ? `,"parent":"c${index - 1}"` : ''}}`,
        ),
      ].join('\n'),
    });
  });

  after(async () => {
    await folder.remove();
  });

  it('shows traces as trees', async () => {
    assert.deepEqual(await folder.run(['trace', 'show', 'a.agenttrace.jsonl']), {
      exitCode: 0,
      out: TREE,
      err: '',
    });
  });

  it('says that a file has no calls', async () => {
    assert.deepEqual(await folder.run(['trace', 'show', 'empty.agenttrace.jsonl']), {
      exitCode: 0,
      out: "There are no calls in 'empty.agenttrace.jsonl'\n",
      err: '',
    });
  });

  it('shows what came back, part by part', async () => {
    assert.deepEqual(await folder.run(['trace', 'show', 'parts.agenttrace.jsonl', '--parts']), {
      exitCode: 0,
      out: `Trace t, 2 calls
  story  planner  ok · 90 ms, 2 chunks
    part: Reasoning 'Hm.⏎U+0007', received after 10 ms, in 10 ms, 4 chunks, incomplete
      note: It has no end of its own
    note: The stream did not end; its content may be incomplete
    count  counter  running
      part: Progress 1 of 2, received after 5 ms, running
`,
      err: '',
    });
    const shown = await folder.run([
      'trace',
      'show',
      'parts.agenttrace.jsonl',
      '--parts',
      '--format',
      'json',
    ]);
    const [{ calls }] = JSON.parse(shown.out) as [{ calls: [{ reply: object }, { reply: object }] }];
    assert.deepEqual(calls[1].reply, {
      parts: [
        {
          id: '0',
          kind: 'progress',
          title: '1 of 2',
          status: 'open',
          at: 25,
          until: 25,
          pieces: 1,
          ticks: [25],
          notes: [],
          children: [],
        },
      ],
      notes: [],
    });
    const plain = await folder.run(['trace', 'show', 'parts.agenttrace.jsonl', '--format', 'json']);
    assert.ok(!plain.out.includes('"reply"'));
  });

  it('finds calls by what they said, also where it came in pieces, and shows those that led to them', async () => {
    const find = async (...words: readonly string[]): Promise<readonly string[]> =>
      (await folder.run(['trace', 'show', 'parts.agenttrace.jsonl', '--find', ...words])).out.split('\n');
    // No piece of the wire has both halves.
    const [head, ...lines] = await find('HM.\n\u0007');
    assert.equal(head, 'Trace t, 2 calls, 1 found');
    assert.deepEqual(
      lines.map(line => line.trim().split('  ')[0]),
      ['story', ''],
    );
    assert.deepEqual(
      (await find('notifications/progress')).map(line => line.trim().split('  ')[0]),
      ['Trace t, 2 calls, 1 found', 'story', 'count', ''],
    );
    assert.deepEqual(await find('nowhere'), ["No call in 'parts.agenttrace.jsonl' holds 'nowhere'", '']);
    const found = JSON.parse((await find('Counter', '--format', 'json')).join('\n')) as readonly {
      readonly calls: readonly { readonly id: string }[];
    }[];
    assert.deepEqual(
      found.map(({ calls }) => calls.map(({ id }) => id)),
      [['b']],
    );
  });

  it('shows an AIO graph, and says what it does not tell', async () => {
    assert.deepEqual(await folder.run(['trace', 'show', 'graph.json']), {
      exitCode: 0,
      out: 'Trace AIO-TR-20250326-0001, 2 calls\n  resources.list  reader  ok · 0 ms\n  sampling.start  reader  running\n',
      err: "graph.json: The graph 'AIO-TR-20250326-0001' has no times: its calls are shown in its order, a millisecond apart\n",
    });
  });

  it('reads standard input, and all but the torn line of a file that is being written', async () => {
    const { exitCode, out, err } = await folder.run(['trace', 'show', '-'], {
      input: RECORDED.slice(0, -20),
    });
    assert.deepEqual(
      [exitCode, out.split('\n')[1], err],
      [
        0,
        '  trip.plan  planner  running',
        '-: The last line is incomplete, because writing it was interrupted; it is left out\n',
      ],
    );
  });

  it('moves deep calls in no further, and lets no text steer the terminal', async () => {
    const { out } = await folder.run(['trace', 'show', 'deep.agenttrace.jsonl']);
    assert.deepEqual(out.split('\n').slice(20, 22), [
      `${'  '.repeat(20)}xU+001B[2J  a19  running`,
      `${'  '.repeat(20)}(21) xU+001B[2J  a20  running`,
    ]);
  });

  it('shows a protocol that it does not know as other, and preserves its name in a trace file', async () => {
    const name = 'future.agenttrace.jsonl';
    await folder.write(name, RECORDED.replaceAll('"protocol":"aicf"', '"protocol":"future"'));
    const shown = await folder.run(['trace', 'show', name, '--format', 'json']);
    assert.match(shown.out, /"protocol": "other",\s*"title": "trip.plan"/);
    assert.equal((await folder.run(['trace', 'show', name])).exitCode, 0);
    const saved = await folder.run(['trace', 'export', name, '--to', 'agenttrace']);
    assert.match(saved.out, /"protocol":"future","title":"trip.plan"/);
  });

  it('prints the calls as JSON', async () => {
    const { exitCode, out } = await folder.run(['trace', 'show', 'a.agenttrace.jsonl', '--format', 'json']);
    assert.equal(exitCode, 0);
    assert.deepEqual(JSON.parse(out), [
      {
        trace: TRACE,
        calls: [
          {
            id: '00f067aa0ba902b7',
            agent: 'planner',
            protocol: 'aicf',
            title: 'trip.plan',
            status: 'error',
            code: '500',
            message: 'No seat',
            notes: ['This server does not escape'],
            at: 1760000000000.5,
            until: 1760000000041.5,
            first: 1760000000030,
            pieces: 1,
            bytesOut: 19,
            bytesIn: 15,
          },
          {
            id: '00f067aa0ba902b8',
            parent: '00f067aa0ba902b7',
            agent: 'booker',
            from: 'planner',
            protocol: 'aio',
            title: 'book',
            status: 'error',
            code: '-32603',
            message: 'No seat',
            at: 1760000000010,
            until: 1760000000020.5,
            first: 1760000000020,
            pieces: 1,
            bytesOut: 89,
            bytesIn: 45,
            usage: { input: 12, output: 3 },
            depth: 1,
          },
        ],
      },
    ]);
  });

  for (const { name } of TRACE_FORMATS.filter(({ name }) => ['agenttrace', 'aio', 'otlp'].includes(name)))
    it(`shows the same tree after an export to ${name}`, async () => {
      const out = `out.${name}`;
      assert.deepEqual(
        await folder.run(['trace', 'export', 'a.agenttrace.jsonl', '--to', name, '--out', out]),
        {
          exitCode: 0,
          out: '',
          err: '',
        },
      );
      assert.deepEqual(await folder.run(['trace', 'show', out]), { exitCode: 0, out: TREE, err: '' });
      const printed = await folder.run(['trace', 'export', 'a.agenttrace.jsonl', '--to', name]);
      assert.equal(printed.out, await readFile(join(folder.path, out), 'utf8'));
    });

  it('writes no export over the file that it reads, by whichever name', async () => {
    await folder.write('kept.agenttrace.jsonl', RECORDED);
    await link(join(folder.path, 'kept.agenttrace.jsonl'), join(folder.path, 'twin.agenttrace.jsonl'));
    for (const out of ['kept.agenttrace.jsonl', 'twin.agenttrace.jsonl'])
      assert.deepEqual(
        await folder.run(['trace', 'export', 'kept.agenttrace.jsonl', '--to', 'agenttrace', '--out', out]),
        {
          exitCode: 2,
          out: '',
          err: `parley: '${out}' is the file that is exported; name another file with --out\n`,
        },
      );
    assert.equal(await readFile(join(folder.path, 'kept.agenttrace.jsonl'), 'utf8'), RECORDED);
  });

  it('counts the tokens that agents do not report, in the totals', async () => {
    const { exitCode, out } = await folder.run(['trace', 'export', 'a.agenttrace.jsonl', '--to', 'totals']);
    const tokens = out.split('\r\n').map(row => row.split(',').slice(10, 15).join());
    assert.deepEqual(
      [exitCode, tokens],
      [
        0,
        [
          'input_tokens,output_tokens,counted_input_tokens,counted_output_tokens,uncounted_calls',
          ',,7,6,0',
          '12,3,,,0',
          '12,3,7,6,0',
          '',
        ],
      ],
    );
    // The payloads of the other one were not recorded.
    const unheard = `{"type":"call","call":"c9","trace":"${TRACE}","at":1760000000050,"agent":"other","protocol":"aicf","title":"x"}\n`;
    await folder.write('unheard.agenttrace.jsonl', `${RECORDED}${unheard}`);
    const more = await folder.run(['trace', 'export', 'unheard.agenttrace.jsonl', '--to', 'totals']);
    assert.deepEqual(
      more.out.split('\r\n').map(row => [row.split(',')[2], row.split(',')[14]]),
      [
        ['agent', 'uncounted_calls'],
        ['planner', '0'],
        ['booker', '0'],
        ['other', '1'],
        ['', '1'],
        [undefined, undefined],
      ],
    );
  });

  it('exports the HTTP exchanges of a trace, and says what went another way', async () => {
    const { out } = await folder.run(['trace', 'export', 'a.agenttrace.jsonl', '--to', 'har']);
    const { log } = JSON.parse(out) as { log: { entries: readonly unknown[]; comment: string } };
    assert.deepEqual(
      [log.entries.length, log.comment],
      [1, 'Left out because they do not use HTTP: 1 of 2 calls'],
    );
  });

  for (const [words, exitCode, err] of [
    [
      ['show', 'none.txt'],
      1,
      "none.txt: This is neither a trace file nor an AIO graph, OTLP JSON, HAR or the events of a reply. It begins with 'hello'\n",
    ],
    [['show', 'gone.txt'], 2, "parley: Cannot open 'gone.txt': there is no such file or folder\n"],
    [
      ['export', 'a.agenttrace.jsonl', '--to', 'aio', '--out', 'no/such/folder'],
      2,
      "parley: 'no/such/folder' cannot be written (ENOENT); name another file with --out\n",
    ],
    [['show'], 2, "parley: 'parley trace show' takes one path; it got 0\n"],
  ] as const)
    it(`ends with ${exitCode} for ${words.join(' ')}`, async () => {
      assert.deepEqual(await folder.run(['trace', ...words]), { exitCode, out: '', err });
    });

  it('says where a file of others is larger than can be read at once', async () => {
    await folder.write('large.har', '{');
    // A hole takes no room on a disk, and is not read.
    await truncate(join(folder.path, 'large.har'), 600_000_000);
    assert.deepEqual(await folder.run(['trace', 'show', 'large.har']), {
      exitCode: 2,
      out: '',
      err: "parley: 'large.har' has 600,000,000 bytes, and up to 536,870,888 can be read at once; divide it\n",
    });
  });

  it('ends with 1 for a file that is not UTF-8', async () => {
    const run = await folder.run(['trace', 'show', 'bad.json']);
    assert.deepEqual([run.exitCode, run.out, run.err.includes('UTF-8')], [1, '', true]);
  });
});
