import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { CliFolder } from './support/run-cli.ts';

const AGENTS = JSON.stringify({
  agents: {
    toolbox: { protocol: 'aicf', type: 'http', url: '${demo:toolbox}' },
    librarian: { protocol: 'mcp', type: 'http', url: '${demo:librarian}' },
  },
});

/** A recording made by hand: what the demo agent answers, and what it does not. */
function recording(answer: string): string {
  return [
    '{"format":"agenttrace","version":1}',
    '{"type":"call","call":"c1","trace":"t1","at":1000,"agent":"toolbox","protocol":"aicf","title":"math.add"}',
    '{"type":"wire","call":"c1","at":1001,"direction":"out","bytes":{"text":"CALL|math.add|19|23"}}',
    `{"type":"wire","call":"c1","at":1002,"direction":"in","bytes":{"text":${JSON.stringify(answer)}}}`,
    '{"type":"end","call":"c1","at":1003,"status":"ok"}',
    '{"type":"call","call":"c2","trace":"t1","parent":"c1","at":1001.5,"agent":"deep","protocol":"aicf","title":"own"}',
    '{"type":"end","call":"c2","at":1002,"status":"ok"}',
    '',
  ].join('\n');
}

/** Two requests of one trace, each without a caller. */
const TWO = [
  '{"format":"agenttrace","version":1}',
  ...['a', 'b'].flatMap((call, index) => [
    `{"type":"call","call":"${call}","trace":"t1","at":${1000 + index * 10},"agent":"toolbox","protocol":"aicf","title":"math.add"}`,
    `{"type":"wire","call":"${call}","at":${1001 + index * 10},"direction":"out","bytes":{"text":"CALL|math.add|20|2${index}"}}`,
    `{"type":"wire","call":"${call}","at":${1002 + index * 10},"direction":"in","bytes":{"text":"OK|{\\"sum\\":4${index}}"}}`,
    `{"type":"end","call":"${call}","at":${1003 + index * 10},"status":"ok"}`,
  ]),
  '',
].join('\n');

/** Three requests with a secret in the place of the 22 in them: by its name, from the environment, and without a name. */
const SECRET = [
  '{"format":"agenttrace","version":1}',
  ...[',"template":"{{secret two.two}}"', ',"template":"{{$env TWO}}"', ''].flatMap((template, index) => [
    `{"type":"call","call":"c${index}","trace":"t${index}","at":${1000 + index},"agent":"toolbox","protocol":"aicf","title":"math.add"}`,
    `{"type":"wire","call":"c${index}","at":1001,"direction":"out","bytes":{"text":"CALL|math.add|20|[redacted]"},"redacted":[{"at":17,"length":2${template}}]}`,
    `{"type":"wire","call":"c${index}","at":1002,"direction":"in","bytes":{"text":"OK|{\\"sum\\":42}"}}`,
    `{"type":"end","call":"c${index}","at":1003,"status":"ok"}`,
  ]),
  '',
].join('\n');

/** What `--format json` prints, as far as it is checked. */
interface Printed {
  readonly counts: object;
  readonly calls: readonly { readonly changes: readonly string[] }[];
}

const MADE = '1 more of the recorded calls were made by agents: they were not sent again\n';

describe('parley trace diff and replay', () => {
  let folder: CliFolder;

  before(async () => {
    folder = await CliFolder.create({
      '.vscode/agents.json': AGENTS,
      'same.agenttrace.jsonl': recording('OK|{"sum":42}'),
      'other.agenttrace.jsonl': recording('OK|{"sum":43}'),
      'two.agenttrace.jsonl': TWO,
      'secret.agenttrace.jsonl': SECRET,
    });
  });
  after(() => folder.remove());

  it('compares two files', async () => {
    const same = await folder.run(['trace', 'diff', 'same.agenttrace.jsonl', 'same.agenttrace.jsonl']);
    assert.deepEqual(same, {
      exitCode: 0,
      out: '  toolbox  math.add  3 ms\n    deep  own  1 ms\nThe traces are the same: 2 calls\n',
      err: '',
    });
    const other = await folder.run(['trace', 'diff', 'same.agenttrace.jsonl', 'other.agenttrace.jsonl']);
    assert.deepEqual(
      [other.exitCode, other.out.split('\n')[0]],
      [1, '~ toolbox  math.add  another reply  3 ms'],
    );
  });

  it('exits 0 where the agent answers as it did, and writes the trace of that', async () => {
    const { exitCode, out, err } = await folder.run([
      'trace',
      'replay',
      'same.agenttrace.jsonl',
      '--out',
      'new.agenttrace.jsonl',
    ]);
    assert.deepEqual([exitCode, out.split('\n')[1], err], [0, 'The traces are the same: 1 call', MADE]);
    const shown = await folder.run(['trace', 'show', 'new.agenttrace.jsonl']);
    assert.match(shown.out, /^ {2}math\.add {2}toolbox {2}ok /m);
  });

  it('exits 1 where it answers otherwise, whichever agent that is', async () => {
    const words = ['trace', 'replay', 'other.agenttrace.jsonl', '--call', 'c1', '--format', 'json'];
    for (const agent of ['toolbox', 'librarian']) {
      const { exitCode, out } = await folder.run([...words, '--agent', agent]);
      const { counts, calls } = JSON.parse(out) as Printed;
      assert.deepEqual(
        [exitCode, counts, calls[0]?.changes],
        [1, { same: 0, changed: 1, added: 0, removed: 0 }, ['output']],
      );
    }
  });

  it('keeps one trace one, which is the same as the recording', async () => {
    const words = [
      'trace',
      'replay',
      'two.agenttrace.jsonl',
      '--gaps',
      'recorded',
      '--out',
      'again.agenttrace.jsonl',
    ];
    assert.equal((await folder.run(words)).exitCode, 0);
    const diff = await folder.run(['trace', 'diff', 'two.agenttrace.jsonl', 'again.agenttrace.jsonl']);
    assert.deepEqual([diff.exitCode, diff.out.split('\n')[2]], [0, 'The traces are the same: 2 calls']);
    const traces = JSON.parse(
      (await folder.run(['trace', 'show', 'again.agenttrace.jsonl', '--format', 'json'])).out,
    ) as readonly { readonly calls: readonly object[] }[];
    assert.deepEqual(
      traces.map(({ calls }) => calls.length),
      [2],
    );
  });

  it('takes secrets that stood in requests from the environment, as far as the user says', async () => {
    const words = ['trace', 'replay', 'secret.agenttrace.jsonl'];
    const reported = await folder.run(words);
    const place = 'was in its request at line 1, character 18, and recordings contain no secrets:';
    assert.deepEqual(
      [reported.exitCode, reported.err],
      [
        1,
        [
          `toolbox math.add: not sent: the secret 'two.two' ${place} set PARLEY_SECRET_TWO_TWO, or --secret two.two=VARIABLE says which environment variable holds it`,
          `toolbox math.add: not sent: the environment variable 'TWO' ${place} --secret TWO=VARIABLE says which environment variable holds it`,
          `toolbox math.add: not sent: a secret of 2 bytes ${place} --secret toolbox:2=VARIABLE says which environment variable holds it`,
          '',
        ].join('\n'),
      ],
    );
    const env = { PARLEY_SECRET_TWO_TWO: '22', TWO: '22' };
    const half = await folder.run([...words, '--secret', 'toolbox:2=TWO'], { env });
    assert.equal(half.err.includes("the environment variable 'TWO' was in"), true);
    const all = ['--secret', 'toolbox:2=TWO', '--secret', 'TWO=TWO', '--out', 'filled.agenttrace.jsonl'];
    const { exitCode, out, err } = await folder.run([...words, ...all], { env });
    assert.deepEqual(
      [exitCode, out.split('\n')[3], err],
      [
        0,
        'The traces are the same: 3 calls',
        [
          "toolbox math.add: note: Filled in: the secret 'two.two'",
          "toolbox math.add: note: Filled in: the environment variable 'TWO'",
          'toolbox math.add: note: Filled in: a secret of 2 bytes',
          '',
        ].join('\n'),
      ],
    );
    for (const wrong of ['toolbox', 'TWO=NONE', '=X'])
      assert.equal((await folder.run([...words, '--secret', wrong], { env })).exitCode, 2, wrong);
  });

  it('says what it cannot send', async () => {
    const words = ['trace', 'replay', 'same.agenttrace.jsonl'];
    assert.deepEqual(await folder.run([...words, '--call', 'c9']), {
      exitCode: 2,
      out: '',
      err: "parley: There is no call 'c9' in the file; 'parley trace show FILE --format json' lists their ids\n",
    });
    assert.deepEqual(await folder.run([...words, '--call', 'c2']), {
      exitCode: 1,
      out: '- deep  own  (only in the first)\n1 of 1 call differs: 1 only in the first\n',
      err: 'deep own: not sent: the recording does not contain what was sent\n',
    });
  });
});
