import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  DocumentDiagnosticRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  type TextDocumentContentChangeEvent,
} from 'vscode-languageserver/node';
import { LANGUAGES, type LanguageId } from '../../core/catalog/languages.ts';
import { share } from '../support/share.ts';
import { TestClient } from './support/test-client.ts';
import { runs, sized } from '../support/size.ts';

const MESSAGE =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:tool_call],[s:tool]:[s:a],[s:params]:[d:]]\n';
const LINE = 'CALL|weather.forecast|Paris|3\nOK|{"days":3}\n';
const SAMPLES: Readonly<Record<LanguageId, string>> = {
  aicl: MESSAGE,
  aicf: LINE,
  'agent-json': '// @agent coder\n{"method":"ping"}\n',
};

/** Pieces that build and break both languages. */
const PIECES = [
  '\n',
  '\r\n',
  '\r',
  '|',
  '[',
  ']',
  ',',
  ':',
  '[d:',
  '[s:a]',
  'CALL|x',
  '\\',
  '😀',
  '# c',
  ' ',
  '',
];

/** An edit by fractions of the current text, so that every edit of a sequence has a place. */
const edit = fc.record({
  from: share,
  to: share,
  newText: fc.constantFrom(...PIECES),
});

interface Edited {
  readonly change: TextDocumentContentChangeEvent;
  readonly text: string;
}

function applyEdit(
  text: string,
  { from, to, newText }: { from: number; to: number; newText: string },
): Edited {
  const [start, end] = [Math.floor(from * text.length), Math.floor(to * text.length)].sort((a, b) => a - b);
  const range = { start: positionAt(text, start ?? 0), end: positionAt(text, end ?? 0) };
  return { change: { range, text: newText }, text: text.slice(0, start) + newText + text.slice(end) };
}

/** The position of an offset. One between CR and LF does not exist for an editor: it is before both. */
function positionAt(text: string, offset: number): { line: number; character: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r(?!$)|\n/);
  return { line: lines.length - 1, character: (lines.at(-1) ?? '').length };
}

describe('server: incremental edits', () => {
  for (const { id, extensions } of LANGUAGES) {
    it(`reads ${id} after edits as it reads the whole text`, async () => {
      const client = await TestClient.start();
      let run = 0;
      const all = async (uri: string): Promise<unknown> => {
        const textDocument = { uri };
        const report = await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument });
        return [
          report.kind === 'full' ? report.items : report.kind,
          await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument }),
          await client.connection.sendRequest(FoldingRangeRequest.type, { textDocument }),
        ];
      };
      const property = fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 8 }), async edits => {
        run++;
        let text = SAMPLES[id].repeat(3);
        const edited = await client.open(`edited${run}${extensions[0]}`, id, text);
        const changes: TextDocumentContentChangeEvent[] = [];
        for (const step of edits) {
          const next = applyEdit(text, step);
          // A split CR LF pair would make the text differ from what the range says.
          if (/\r$/.test(text.slice(0, Math.floor(step.from * text.length)))) continue;
          if (/\r$/.test(text.slice(0, Math.floor(step.to * text.length)))) continue;
          changes.push(next.change);
          text = next.text;
        }
        const half = changes.length >> 1;
        await client.change(edited, 2, changes.slice(0, half));
        await client.change(edited, 3, changes.slice(half));
        const whole = await client.open(`whole${run}${extensions[0]}`, id, text);
        assert.deepEqual(await all(edited), await all(whole));
        await client.close(edited);
        await client.close(whole);
      });
      await fc.assert(property, { numRuns: runs(60) });
      assert.deepEqual(client.log, []);
      await client.stop();
    });
  }
});

describe('server: large documents', () => {
  for (const { id, extensions } of LANGUAGES) {
    it(`answers for a large file of ${id}, and for the next edit`, async () => {
      const client = await TestClient.start();
      const sample = SAMPLES[id];
      const uri = await client.open(
        `large${extensions[0]}`,
        id,
        sample.repeat(Math.ceil(sized(5_000_000) / sample.length)),
      );
      const textDocument = { uri };
      const pull = async (): Promise<unknown> => {
        const report = await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument });
        return report.kind === 'full' && report.items.filter(item => item.severity === 1).length;
      };
      assert.equal(await pull(), 0);
      const start = { line: 0, character: 0 };
      await client.change(uri, 2, [
        { range: { start, end: start }, text: { aicl: 'x\n', aicf: 'call|x\n', 'agent-json': '1\n' }[id] },
      ]);
      assert.equal(await pull(), 1);
      await client.connection.sendRequest(HoverRequest.type, { textDocument, position: start });
      assert.deepEqual(client.log, []);
      await client.stop();
    });
  }
});
