import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { PRODUCT } from '../../core/catalog/product.ts';
import { ruleUrl } from '../../core/catalog/rules.ts';
import { CliFolder } from './support/run-cli.ts';

const FAULTY = '# @agent toolbox\nCALL|math.add|1|2\ncall|text.reverse|abc\n';
const HINT =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:data_query],[s:query]:[s:a],]\n';
const HEADLESS = '[d:[s:msg_type]:[s:data_query],[s:query]:[s:x]]\n';

const ERROR = {
  file: 'faulty.aicf',
  range: { start: { line: 2, character: 0 }, end: { line: 2, character: 4 } },
  severity: 'error',
  code: 'aicf/wrong-case',
  wire: 400,
  message: "'call' is not a command; write 'CALL' (error 400)",
};
const ERROR_LINE =
  "faulty.aicf:3:1: error: 'call' is not a command; write 'CALL' (error 400) [aicf/wrong-case]\n";
const HINT_LINE = 'tree/hint.aicl:1:96: hint: Nothing follows this comma: remove it [aicl/trailing-comma]\n';

describe('parley check', () => {
  let folder: CliFolder;

  before(async () => {
    folder = await CliFolder.create({
      'faulty.aicf': FAULTY,
      'fine.aicf': 'LIST\n',
      'tree/hint.aicl': HINT,
      'tree/deep/fine.aicf': 'LIST\n',
      'tree/.hidden/faulty.aicf': FAULTY,
      'tree/.hidden.aicf': FAULTY,
      'tree/node_modules/a/faulty.aicf': FAULTY,
      'tree/notes.md': FAULTY,
      'empty/notes.md': '',
      'notes.txt': FAULTY,
      'message.txt': `# a note\n\n  ${HINT}`,
      'bom.aicf': `\uFEFF${FAULTY}`,
      'bytes.aicf': Uint8Array.from([...new TextEncoder().encode('LIST\nCALL|ä'), 0xff, 0x0a]),
      'headless.aicl': HEADLESS,
      'odd:2.aicf': 'LIST\n',
    });
    await symlink(join(folder.path, 'tree'), join(folder.path, 'tree', 'loop'));
  });
  after(() => folder.remove());

  it('prints one line a finding and a summary, and exits 1 for an error', async () => {
    assert.deepEqual(await folder.run(['check', 'faulty.aicf', 'fine.aicf']), {
      exitCode: 1,
      out: ERROR_LINE,
      err: '1 error in 2 files\n',
    });
  });

  it('is silent about a sound file', async () => {
    assert.deepEqual(await folder.run(['check', 'fine.aicf']), {
      exitCode: 0,
      out: '',
      err: 'Nothing to report in 1 file\n',
    });
  });

  it('reads a folder without hidden ones, links and node_modules, and exits 0 for a hint', async () => {
    assert.deepEqual(await folder.run(['check', 'tree']), {
      exitCode: 0,
      out: HINT_LINE,
      err: '1 hint in 2 files\n',
    });
  });

  it('reads hidden paths that are named', async () => {
    assert.deepEqual(await folder.run(['check', 'tree/.hidden', 'tree/.hidden.aicf']), {
      exitCode: 1,
      out:
        ERROR_LINE.replace('faulty', 'tree/.hidden/faulty') +
        ERROR_LINE.replace('faulty.aicf', 'tree/.hidden.aicf'),
      err: '2 errors in 2 files\n',
    });
  });

  it('finds nothing in a folder without our files', async () => {
    assert.deepEqual(await folder.run(['check', 'empty']), {
      exitCode: 0,
      out: '',
      err: 'Nothing to report in 0 files\n',
    });
  });

  it('prints JSON', async () => {
    const run = await folder.run(['check', 'faulty.aicf', 'tree', '--format', 'json']);
    assert.deepEqual(
      { ...run, out: JSON.parse(run.out) as unknown },
      {
        exitCode: 1,
        out: [
          ERROR,
          {
            file: 'tree/hint.aicl',
            range: { start: { line: 0, character: 95 }, end: { line: 0, character: 96 } },
            severity: 'hint',
            code: 'aicl/trailing-comma',
            message: 'Nothing follows this comma: remove it',
          },
        ],
        err: '',
      },
    );
  });

  it('prints an empty JSON list for sound files', async () => {
    assert.deepEqual(await folder.run(['check', 'fine.aicf', '--format=json']), {
      exitCode: 0,
      out: '[]\n',
      err: '',
    });
  });

  it('prints SARIF', async () => {
    const run = await folder.run(['check', 'faulty.aicf', '--format', 'sarif']);
    assert.deepEqual(
      { ...run, out: JSON.parse(run.out) as unknown },
      {
        exitCode: 1,
        out: {
          $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
          version: '2.1.0',
          runs: [
            {
              tool: {
                driver: {
                  name: 'Parley',
                  version: PRODUCT.version,
                  informationUri: PRODUCT.url,
                  rules: [
                    {
                      id: 'aicf/wrong-case',
                      shortDescription: { text: 'A command in the wrong case' },
                      helpUri: ruleUrl('aicf/wrong-case'),
                    },
                  ],
                },
              },
              columnKind: 'utf16CodeUnits',
              results: [
                {
                  ruleId: 'aicf/wrong-case',
                  ruleIndex: 0,
                  level: 'error',
                  message: { text: ERROR.message },
                  locations: [
                    {
                      physicalLocation: {
                        artifactLocation: { uri: 'faulty.aicf' },
                        region: { startLine: 3, startColumn: 1, endLine: 3, endColumn: 5 },
                      },
                    },
                  ],
                },
              ],
            },
          ],
        },
        err: '',
      },
    );
  });

  it('prints workflow commands', async () => {
    assert.deepEqual(await folder.run(['check', 'faulty.aicf', 'tree', '--format', 'github']), {
      exitCode: 1,
      out:
        '::error file=faulty.aicf,line=3,endLine=3,col=1,endColumn=5,title=aicf/wrong-case::' +
        "'call' is not a command; write 'CALL' (error 400)\n" +
        '::notice file=tree/hint.aicl,line=1,endLine=1,col=96,endColumn=97,title=aicl/trailing-comma::' +
        'Nothing follows this comma: remove it\n',
      err: '',
    });
  });

  it('colours for a terminal only', async () => {
    const run = await folder.run(['check', 'faulty.aicf'], { colour: true });
    assert.equal(run.out, ERROR_LINE.replace('error:', '\u001b[31merror\u001b[0m:'));
  });

  it('reads standard input in the language that is named', async () => {
    const run = await folder.run(['check', '-', '--language', 'aicf'], { input: FAULTY });
    assert.deepEqual(run, {
      exitCode: 1,
      out: ERROR_LINE.replace('faulty.aicf', '-'),
      err: '1 error in 1 file\n',
    });
  });

  it('tells the language of other files by their text', async () => {
    assert.deepEqual(await folder.run(['check', 'notes.txt', 'message.txt']), {
      exitCode: 1,
      out:
        ERROR_LINE.replace('faulty.aicf', 'notes.txt') +
        'message.txt:3:98: hint: Nothing follows this comma: remove it [aicl/trailing-comma]\n',
      err: '1 error, 1 hint in 2 files\n',
    });
  });

  it('reads one message of a file', async () => {
    assert.equal((await folder.run(['check', 'faulty.aicf:1'])).out, '');
    assert.equal((await folder.run(['check', 'faulty.aicf:2'])).out, ERROR_LINE);
    assert.deepEqual(await folder.run(['check', 'faulty.aicf:3']), {
      exitCode: 2,
      out: '',
      err: "parley: There is no message 3 in 'faulty.aicf': it has 2\n",
    });
  });

  it('takes a name with a colon for a file where there is one', async () => {
    assert.equal((await folder.run(['check', 'odd:2.aicf'])).exitCode, 0);
  });

  it('does not count a byte order mark', async () => {
    assert.equal((await folder.run(['check', 'bom.aicf'])).out, ERROR_LINE.replace('faulty', 'bom'));
  });

  it('reports a file that is not UTF-8 at its first bad byte', async () => {
    const run = await folder.run(['check', 'bytes.aicf', '--format', 'json']);
    assert.deepEqual(
      { ...run, out: JSON.parse(run.out) as unknown },
      {
        exitCode: 1,
        out: [
          {
            file: 'bytes.aicf',
            range: { start: { line: 1, character: 6 }, end: { line: 1, character: 7 } },
            severity: 'error',
            code: 'parley/not-utf8',
            message: 'The file is not UTF-8 from byte 12 on: save it as UTF-8',
          },
        ],
        err: '',
      },
    );
  });

  it('exits 1 for an error beyond the limit of the report', async () => {
    await folder.write('many.aicf', `${'CALL|a|\\x\n'.repeat(1500)}call|b\n`);
    const run = await folder.run(['check', 'many.aicf']);
    const lines = run.out.trimEnd().split('\n');
    assert.deepEqual(
      [run.exitCode, lines.length, lines.some(line => line.includes(': error: ')), run.err],
      [1, 1000, false, '999 warnings, 1 information in 1 file\n'],
    );
    assert.match(lines.at(-1) ?? '', / 502 more issues .* \[parley\/more-issues\]$/);
  });

  it('checks by the profile', async () => {
    const strict = await folder.run(['check', 'headless.aicl']);
    const chat = await folder.run(['check', 'headless.aicl', '--profile', 'chat']);
    assert.deepEqual([strict.exitCode, chat.exitCode, chat.out], [1, 0, '']);
  });

  it('takes the severities of rules, and fails on errors alone', async () => {
    const rules = ['--rule', 'aicf/wrong-case=hint', '--rule', 'aicl/trailing-comma=error'];
    assert.deepEqual(await folder.run(['check', 'faulty.aicf', ...rules]), {
      exitCode: 0,
      out: ERROR_LINE.replace('error', 'hint'),
      err: '1 hint in 1 file\n',
    });
    assert.equal((await folder.run(['check', 'tree/hint.aicl', ...rules])).exitCode, 1);
    assert.deepEqual(await folder.run(['check', 'faulty.aicf', '--rule', 'aicf/wrong-case=off']), {
      exitCode: 0,
      out: '',
      err: 'Nothing to report in 1 file\n',
    });
  });

  for (const rule of ['aicf/none=off', 'aicf/prefix', 'aicf/prefix=loud', 'parley/more-issues=off', '']) {
    it(`refuses --rule '${rule}'`, async () => {
      const { exitCode, err } = await folder.run(['check', 'fine.aicf', '--rule', rule]);
      assert.equal(exitCode, 2);
      assert.ok(err.includes(`--rule cannot be '${rule}': write a rule and one of error, warning`), err);
    });
  }

  it('exits 2 for paths that are not there, and prints the findings of the others', async () => {
    assert.deepEqual(await folder.run(['check', 'gone.aicf', 'faulty.aicf', 'faulty.aicf:9']), {
      exitCode: 2,
      out: ERROR_LINE,
      err:
        '1 error in 1 file\n' +
        "parley: Cannot open 'gone.aicf': there is no such file or folder\n" +
        "There is no message 9 in 'faulty.aicf': it has 2\n",
    });
    assert.deepEqual(await folder.run(['check', 'gone.aicf', '--format', 'json']), {
      exitCode: 2,
      out: '',
      err: `{"error":{"exitCode":2,"message":"Cannot open 'gone.aicf': there is no such file or folder"}}\n`,
    });
  });

  it('reads one message of standard input', async () => {
    assert.deepEqual(await folder.run(['check', '-:2'], { input: FAULTY }), {
      exitCode: 1,
      out: ERROR_LINE.replace('faulty.aicf', '-'),
      err: '1 error in 1 file\n',
    });
  });

  it('exits 2 without a path', async () => {
    assert.deepEqual(await folder.run(['check', '--format', 'json']), {
      exitCode: 2,
      out: '',
      err: '{"error":{"exitCode":2,"message":"\'parley check\' needs a path: a file, a folder or -"}}\n',
    });
  });
});
