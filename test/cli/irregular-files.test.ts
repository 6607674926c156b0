import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { makeIrregularFiles, type IrregularFiles } from '../support/irregular-files.ts';
import { listReadingCommands } from './support/reading-commands.ts';
import { CliFolder } from './support/run-cli.ts';

const ADVICE = '; name - and pipe its content to the command instead\n';
const PIPE = 'it is a pipe, not a regular file';

describe('files on the command line', () => {
  let files: IrregularFiles;
  let folder: CliFolder;
  const pipes: string[] = [];
  const at = (name: string): string => join(files.folder, name);
  const makePipe = (path: string): void => {
    execFileSync('mkfifo', [path]);
    pipes.push(path);
  };

  before(() => {
    files = makeIrregularFiles();
    folder = new CliFolder(files.folder);
    pipes.push(at('pipe'));
    writeFileSync(at('call.aicf'), 'CALL|f|1\n');
  });
  after(async () => {
    // Whoever waits for a writer, where a pipe was opened after all, waits no longer.
    for (const path of pipes) closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
    await rm(files.folder, { recursive: true });
  });

  it('are regular ones, whichever command reads them', async () => {
    for (const words of listReadingCommands('link-to-pipe')) {
      const { exitCode, err } = await folder.run(words);
      const message = `parley: Cannot open 'link-to-pipe': ${PIPE}${ADVICE}`;
      assert.deepEqual([exitCode, err], [2, message], words.join(' '));
    }
  });

  it('are regular ones in a folder and by their endings too, and of a size that can be read', async () => {
    for (const name of ['a.npy', 'a.aicf', 'a.agenttrace.jsonl']) makePipe(at(name));
    const refused = async (words: readonly string[]): Promise<string> => {
      const { exitCode, err } = await folder.run(words);
      assert.equal(exitCode, 2, words.join(' '));
      return err;
    };
    assert.equal(await refused(['tensor', 'a.npy']), `parley: Cannot open 'a.npy': ${PIPE}${ADVICE}`);
    assert.equal(
      await refused(['tensor', '--import', 'a.npy']),
      `parley: Cannot open 'a.npy': ${PIPE}${ADVICE}`,
    );
    const trace = await refused(['trace', 'show', 'a.agenttrace.jsonl']);
    assert.equal(trace, `parley: Cannot open 'a.agenttrace.jsonl': ${PIPE}${ADVICE}`);
    const tools = await refused(['tools', 'a', '--agents', 'pipe']);
    assert.equal(tools, `parley: Cannot open '${at('pipe')}': ${PIPE}\n`);
    const all = await refused(['check', '.']);
    assert.equal(all, `Nothing to report in 1 file\nparley: Cannot open 'a.aicf': ${PIPE}${ADVICE}`);
    assert.equal(
      await refused(['check', 'loop']),
      "parley: Cannot open 'loop': its links lead in a circle; name the file itself\n",
    );
    assert.match(
      await refused(['check', 'sparse']),
      /^parley: Cannot open 'sparse': it has 5,368,709,120 bytes, and at most [\d,]+ are read\n$/,
    );
  });

  it('of configuration are regular ones of at most 4 MiB', async () => {
    const kinds = [
      ['piped', makePipe, PIPE],
      ['nested', (path: string) => mkdirSync(path), 'it is a folder, not a regular file'],
      [
        'circular',
        (path: string) => symlinkSync(path, path),
        'its links lead in a circle; name the file itself',
      ],
      [
        'large',
        (path: string) => {
          writeFileSync(path, '');
          truncateSync(path, 4 * 2 ** 20 + 1);
        },
        'it has 4,194,305 bytes, and at most 4,194,304 are read',
      ],
    ] as const;
    for (const name of ['agents', 'parley.env'])
      for (const [kind, make, reason] of kinds) {
        const path = at(`${kind}-${name}/.vscode/${name}.json`);
        await folder.write(`${kind}-${name}/call.aicf`, 'CALL|f|1\n');
        const agents = '{"agents":{"toolbox":{"protocol":"aicf","url":"${demo:toolbox}"}}}';
        await folder.write(`${kind}-${name}/.vscode/agents.json`, agents);
        await rm(path, { force: true });
        make(path);
        assert.deepEqual(await folder.run(['send', `${kind}-${name}/call.aicf`]), {
          exitCode: 2,
          out: '',
          err: `parley: Cannot open '${path}': ${reason}\n`,
        });
      }
  });
});
