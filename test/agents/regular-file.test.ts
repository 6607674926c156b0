import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'mocha';
import { parseAgentsFile } from '../../agents/config/agents-file.ts';
import { resolveAgent } from '../../agents/config/resolve-agent.ts';
import { readRegularFile } from '../../agents/regular-file.ts';
import { TraceIndex } from '../../agents/store/trace-index.ts';
import { makeIrregularFiles, runBounded, type IrregularFiles } from '../support/irregular-files.ts';

const READ_FILES = fileURLToPath(new URL('support/read-files.ts', import.meta.url));

describe('a file that is read', () => {
  let files: IrregularFiles;
  const at = (name: string): string => join(files.folder, name);

  before(() => void (files = makeIrregularFiles()));
  after(() => rm(files.folder, { recursive: true }));

  it('is a regular file once links are followed, and has at most so many bytes', async () => {
    const socket = createServer();
    await new Promise<void>(resolve => socket.listen(at('socket'), resolve));
    await writeFile(at('most'), Buffer.alloc(4 * 2 ** 20));
    await writeFile(at('more'), Buffer.alloc(4 * 2 ** 20 + 1));
    const expected = [
      ...files.refused,
      ['socket', 'is a socket, not a regular file'],
      ['sparse', 'has 5,368,709,120 bytes, and at most 4,194,304 are read'],
      ['more', 'has 4,194,305 bytes, and at most 4,194,304 are read'],
      ['loop', 'ELOOP'],
      ['dangling', 'ENOENT'],
      ['regular', '4 bytes'],
      ['link-to-regular', '4 bytes'],
      ['empty', '0 bytes'],
      ['most', '4194304 bytes'],
    ] as const;
    const results = await runBounded(
      READ_FILES,
      expected.map(([name]) => at(name)),
    );
    assert.deepEqual(
      results,
      expected.map(([, result]) => result),
    );
    await new Promise(resolve => socket.close(resolve));
  });

  it('is read to its end where its size is not known before, as in /proc', async () => {
    const bytes = await readRegularFile('/proc/self/status', 2 ** 20);
    assert.match(bytes.toString(), /^Name:[^]*nonvoluntary_ctxt_switches:\t\d+\n$/);
    await assert.rejects(readRegularFile('/proc/self/status', 100), { kind: 'large' });
  });

  it('is a regular file as a certificate, and as a trace', async () => {
    for (const [name, reason] of files.refused) {
      const url = 'https://127.0.0.1:1/';
      const tls = { ca: at(name) };
      const { agents } = parseAgentsFile(JSON.stringify({ agents: { a: { protocol: 'aicf', url, tls } } }));
      const agent = agents.get('a');
      const none = (): undefined => undefined;
      const variables = { env: none, input: none, secret: none, demo: none, workspaceFolder: none };
      const resolved = agent && (await resolveAgent(agent, variables));
      assert.match(
        resolved?.ok === false ? resolved.message : '',
        new RegExp(`'tls.ca' ${reason}; correct its path$`),
      );
      assert.deepEqual(await new TraceIndex(at(name)).readOn(), {
        ok: false,
        message: `'${at(name)}' ${reason}`,
      });
    }
  });
});

describe('a header of the agents file', () => {
  const issuesOf = (headers: Readonly<Record<string, string>>): readonly string[] => {
    const text = JSON.stringify({ agents: { a: { protocol: 'aicf', url: 'http://x/', headers } } });
    return parseAgentsFile(text).issues.map(
      ({ span, message }) => `${text.slice(span.start, span.end)} ${message}`,
    );
  };

  it('is none that frames the request or names its server, in any case', () => {
    const names = [
      'Host',
      'hOST',
      'Content-Length',
      'content_length',
      'TRANSFER-ENCODING',
      'Connection',
      'Keep-Alive',
      'Proxy-Connection',
      'TE',
      'Trailer',
      'Upgrade',
      'Expect',
      'HTTP2-Settings',
    ];
    for (const name of names)
      assert.deepEqual(issuesOf({ [name]: '1', 'X-Own': '2' }), [
        `"${name}" The agent 'a': the header '${name}' cannot be set, because Parley sets it from the address and the request; remove it`,
      ]);
    assert.deepEqual(
      issuesOf({ Authorization: 'x', 'X-Forwarded-Host': 'x', Accept: 'x', 'Content-Language': 'x' }),
      [],
    );
  });

  it('begins no other header by its value, whatever its source', async () => {
    const none = (): undefined => undefined;
    for (const value of ['a\r\nHost: evil', 'a\nb', 'a\rb', 'a\0', 'a\u010a']) {
      const variables = {
        env: () => value,
        input: none,
        secret: () => value,
        demo: none,
        workspaceFolder: none,
      };
      for (const members of [
        { headers: { 'X-Own': '${env:V}' } },
        { headers: { 'X-Own': value } },
        { contentType: value },
      ]) {
        const text = JSON.stringify({ agents: { a: { protocol: 'aicf', url: 'http://x/', ...members } } });
        const agent = parseAgentsFile(text).agents.get('a');
        const resolved = agent && (await resolveAgent(agent, variables));
        assert.match(
          resolved?.ok === false ? resolved.message : '',
          /^The agent 'a': the (header 'X-Own'|'contentType') contains a character that is not allowed in a header; remove it$/,
        );
      }
    }
  });
});
