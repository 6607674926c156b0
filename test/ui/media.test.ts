import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { FrameLocator, Locator } from 'playwright-core';
import { takeWindow } from './support/shared-window.ts';
import { expectSoon } from './support/wait.ts';
import type { Workbench } from './support/workbench.ts';

/** A second of silence: 8,000 samples of a byte. */
const SILENCE = Buffer.concat([
  Buffer.from('52494646641f000057415645666d74201000000001000100', 'hex'),
  Buffer.from('401f0000401f00000100080064617461401f0000', 'hex'),
  Buffer.alloc(8_000, 0x80),
]);
/** A drawing with a script, and a picture from elsewhere in it. */
const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>parent.postMessage("script", "*")</script><image href="https://media.example/inside.png" width="9" height="9"/><rect width="40" height="20" fill="teal"/></svg>';

const block = (type: string, mimeType: string, bytes: Buffer | string): string =>
  JSON.stringify({ type, data: Buffer.from(bytes).toString('base64'), mimeType });

const FILE = [
  '# sound',
  `OK|${block('audio', 'audio/wav', SILENCE)}`,
  '# drawing',
  `OK|${block('image', 'image/svg+xml', DRAWING)}`,
  '# elsewhere',
  'OK|{"type":"image","image_url":"https://media.example/a.png"}',
  '# broken',
  `OK|${block('image', 'image/png', 'no picture')}`,
  '',
].join('\n');

describe('pictures and sounds of messages', () => {
  let workbench: Workbench;
  const asked: string[] = [];
  before(async () => {
    workbench = await takeWindow({ files: { 'media.aicf': FILE } });
    workbench.page.on('request', request => asked.push(request.url()));
  });

  /** What VS Code shows when a lens of media.aicf was clicked. */
  async function show(lens: string, line: string): Promise<FrameLocator> {
    await workbench.openFile('media.aicf');
    await workbench.clickLens(workbench.editor('media.aicf'), lens, line);
    return workbench.webview();
  }

  const widthOf = (page: FrameLocator): Promise<number> =>
    page.locator('img').evaluate(node => (node instanceof HTMLImageElement ? node.naturalWidth : 0));

  it("show the storyteller's picture", async () => {
    const requests = await workbench.openFile('team.aicl');
    await workbench.clickLens(requests, 'Send', '[d:');
    await workbench.tab('What is the sky like? ok').waitFor();
    const reply = workbench.webview().locator('.reply-body .medium');
    await expectSoon(() => reply.locator('img').evaluate(node => (node as HTMLImageElement).naturalWidth), 8);
    await reply.getByRole('button', { name: 'Open' }).click();
    await workbench.tab('image.png').waitFor();
  });

  it('play sounds', async () => {
    const page = await show('Play audio', 'OK|{"type":"audio"');
    const player: Locator = page.locator('audio');
    await expectSoon(
      () => player.evaluate(node => (node instanceof HTMLMediaElement ? node.duration : 0)),
      1,
    );
  });

  it('draw a drawing as a picture: no script of it runs', async () => {
    const page = await show('Show image', 'OK|{"type":"image","data":"PHN2');
    await expectSoon(() => widthOf(page), 40);
    assert.equal(await page.locator('svg image').count(), 0);
  });

  it('say where a picture is that is elsewhere, and load nothing', async () => {
    await workbench.openFile('media.aicf');
    await workbench.clickLens(workbench.editor('media.aicf'), 'Show image', 'OK|{"type":"image","image_url"');
    const words = "It is not in the message, which has its address: 'https://media.example/a.png'";
    const notification = workbench.page.locator('.notification-toast', { hasText: words });
    await notification.getByRole('button', { name: 'Open in browser' }).waitFor();
    await notification.getByRole('button', { name: 'Copy address' }).waitFor();
    assert.deepEqual(
      asked.filter(url => url.includes('media.example')),
      [],
    );
  });

  it('say that bytes are no picture', async () => {
    const page = await show('Show image', 'OK|{"type":"image","data":"bm8');
    await page.getByText('An error occurred while loading the image.').waitFor();
  });
});
