import assert from 'node:assert/strict';
import { rmSync, truncateSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CliFolder } from './support/run-cli.ts';
import { itAtFullSize } from '../support/size.ts';

const FILE = 'a.agenttrace.jsonl';

/** Two calls with their payloads, and an incomplete line: that is reported as soon as the file was opened. */
const LINES = [
  '{"format":"agenttrace","version":1}\n',
  '{"type":"call","call":"one","trace":"t","at":1000,"agent":"toolbox","protocol":"aicf","title":"math.add"}\n',
  '{"type":"wire","call":"one","at":1001,"direction":"out","bytes":{"text":"CALL|math.add|19|23"}}\n',
  '{"type":"call","call":"two","trace":"t","at":1010,"agent":"toolbox","protocol":"aicf","title":"math.sub"}\n',
  '{"type":"wire","call":"one","at":1020,"direction":"in","bytes":{"text":"OK|42"}}\n',
  '{"type":"wire","call":"two","at":1021,"direction":"out","bytes":{"text":"CALL|math.sub|19|23"}}\n',
  '{"type":"end","call":"one","at":1030,"status":"ok"}\n',
  '{"type":"end","call":"two","at":1031,"status":"ok"}\n',
  '{"type":"note","call":"one","at":1032,',
];

const TORN = `${FILE}: The last line is incomplete, because writing it was interrupted; it is left out\n`;

const lost = (call: string): string =>
  `${FILE}: not all payloads of the call ${call} could be read: the file was removed, truncated or overwritten meanwhile; restore it and try again\n`;

const LOST = lost("'one' (toolbox math.add)") + lost("'two' (toolbox math.sub)");

describe('parley trace, where the file goes while it is read', () => {
  let folder: CliFolder;
  beforeEach(async () => {
    folder = await CliFolder.create({
      [FILE]: LINES.join(''),
      '.vscode/agents.json':
        '{"agents":{"toolbox":{"protocol":"aicf","type":"http","url":"http://127.0.0.1:9/"}}}',
    });
  });
  afterEach(() => folder.remove());

  /** What was sent by the first call is still there, and nothing that came after it. */
  const cut = (): void => truncateSync(join(folder.path, FILE), LINES.slice(0, 4).join('').length);
  const remove = (): void => rmSync(join(folder.path, FILE));

  for (const [name, act] of [
    ['is cut', cut],
    ['is removed', remove],
  ] as const)
    it(`exports what can be read, says of which calls it is not all, and exits 1, when it ${name}`, async () => {
      let isDone = false;
      const onOut = (): void => {
        if (!isDone) act();
        isDone = true;
      };
      const whole = await folder.run(['trace', 'export', FILE, '--to', 'agenttrace']);
      assert.deepEqual([whole.exitCode, whole.err], [0, TORN]);
      const { exitCode, out, err } = await folder.run(['trace', 'export', FILE, '--to', 'agenttrace'], {
        onOut,
      });
      assert.deepEqual([exitCode, err], [1, TORN + LOST]);
      assert.deepEqual(
        [out.includes('CALL|math.add'), out.includes('OK|42'), out.includes('CALL|math.sub')],
        [act === cut, false, false],
      );
    });

  it('says the same beside the tree, the parts, what is found and a comparison', async () => {
    const commands: readonly (readonly string[])[] = [
      ['show', FILE, '--parts'],
      ['show', FILE, '--parts', '--format', 'json'],
      ['show', FILE, '--find', 'sub'],
      ['diff', FILE, FILE],
      ['replay', FILE],
    ];
    for (const words of commands) {
      await folder.write(FILE, LINES.join(''));
      const whole = await folder.run(['trace', ...words]);
      assert.equal(whole.err.includes('could be read'), false, words.join(' '));
      await folder.write(FILE, LINES.join(''));
      let reported = 0;
      // Both sides of a comparison tell of the torn line before any payload is read.
      const onErr = (): void => {
        if (++reported === (words[0] === 'diff' ? 2 : 1)) cut();
      };
      const { exitCode, err } = await folder.run(['trace', ...words], { onErr });
      const tellings = err.split(lost("'one' (toolbox math.add)")).length - 1;
      assert.deepEqual(
        [exitCode, tellings, err.includes("'two'")],
        [1, words[0] === 'diff' ? 2 : 1, words[3] !== 'sub'],
        words.join(' '),
      );
    }
  });

  itAtFullSize(
    'takes of a call that no text could hold the beginning, says so, and goes on with the others',
    async () => {
      const [header = '', call = '', out = '', other = '', , rest = '', end = '', otherEnd = ''] = LINES;
      const piece = Buffer.from(LINES[4]?.replace('OK|42', 'x'.repeat(2 ** 23 - 1024)) ?? '');
      const file = await open(join(folder.path, FILE), 'w');
      await file.write(header + call + out + other + rest);
      for (let count = 0; count < 33; count++) await file.write(piece);
      await file.write(end + otherEnd);
      await file.close();
      const totals = await folder.run(['trace', 'export', FILE, '--to', 'totals']);
      const words =
        'more than 268,435,456 characters were sent in one direction; an export as a trace file has all of it';
      assert.deepEqual(
        [totals.exitCode, totals.err],
        [1, `${FILE}: only the beginning of the call 'one' (toolbox math.add) is used: ${words}\n`],
      );
      const [, row = ''] = totals.out.split('\r\n');
      assert.deepEqual(row.split(',').slice(2, 4), ['toolbox', '2']);
      const whole = await folder.run([
        'trace',
        'export',
        FILE,
        '--to',
        'agenttrace',
        '--out',
        'all.agenttrace.jsonl',
      ]);
      assert.deepEqual(whole, { exitCode: 0, out: '', err: '' });
      const { size } = await stat(join(folder.path, 'all.agenttrace.jsonl'));
      assert.ok(size > 33 * 2 ** 23 - 2 ** 20, `${size} bytes`);
    },
  );

  it('reads nothing for the tree alone, and says nothing of it', async () => {
    const { exitCode, err } = await folder.run(['trace', 'show', FILE], { onErr: remove });
    assert.deepEqual([exitCode, err], [0, TORN]);
  });
});
