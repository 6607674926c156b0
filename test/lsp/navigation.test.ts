import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import {
  DefinitionRequest,
  DocumentHighlightRequest,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  ResponseError,
  SelectionRangeRequest,
  type Location,
  type Range,
  type SelectionRange,
} from 'vscode-languageserver/node';
import { readCursor } from './support/marked-text.ts';
import { TestClient } from './support/test-client.ts';

function message(type: string, session: string, more: string): string {
  return `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:${session}],[s:msg_type]:[s:${type}],${more}]`;
}

const AICL = [
  '# @agent coder',
  message('tool_call', 's1', '[s:tool]:[s:sum],[s:params]:[d:]'),
  message('result', 's1', '[s:data]:[i:3],[s:stream_id]:[s:tok_1/2]'),
  message('result', 's1', '[s:data]:[i:4],[s:stream_id]:[s:tok_2/2]'),
  '',
].join('\n');

const AICF = 'TOOLS|sum|other\nCALL|sum|1\nOK|AIO-TR-20250131-0001#1\n';

let client: TestClient;
const uris: string[] = [];

/** `name:line:from-to`, the name of the file and a range on one line. */
function show({ uri, range }: Location): string {
  return `${uri.slice(uri.lastIndexOf('/') + 1)}:${showRange(range)}`;
}

function showRange({ start, end }: Range): string {
  return start.line === end.line
    ? `${start.line}:${start.character}-${end.character}`
    : `${start.line}:${start.character}-${end.line}:${end.character}`;
}

async function open(name: string, text: string): Promise<string> {
  const uri = await client.open(name, name.slice(-4), text);
  uris.push(uri);
  return uri;
}

/** Opens a text with a cursor and answers where that is. */
async function openAt(name: string, marked: string) {
  const { text, position } = readCursor(marked);
  return { textDocument: { uri: await open(name, text) }, position };
}

async function definitionsAt(name: string, marked: string): Promise<readonly string[] | null> {
  const found = await client.connection.sendRequest(DefinitionRequest.type, await openAt(name, marked));
  return Array.isArray(found) ? found.map(one => show(one as Location)) : null;
}

async function referencesAt(
  name: string,
  marked: string,
  includeDeclaration = true,
): Promise<readonly string[] | null> {
  const place = await openAt(name, marked);
  const found = await client.connection.sendRequest(ReferencesRequest.type, {
    ...place,
    context: { includeDeclaration },
  });
  return found && found.map(show);
}

describe('navigation', () => {
  before(async () => {
    client = await TestClient.start();
  });
  after(async () => {
    assert.deepEqual(client.log, []);
    await client.stop();
  });
  afterEach(async () => {
    for (const uri of uris.splice(0)) await client.close(uri);
  });

  describe('definition', () => {
    it('leads from a tool to the line that declares it, in another file too', async () => {
      await open('tools.aicf', 'TOOL|sum|Adds\nTOOL|sum2|Adds too\n');
      assert.deepEqual(await definitionsAt('a.aicl', AICL.replace('[s:sum', '[s:$0sum')), [
        'tools.aicf:0:5-8',
      ]);
      assert.deepEqual(await definitionsAt('a.aicf', AICF.replace('CALL|', 'CALL|$0')), ['tools.aicf:0:5-8']);
    });

    it('leads to a list where no line declares the tool', async () =>
      assert.deepEqual(await definitionsAt('a.aicf', AICF.replace('CALL|', 'CALL|$0')), ['a.aicf:0:6-9']));

    it('leads from a session and a stream to their firsts', async () => {
      assert.deepEqual(await definitionsAt('a.aicl', AICL.replace(/s1(?!.*s1)/s, 's$01')), [
        'a.aicl:1:48-50',
      ]);
      assert.deepEqual(await definitionsAt('a.aicl', AICL.replace('tok_2', 'tok$0_2')), ['a.aicl:2:108-111']);
    });

    it('answers null where nothing is named or defined, and in an empty file', async () => {
      assert.equal(await definitionsAt('a.aicl', AICL.replace('[s:sum', '[s:$0sum')), null);
      assert.equal(await definitionsAt('b.aicl', AICL.replace('protocol', '$0protocol')), null);
      assert.equal(await definitionsAt('a.aicf', '$0'), null);
      const uri = await open('c.aicl', AICL);
      const position = { line: 99, character: 99 };
      assert.equal(
        await client.connection.sendRequest(DefinitionRequest.type, { textDocument: { uri }, position }),
        null,
      );
    });
  });

  describe('references', () => {
    it('of a tool are in files of both languages', async () => {
      await open('b.aicf', AICF);
      assert.deepEqual(await referencesAt('a.aicl', AICL.replace('[s:sum', '[s:$0sum')), [
        'a.aicl:1:91-94',
        'b.aicf:0:6-9',
        'b.aicf:1:5-8',
      ]);
    });

    it('leave the definition out where it is not wanted', async () => {
      await open('b.aicl', message('result', 's1', '[s:data]:[i:1]'));
      assert.deepEqual(await referencesAt('a.aicl', AICL.replace('s1', '$0s1'), false), [
        'a.aicl:2:48-50',
        'a.aicl:3:48-50',
        'b.aicl:0:48-50',
      ]);
    });

    it('of a call are wherever it is named', async () => {
      await open('b.aicl', '# AIO-TR-20250131-0001#1, AIO-TR-20250131-0001#2\n');
      assert.deepEqual(await referencesAt('a.aicf', AICF.replace('AIO', '$0AIO')), [
        'a.aicf:2:3-25',
        'b.aicl:0:2-24',
      ]);
    });

    it('answers null where nothing is named', async () =>
      assert.equal(await referencesAt('a.aicf', AICF.replace('|1', '|$01')), null));
  });

  it('highlights the places of a name in its file', async () => {
    await open('b.aicf', AICF);
    const place = await openAt('a.aicf', `TOOL|sum|Adds\n${AICF.replace('CALL|', 'CALL|$0')}`);
    const found = await client.connection.sendRequest(DocumentHighlightRequest.type, place);
    assert.deepEqual(
      found?.map(({ range, kind }) => [showRange(range), kind]),
      [
        ['0:5-8', 3],
        ['1:6-9', 2],
        ['2:5-8', 2],
      ],
    );
    const nothing = await openAt('c.aicl', '$0');
    assert.equal(await client.connection.sendRequest(DocumentHighlightRequest.type, nothing), null);
    const at = (AICL.split('\n')[1] ?? '').indexOf('[s:tool]') + 1;
    const tag = await openAt('d.aicl', AICL.replace('[s:tool]', '[$0s:tool]'));
    const marked = await client.connection.sendRequest(DocumentHighlightRequest.type, tag);
    assert.deepEqual(
      marked?.map(({ range }) => showRange(range)),
      [`1:${at}-${at + 1}`],
    );
    const word = await openAt('e.aicl', AICL.replace('[s:protocol]', '[s:pro$0tocol]'));
    assert.equal(await client.connection.sendRequest(DocumentHighlightRequest.type, word), null);
  });

  it('marks and lists so many places, and says in the log that there are more', async () => {
    const other = await TestClient.start();
    try {
      const line = `CALL|sum|${'1'.repeat(490)}\n`;
      const long = await other.open('a.aicf', 'aicf', line.repeat(1_200));
      const marked = await other.connection.sendRequest(DocumentHighlightRequest.type, {
        textDocument: { uri: long },
        position: { line: 600, character: 5 },
      });
      const reach = 250_000 / line.length;
      assert.deepEqual(
        [marked?.length, marked?.at(0)?.range.start.line, marked?.at(-1)?.range.start.line],
        [reach * 2, 600 - reach, 600 + reach - 1],
      );
      const many = await other.open('b.aicf', 'aicf', 'CALL|t\n'.repeat(20_001));
      const listed = await other.connection.sendRequest(ReferencesRequest.type, {
        textDocument: { uri: many },
        position: { line: 15_000, character: 5 },
        context: { includeDeclaration: true },
      });
      assert.equal(listed?.length, 20_000);
      assert.deepEqual(other.log, [
        `${long}: names are marked up to 250000 characters from the cursor`,
        `${many}: only the first 20000 places of 't' are listed`,
      ]);
    } finally {
      await other.stop();
    }
  });

  describe('rename', () => {
    it('offers the name without its escapes', async () => {
      const place = await openAt('a.aicf', 'CALL|a\\|$0b|1');
      assert.deepEqual(await client.connection.sendRequest(PrepareRenameRequest.type, place), {
        range: { start: { line: 0, character: 5 }, end: { line: 0, character: 9 } },
        placeholder: 'a|b',
      });
      const nothing = await openAt('b.aicl', '$0[d:]');
      assert.equal(await client.connection.sendRequest(PrepareRenameRequest.type, nothing), null);
    });

    it('changes all open files, each by its own escapes', async () => {
      const other = await open('b.aicf', AICF);
      const place = await openAt('a.aicl', AICL.replace('[s:sum', '[s:$0sum'));
      const edit = await client.connection.sendRequest(RenameRequest.type, { ...place, newName: 'a|]' });
      const at = (line: number, character: number, length: number): Range => ({
        start: { line, character },
        end: { line, character: character + length },
      });
      assert.deepEqual(edit, {
        changes: {
          [place.textDocument.uri]: [{ range: at(1, 91, 3), newText: 'a|\\u005D' }],
          [other]: [
            { range: at(0, 6, 3), newText: 'a\\|]' },
            { range: at(1, 5, 3), newText: 'a\\|]' },
          ],
        },
      });
    });

    it('refuses by a sentence', async () => {
      const place = await openAt('a.aicl', AICL.replace('s1', 's$01'));
      for (const [newName, sentence] of [
        ['', 'A session without a name cannot be distinguished from others: write a name'],
        ['a\nb', 'The name of a session must be on one line: leave the line end out'],
      ] as const) {
        await assert.rejects(
          client.connection.sendRequest(RenameRequest.type, { ...place, newName }),
          (error: unknown) => error instanceof ResponseError && error.message === sentence,
        );
      }
      const nothing = await openAt('b.aicf', '$0');
      await assert.rejects(
        client.connection.sendRequest(RenameRequest.type, { ...nothing, newName: 'a' }),
        /No session, stream, tool or call is named here: put the cursor on such a name/,
      );
    });

    it('gives versions, and asks before it changes a session elsewhere, where the client can', async () => {
      const rich = await TestClient.start({
        capabilities: {
          textDocument: { rename: { prepareSupport: true } },
          workspace: { workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} } },
        },
      });
      try {
        assert.deepEqual(rich.initialized?.capabilities.renameProvider, { prepareProvider: true });
        const text = '[d:[s:session_id]:[s:a],[s:tool]:[s:t]]';
        const [one, two] = [await rich.open('1.aicl', 'aicl', text), await rich.open('2.aicl', 'aicl', text)];
        const renamed = (character: number, newName: string) =>
          rich.connection.sendRequest(RenameRequest.type, {
            textDocument: { uri: one },
            position: { line: 0, character },
            newName,
          });
        const edit = (character: number, newText: string) => ({
          range: { start: { line: 0, character }, end: { line: 0, character: character + 1 } },
          newText,
        });
        assert.deepEqual(await renamed(21, 'b'), {
          documentChanges: [
            { textDocument: { uri: one, version: 1 }, edits: [edit(21, 'b')] },
            {
              textDocument: { uri: two, version: 1 },
              edits: [{ ...edit(21, 'b'), annotationId: 'elsewhere' }],
            },
          ],
          changeAnnotations: {
            elsewhere: { label: 'The same name in other files', needsConfirmation: true },
          },
        });
        assert.deepEqual(await renamed(36, 'u'), {
          documentChanges: [
            { textDocument: { uri: one, version: 1 }, edits: [edit(36, 'u')] },
            { textDocument: { uri: two, version: 1 }, edits: [edit(36, 'u')] },
          ],
        });
      } finally {
        await rich.stop();
      }
    });
  });

  it('grows selections, one for each cursor', async () => {
    const uri = await open('a.aicf', 'CALL|math.add|1\nOK|2\n\nLIST\n');
    const found = await client.connection.sendRequest(SelectionRangeRequest.type, {
      textDocument: { uri },
      positions: [
        { line: 0, character: 11 },
        { line: 2, character: 0 },
        { line: 99, character: 0 },
      ],
    });
    const path = (range: SelectionRange | undefined): string[] =>
      range ? [showRange(range.range), ...path(range.parent)] : [];
    assert.deepEqual(found?.map(path), [
      ['0:10-13', '0:5-13', '0:0-15', '0:0-1:4', '0:0-4:0'],
      ['2:0-0', '0:0-4:0'],
      ['4:0-0', '0:0-4:0'],
    ]);
    const empty = await open('b.aicl', '');
    const position = { line: 0, character: 0 };
    assert.deepEqual(
      await client.connection.sendRequest(SelectionRangeRequest.type, {
        textDocument: { uri: empty },
        positions: [position],
      }),
      [{ range: { start: position, end: position } }],
    );
  });
});
