import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { CliFolder, type CliRun } from './support/run-cli.ts';

const AGENTS = readFileSync(new URL('../../samples/.vscode/agents.json', import.meta.url), 'utf8');
const PIXELS = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 255]);
const AICL = (fields: string): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:a],[s:msg_type]:${fields}]`;

describe('files in requests', () => {
  let folder: CliFolder;
  let outer: CliFolder;

  before(async () => {
    outer = await CliFolder.create({ 'secret.txt': 'not for agents' });
    folder = await CliFolder.create({
      '.vscode/agents.json': AGENTS,
      'requests/pics/cat.png': PIXELS,
      'clip.mp4': 'video',
      'song.mp3': 'song',
      'sheet.json': '{}',
      'large.bin': '',
    });
    await truncate(join(folder.path, 'large.bin'), 10_000_001);
    await symlink(join(outer.path, 'secret.txt'), join(folder.path, 'link.txt'));
    await symlink(join(folder.path, 'song.mp3'), join(folder.path, 'good-link.mp3'));
    await mkdir(join(folder.path, 'empty'));
  });
  after(() => Promise.all([folder.remove(), outer.remove()]));

  /** Sends one request to an AIO agent, from a file in the folder `requests`. */
  async function send(request: string, agent = 'courier'): Promise<CliRun> {
    const name = `requests/one.${request.startsWith('[') ? 'aicl' : 'aicf'}`;
    await folder.write(name, `# @agent ${agent}\n${request}\n`);
    return folder.run(['send', name]);
  }

  const inputs = (...values: readonly (readonly [type: string, path: string])[]): string =>
    values.map(([type, path]) => `[d:[s:type]:[s:${type}],[s:value]:[s:{{file ${path}}}]]`).join(',');

  for (const [how, request, said] of [
    [
      'a picture in JSON',
      'CALL|input|{"input":{"type":"image","value":"{{file pics/cat.png}}"}}',
      'an image (10 bytes)',
    ],
    [
      'a picture that JSON names',
      'CALL|input|{"input":{"type":"image","value":{"$file":"pics/cat.png"}}}',
      'an image (10 bytes)',
    ],
    [
      'several, in AICF',
      'CALL|input|{"inputs":[{"type":"audio","value":{"$file":"../song.mp3"}},{"type":"file","value":"{{file ../sheet.json}}"}]}',
      'an audio (4 bytes), a file (2 bytes)',
    ],
    [
      'several, with a task of AICL',
      AICL(
        `[s:task_request],[s:task]:[s:Look],[s:constraints]:[d:[s:inputs]:[l:${inputs(['image', 'pics/cat.png'], ['video', '../clip.mp4'], ['audio', '../good-link.mp3'])}]]`,
      ),
      'Look, an image (10 bytes), a video (5 bytes), an audio (4 bytes)',
    ],
  ] as const)
    it(`are sent: ${how}`, async () => {
      const { exitCode, out, err } = await send(request);
      assert.equal(exitCode, 0, err);
      assert.ok(out.includes(said), out);
    });

  it('are an input of sampling.start for an agent of the kind mcp', async () => {
    const request = AICL(
      `[s:task_request],[s:task]:[s:Look],[s:constraints]:[d:[s:inputs]:[l:${inputs(['image', 'pics/cat.png'])}]]`,
    );
    const { exitCode, out } = await send(request, 'curator');
    assert.deepEqual([exitCode, out.includes('I have read Look, an image (10 bytes).')], [0, true], out);
  });

  for (const [path, problem] of [
    [
      '../../secret.txt',
      "The file '../../secret.txt' is outside the workspace folder 'WORKSPACE', and only files in it are sent",
    ],
    [
      '/etc/passwd',
      "The file '/etc/passwd' is outside the workspace folder 'WORKSPACE', and only files in it are sent",
    ],
    [
      '../link.txt',
      "The file '../link.txt' is outside the workspace folder 'WORKSPACE', and only files in it are sent",
    ],
    ['dog.png', "The file 'dog.png' does not exist in 'WORKSPACE/requests'"],
    ['pics/cat.png/x', "The file 'pics/cat.png/x' does not exist in 'WORKSPACE/requests'"],
    ['../empty', "The file '../empty' is a folder, not a regular file"],
    ['../large.bin', "The file '../large.bin' has 10,000,001 bytes, and at most 10,000,000 are read"],
  ] as const)
    it(`are not sent from ${path}`, async () => {
      for (const request of [
        `CALL|input|{{file ${path}}}`,
        `CALL|input|{"input":{"type":"file","value":{"$file":"${path}"}}}`,
      ]) {
        const { exitCode, out, err } = await send(request);
        assert.deepEqual(
          [exitCode, out, err],
          [1, '', `courier input: not sent. ${problem.replace('WORKSPACE', folder.path)}\n`],
        );
      }
    });
});
