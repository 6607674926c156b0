import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { interrupt, startProject, type StartedProject } from './support/start-project.ts';

describe('npm start without a desktop VS Code', () => {
  let started: StartedProject;
  before(async () => {
    started = await startProject();
  });
  after(() => started.child.kill('SIGINT'));

  it('serves VS Code on samples/, with a file in front', async () => {
    const { searchParams } = new URL(started.url);
    assert.match(searchParams.get('folder') ?? '', /\/samples$/);
    assert.match(searchParams.get('payload') ?? '', /openFile.*\/samples\/hello\.aicf/);
    // The token of the address becomes a cookie.
    const { headers } = await fetch(started.url, { redirect: 'manual' });
    const page = await fetch(new URL(headers.get('location') ?? '', started.url), {
      headers: {
        cookie: headers
          .getSetCookie()
          .map(each => each.split(';')[0])
          .join('; '),
      },
    });
    assert.equal(page.status, 200);
    assert.match(await page.text(), /vscode-workbench-web-configuration/);
  });

  it('ends everything on Ctrl-C', async () => {
    assert.equal(await interrupt(started.child), 0);
    await assert.rejects(fetch(started.url), 'the server still answers');
  });
});
