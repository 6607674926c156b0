import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'mocha';
import { listReadingCommands } from '../../cli/support/reading-commands.ts';
import type { CliRun } from '../../cli/support/run-cli.ts';
import { makeIrregularFiles, runBounded, type IrregularFiles } from '../../support/irregular-files.ts';

const RUN_EACH = fileURLToPath(new URL('../../cli/support/run-each.ts', import.meta.url));

const ADVICE = '; name - and pipe its content to the command instead\n';
const DEVICE = 'it is a device, not a regular file';

describe('devices on the command line, which never end', () => {
  let files: IrregularFiles;
  const at = (name: string): string => join(files.folder, name);
  const runEach = async (lines: readonly (readonly string[])[]): Promise<readonly CliRun[]> =>
    (await runBounded(RUN_EACH, [files.folder, JSON.stringify(lines)])) as readonly CliRun[];

  before(() => {
    files = makeIrregularFiles();
    writeFileSync(at('call.aicf'), 'CALL|f|1\n');
  });
  after(() => rm(files.folder, { recursive: true }));

  it('are read by no command', async () => {
    for (const ending of ['aicf', 'npy', 'agenttrace.jsonl']) symlinkSync('/dev/zero', at(`zero.${ending}`));
    const names = ['zero', 'zero.aicf', 'zero.npy', 'zero.agenttrace.jsonl'];
    const lines = names.flatMap(name => listReadingCommands(name).map(words => ({ name, words })));
    const runs = await runEach(lines.map(({ words }) => words));
    assert.deepEqual(
      runs.map(({ exitCode, err }) => [exitCode, err]),
      lines.map(({ name }) => [2, `parley: Cannot open '${name}': ${DEVICE}${ADVICE}`]),
    );
  });

  it('are no configuration', async () => {
    for (const name of ['agents', 'parley.env']) {
      mkdirSync(at(`${name}/.vscode`), { recursive: true });
      symlinkSync('/dev/zero', at(`${name}/.vscode/${name}.json`));
      writeFileSync(at(`${name}/call.aicf`), 'CALL|f|1\n');
    }
    const agents = '{"agents":{"toolbox":{"protocol":"aicf","url":"${demo:toolbox}"}}}';
    writeFileSync(at('parley.env/.vscode/agents.json'), agents);
    const runs = await runEach([
      ['send', 'agents/call.aicf'],
      ['send', 'parley.env/call.aicf'],
      ['tools', 'a', '--agents', 'zero'],
    ]);
    const paths = ['agents/.vscode/agents.json', 'parley.env/.vscode/parley.env.json', 'zero'];
    assert.deepEqual(
      runs.map(({ exitCode, err }) => [exitCode, err]),
      paths.map(path => [2, `parley: Cannot open '${at(path)}': ${DEVICE}\n`]),
    );
  });
});
