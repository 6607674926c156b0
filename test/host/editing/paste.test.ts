import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { commands, env, window, type TextDocument, type Uri } from 'vscode';
import { deleteScratch } from '../support/editor.ts';
import { closeEditors, openScratch } from '../support/parley.ts';

const HEAD = '[s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:session],\n  [s:msg_type]';
const CALL = `[d:\n  ${HEAD}:[s:tool_call],\n  [s:tool]:[s:math.add],\n  [s:params]:[d:[s:a]:[i:1],[s:b]:[f:2.0]]\n]`;
const part = (data: string, place: string): string =>
  `[d:\n  ${HEAD}:[s:result],\n  [s:data]:[s:${data}],\n  [s:stream_id]:[s:stream_${place}\n]`;
const PARTS = `${part('Sun', '1/2]')}\n\n${part('ny', '2/2],\n  [s:is_final]:[b:true]')}`;

const MCP =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"math.add","arguments":{"a":1,"b":2.0}}}';
const RPC =
  '{"jsonrpc":"2.0","id":1,"method":"aip.tool.invoke","params":{"tool":"math.add","arguments":{"a":1,"b":2.0}}}';
const CURL = `curl -X POST http://localhost:3000/mcp \\\n  -H 'Content-Type: application/json' \\\n  -d '${MCP}'`;
const EVENTS =
  'event: message\ndata: {"kind":"chunk","data":"Sun"}\n\n: alive\n\ndata: {"kind":"chunk","data":"ny"}\n\ndata: {"kind":"end"}\n\n';

describe('pasting what others write', () => {
  const made: Uri[] = [];

  async function paste(name: string, clipboard: string): Promise<TextDocument> {
    const document = await openScratch(name, '# here\n');
    made.push(document.uri);
    await window.showTextDocument(document);
    await env.clipboard.writeText(clipboard);
    const problem = await commands.executeCommand('parley.pasteMessages', document.uri.toString(), {
      line: 1,
      character: 0,
    });
    assert.equal(problem, undefined);
    return document;
  }

  afterEach(async () => {
    await closeEditors();
    for (const uri of made.splice(0)) await deleteScratch(uri);
  });

  const cases: readonly (readonly [what: string, clipboard: string, aicl: string, aicf: string])[] = [
    ['JSON-RPC', RPC, CALL, 'CALL|math.add|1|2.0'],
    ['MCP', MCP, CALL, 'CALL|math.add|1|2.0'],
    ['cURL', CURL, CALL, 'CALL|math.add|1|2.0'],
    ['server-sent events', EVENTS, PARTS, 'STREAM|Sun\nSTREAM|ny\nEND'],
  ];
  for (const [index, [what, clipboard, aicl, aicf]] of cases.entries())
    it(`${what} as AICL and as AICF`, async () => {
      for (const [ending, expected] of [
        ['aicl', aicl],
        ['aicf', aicf],
      ] as const) {
        const document = await paste(`paste-${index}.${ending}`, clipboard);
        assert.equal(document.getText(), `# here\n${expected}`);
        await document.save();
      }
    });

  it('into a new document where no editor is open', async () => {
    await env.clipboard.writeText(MCP);
    assert.equal(
      await commands.executeCommand('parley.pasteMessages', undefined, undefined, 'aicl'),
      undefined,
    );
    const document = window.activeTextEditor?.document;
    assert.deepEqual([document?.isUntitled, document?.languageId, document?.getText()], [true, 'aicl', CALL]);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
