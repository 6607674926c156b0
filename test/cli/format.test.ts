import assert from 'node:assert/strict';
import { readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CliFolder } from './support/run-cli.ts';

const LOOSE = 'LIST\n\n\n\n# note  \nINFO|a';
const TIGHT = 'LIST\n\n\n# note\nINFO|a\n';
const MESSAGE =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:data_query],[s:query]:[s:a]]';
const MESSAGE_TIGHT = `[d:
  [s:protocol]:[s:LightAICL],
  [s:session_id]:[s:s1],
  [s:msg_type]:[s:data_query],
  [s:query]:[s:a]
]
`;

describe('parley format', () => {
  let folder: CliFolder;

  beforeEach(async () => {
    folder = await CliFolder.create({
      'loose.aicf': LOOSE,
      'tight.aicf': TIGHT,
      'bom.aicf': `\uFEFF${LOOSE}`,
      'two.aicl': `${MESSAGE}\n${MESSAGE}\n`,
      'bytes.aicf': Uint8Array.from([0x4c, 0xff]),
    });
  });
  afterEach(() => folder.remove());

  it('prints one file formatted', async () => {
    assert.deepEqual(await folder.run(['format', 'loose.aicf']), { exitCode: 0, out: TIGHT, err: '' });
  });

  it('prints standard input formatted', async () => {
    assert.deepEqual(await folder.run(['format', '-'], { input: `${MESSAGE}\n` }), {
      exitCode: 0,
      out: MESSAGE_TIGHT,
      err: '',
    });
  });

  it('prints one message of a file', async () => {
    assert.deepEqual(await folder.run(['format', 'two.aicl:2']), {
      exitCode: 0,
      out: MESSAGE_TIGHT,
      err: '',
    });
  });

  it('prints in the style that was typed', async () => {
    const wanted = ['format', '-', '--style', 'compact'];
    assert.deepEqual(await folder.run(wanted, { input: MESSAGE_TIGHT }), {
      exitCode: 0,
      out: MESSAGE_TIGHT.replace(/\n */g, '') + '\n',
      err: '',
    });
    assert.equal((await folder.run(['format', 'two.aicl', '--style', 'wide'])).exitCode, 2);
  });

  it('names the files that differ and changes nothing', async () => {
    assert.deepEqual(await folder.run(['format', 'loose.aicf', 'tight.aicf', '--check']), {
      exitCode: 1,
      out: 'loose.aicf\n',
      err: "1 of 2 files not formatted: run 'parley format --write'\n",
    });
    assert.equal(await readFile(join(folder.path, 'loose.aicf'), 'utf8'), LOOSE);
    assert.deepEqual(await folder.run(['format', 'tight.aicf', '--check']), {
      exitCode: 0,
      out: '',
      err: '1 file, all formatted\n',
    });
  });

  it('does not call a file formatted that it cannot read', async () => {
    const finding =
      'bytes.aicf:1:2: error: The file is not UTF-8 from byte 1 on: save it as UTF-8 [parley/not-utf8]\n';
    assert.deepEqual(await folder.run(['format', 'bytes.aicf', '--check']), {
      exitCode: 1,
      out: '',
      err: `${finding}1 of 1 file cannot be read\n`,
    });
    assert.deepEqual(await folder.run(['format', 'bytes.aicf', 'loose.aicf', '--check']), {
      exitCode: 1,
      out: 'loose.aicf\n',
      err: `${finding}1 of 2 files not formatted: run 'parley format --write'\n1 of 2 files cannot be read\n`,
    });
  });

  it('prints a file with the byte order mark that it has', async () => {
    const { out } = await folder.run(['format', 'bom.aicf']);
    assert.equal(out, `\uFEFF${TIGHT}`);
  });

  it('writes files in place, keeps a byte order mark, and leaves formatted files alone', async () => {
    const before = new Date(1e12);
    await utimes(join(folder.path, 'tight.aicf'), before, before);
    assert.deepEqual(await folder.run(['format', 'bom.aicf', 'loose.aicf', 'tight.aicf', '--write']), {
      exitCode: 0,
      out: 'bom.aicf\nloose.aicf\n',
      err: '',
    });
    const contents = ['bom.aicf', 'loose.aicf', 'tight.aicf'].map(name =>
      readFile(join(folder.path, name), 'utf8'),
    );
    assert.deepEqual(await Promise.all(contents), [`\uFEFF${TIGHT}`, TIGHT, TIGHT]);
    assert.deepEqual((await stat(join(folder.path, 'tight.aicf'))).mtime, before);
  });

  it('prints JSON for any number of files', async () => {
    const run = await folder.run(['format', 'loose.aicf', 'tight.aicf', '--format', 'json']);
    assert.deepEqual(
      { ...run, out: JSON.parse(run.out) as unknown },
      {
        exitCode: 0,
        out: {
          files: [
            { file: 'loose.aicf', changed: true, output: TIGHT },
            { file: 'tight.aicf', changed: false, output: TIGHT },
          ],
          findings: [],
        },
        err: '',
      },
    );
  });

  it('formats the other files when one is not UTF-8, and exits 1', async () => {
    assert.deepEqual(await folder.run(['format', 'bytes.aicf', 'loose.aicf', '--write']), {
      exitCode: 1,
      out: 'loose.aicf\n',
      err: 'bytes.aicf:1:2: error: The file is not UTF-8 from byte 1 on: save it as UTF-8 [parley/not-utf8]\n',
    });
  });

  for (const [words, message] of [
    [['format'], "'parley format' needs a path: a file, a folder or -"],
    [['format', '.'], 'Only one file can be printed and there are 5: add --check or --write'],
    [['format', '.', '--check', '--write'], 'Use either --check or --write'],
    [['format', '-', '--write'], 'Standard input cannot be written to: omit --write'],
    [
      ['format', 'two.aicl:1', '--check'],
      'One message of a file can only be printed: omit --check and --write',
    ],
  ] as const) {
    it(`refuses '${words.join(' ')}'`, async () => {
      assert.deepEqual(await folder.run(words), { exitCode: 2, out: '', err: `parley: ${message}\n` });
    });
  }
});
