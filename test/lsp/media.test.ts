import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  CodeLensRequest,
  HoverRequest,
  type ClientCapabilities,
  type Hover,
} from 'vscode-languageserver/node';
import { readCursor } from './support/marked-text.ts';
import { TestClient } from './support/test-client.ts';

/** A PNG of 3 by 2 pixels. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAC0lEQVR42mNgwAQAABQAAUlOYCgAAAAASUVORK5CYII=';

const SHOWS: ClientCapabilities = {
  general: { markdown: { parser: 'marked', version: '1.1.0' } },
  textDocument: { hover: { contentFormat: ['markdown', 'plaintext'] } },
};

async function hoverAt(
  marked: string,
  language: 'aicl' | 'aicf',
  capabilities: ClientCapabilities = SHOWS,
): Promise<Hover | null> {
  const { text, position } = readCursor(marked);
  const client = await TestClient.start({ capabilities });
  const uri = await client.open(`a.${language}`, language, text);
  const found = await client.connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position });
  await client.stop();
  assert.deepEqual(client.log, []);
  return found;
}

const markdown = (value: string): Hover['contents'] => ({ kind: 'markdown', value });

describe('hover over a picture', () => {
  const facts = '**image** · image/png · 3×2 pixels · 68 bytes';

  it('tells of it and shows it, in both languages', async () => {
    const picture = `${facts}\n\n![Picture, 3 by 2 pixels](data:image/png;base64,${PNG}|width=63,height=42)`;
    const aicl = await hoverAt(`[d:[s:type]:[s:image],[s:value]:[s:${PNG}$0]]`, 'aicl');
    assert.deepEqual(aicl, {
      contents: markdown(picture),
      range: { start: { line: 0, character: 35 }, end: { line: 0, character: 35 + PNG.length } },
    });
    const aicf = await hoverAt(`OK|[{"type":"image","data":"$0${PNG}","mimeType":"image/png"}]`, 'aicf');
    assert.deepEqual(aicf?.contents, markdown(picture));
  });

  it('shows a large one smaller', async () => {
    const head = Buffer.from(PNG, 'base64');
    head.writeUInt32BE(1_200, 16);
    head.writeUInt32BE(800, 20);
    const base64 = head.toString('base64');
    const found = await hoverAt(`OK|data:image/png;base64,$0${base64}`, 'aicf');
    const picture = `![Picture, 1200 by 800 pixels](data:image/png;base64,${base64}|width=270,height=180)`;
    assert.deepEqual(
      found?.contents,
      markdown(`**image** · image/png · 1,200×800 pixels · 68 bytes\n\n${picture}`),
    );
  });

  it('shows none to other clients', async () => {
    const found = await hoverAt(`OK|data:image/png;base64,${PNG}$0`, 'aicf', {});
    assert.deepEqual(found?.contents, markdown(facts));
  });

  it('says that it is too large, or no Base64, or elsewhere', async () => {
    const large = `${PNG.slice(0, 32)}${'A'.repeat(90_000)}`;
    const said = await Promise.all(
      [
        `{"type":"image","data":"$0${large}"}`,
        `{"type":"image","data":"$0iVBORw0KGgoAA…"}`,
        `{"type":"image","image_url":"$0https://a.example/\`\`\`b.png"}`,
      ].map(json => hoverAt(`OK|${json}`, 'aicf')),
    );
    assert.deepEqual(
      said.map(found => found?.contents),
      [
        '**image** · image/png · 3×2 pixels · 66 KiB\n\nToo large to be shown here: `Show image` above its line opens it.',
        '**image** · image/png · The text is not valid Base64\\. Ask the agent for it again',
        '**image** · image of an undeclared type · It is not in the message, which has only its address\n\n````text\nhttps://a.example/```b.png\n````',
      ].map(markdown),
    );
  });

  it('makes no Markdown of a name', async () => {
    const named = `{"raw":"$0AAAA","filename":"![x](https://a.example)<b>"}`;
    const found = await hoverAt(`OK|${named}`, 'aicf');
    assert.deepEqual(
      found?.contents,
      markdown(
        '**file** · named \\!\\[x\\]\\(https://a\\.example\\)&lt;b\\> · file of an undeclared type · 3 bytes',
      ),
    );
  });
});

describe('lenses of pictures, sounds, videos and files', () => {
  async function lensesOf(text: string, initializationOptions: object): Promise<readonly unknown[]> {
    const client = await TestClient.start({ initializationOptions });
    const uri = await client.open('a.aicf', 'aicf', text);
    const lenses = await client.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } });
    await client.stop();
    return [
      ...(lenses ?? []).map(({ range, command }) => [
        `${range.start.line}:${range.start.character} ${command?.title}`,
        command?.command,
        command?.arguments?.map((argument: unknown) => (argument === uri ? 'uri' : argument)),
      ]),
      ...client.log,
    ];
  }

  it('stand at their lines, numbered where several share one', async () => {
    const text = `OK|data:image/png;base64,${PNG}\nOK|[{"type":"audio","data":"AAAA"},{"type":"video","value":"https://a.example"},{"blob":"AAAA"}]`;
    const lens = (line: number, character: number, title: string): unknown => [
      `${line}:${character} ${title}`,
      'parley.showMedia',
      ['uri', { line, character }],
    ];
    assert.deepEqual(await lensesOf(text, { canShowMedia: true }), [
      lens(0, 3, '$(file-media)\u00a0Show image'),
      lens(1, 28, '$(unmute)\u00a0Play audio 1'),
      lens(1, 60, '$(device-camera-video)\u00a0Show video 2'),
      lens(1, 89, '$(save)\u00a0Save file 3'),
    ]);
    assert.deepEqual(await lensesOf(text, {}), []);
  });

  it('are a thousand at most, which the log says', async () => {
    const found = await lensesOf('OK|data:image/png;base64,AAAA\n'.repeat(1_001), { canShowMedia: true });
    assert.deepEqual(
      [found.length, found.at(-1)],
      [1_001, 'file:///folder/a.aicf: only the first 1000 images and files have a lens'],
    );
  });
});
