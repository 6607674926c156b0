import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import type * as Package from '../../npm/agent-api/index.ts';
import { buildNpmPackage } from '../../scripts/npm.ts';
import { ROOT } from '../../scripts/root.ts';
import { DOCUMENT_EXAMPLES, EXPECTED, summarize } from './document-examples.ts';

const run = promisify(execFile);

describe('the npm package of the Agent API builder, installed in an empty folder', () => {
  let folder = '';
  before(async () => {
    const packed = await buildNpmPackage();
    folder = await mkdtemp(join(tmpdir(), 'parley-npm-'));
    await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    await run('npm', ['install', packed, '--offline', '--no-audit', '--no-fund'], {
      cwd: folder,
      shell: process.platform === 'win32',
    });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('runs the examples of the document', async () => {
    const entry = join(folder, 'node_modules/parley-agent-api/index.js');
    const installed = (await import(pathToFileURL(entry).href)) as typeof Package;
    const sent = Object.entries(DOCUMENT_EXAMPLES).map(([name, example]) => [
      name,
      example(installed).map(summarize),
    ]);
    assert.deepEqual(Object.fromEntries(sent), EXPECTED);
  });

  it('has types for strict TypeScript', async () => {
    const program = `import { printEvent, ResponseBuilder, type AgentApiEvent } from 'parley-agent-api';
const response: ResponseBuilder = new ResponseBuilder({ sessionId: 's' });
const event: AgentApiEvent = response.created();
export const printed: string = printEvent(event);
// @ts-expect-error -- no such role
response.createMessageBuilder({ role: 'robot' });
`;
    await writeFile(join(folder, 'program.ts'), program);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', '--target', 'es2022'];
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, ...options, 'program.ts'], { cwd: folder });
    assert.equal(stdout, '');
  });

  it('has the version of Parley', async () => {
    const versionIn = async (path: string): Promise<unknown> =>
      (JSON.parse(await readFile(path, 'utf8')) as { readonly version: unknown }).version;
    assert.equal(
      await versionIn(join(folder, 'node_modules/parley-agent-api/package.json')),
      await versionIn(join(ROOT, 'package.json')),
    );
  });
});
