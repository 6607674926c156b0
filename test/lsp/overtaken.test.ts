import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  CancellationTokenSource,
  CodeActionRequest,
  DocumentDiagnosticRequest,
  DocumentFormattingRequest,
  DocumentOnTypeFormattingRequest,
  DocumentRangeFormattingRequest,
  HoverRequest,
  LSPErrorCodes,
  ResponseError,
  WorkspaceDiagnosticRequest,
} from 'vscode-languageserver/node';
import type { OpenDocument } from '../../language/support.ts';
import { NODE_RUNTIME } from '../../server/src/node-runtime.ts';
import type { Runtime } from '../../server/src/runtime.ts';
import { takeTurns } from '../../server/src/turns.ts';
import { withClient, type ClientOptions, type TestClient } from './support/test-client.ts';

/** A test that leaves nothing in the log. */
function withQuietClient(options: ClientOptions, test: (client: TestClient) => Promise<void>): Promise<void> {
  return withClient(options, async client => {
    await test(client);
    assert.deepEqual(client.log, []);
  });
}

/** The real runtime, with each document of AICF-RPC changed by `change`. */
function changeDocuments(change: (document: OpenDocument) => Partial<OpenDocument>): Runtime {
  const { aicf } = NODE_RUNTIME.languages;
  const open: typeof aicf.open = (text, settings) => {
    const document = aicf.open(text, settings);
    return { ...document, ...change(document) };
  };
  return { ...NODE_RUNTIME, languages: { ...NODE_RUNTIME.languages, aicf: { ...aicf, open } } };
}

/** What a request was refused with. */
async function refusal(answer: Promise<unknown>): Promise<{ readonly code: number; readonly data: unknown }> {
  try {
    return assert.fail(`answered ${JSON.stringify(await answer)}`);
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    return { code: error.code, data: error.data as unknown };
  }
}

const HERE = { line: 0, character: 1 };
const RANGE = { start: HERE, end: HERE };
const OPTIONS = { tabSize: 2, insertSpaces: true };

/** The number of times that a request may be answered before the edit arrives, as on a busy machine. */
const MAX_EARLY = 20;

describe('requests that an edit overtakes', () => {
  it('get no edits of a text that is gone, and are asked for their diagnostics again', async () => {
    await withQuietClient({}, async client => {
      const { connection } = client;
      const context = { diagnostics: [] };
      const overtake = async (name: string): Promise<boolean> => {
        const textDocument = { uri: await client.open(name, 'aicf', 'call|a \n') };
        const pending: readonly Promise<unknown>[] = [
          connection.sendRequest(DocumentFormattingRequest.type, { textDocument, options: OPTIONS }),
          connection.sendRequest(DocumentRangeFormattingRequest.type, {
            textDocument,
            range: RANGE,
            options: OPTIONS,
          }),
          connection.sendRequest(DocumentOnTypeFormattingRequest.type, {
            textDocument,
            position: HERE,
            ch: '\n',
            options: OPTIONS,
          }),
          connection.sendRequest(CodeActionRequest.type, { textDocument, range: RANGE, context }),
          connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument }),
        ];
        const settled = Promise.allSettled(pending);
        const hover = connection.sendRequest(HoverRequest.type, { textDocument, position: HERE });
        await client.change(textDocument.uri, 2, [{ text: 'LIST\n' }]);
        const isEarly = (await settled).some(({ status }) => status === 'fulfilled');
        assert.notEqual(await hover, null);
        const again = await connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument });
        assert.deepEqual(again.kind === 'full' && again.items, []);
        if (isEarly) return false;
        const modified = { code: LSPErrorCodes.ContentModified, data: undefined };
        assert.deepEqual(await Promise.all(pending.map(refusal)), [
          modified,
          modified,
          modified,
          modified,
          { code: LSPErrorCodes.ServerCancelled, data: { retriggerRequest: true } },
        ]);
        return true;
      };
      for (let early = 0; !(await overtake(`${early}.aicf`)); early++)
        assert.ok(early < MAX_EARLY, 'no request was overtaken');
    });
  });
});

describe('cancelled requests', () => {
  it('do no work when the cancel is there before their turn comes', async () => {
    let worked = 0;
    const runtime = changeDocuments(() => ({ hover: () => void worked++ }));
    await withQuietClient({ runtime }, async client => {
      const textDocument = { uri: await client.open('a.aicf', 'aicf', 'LIST\n') };
      const params = { textDocument, position: HERE };
      const sources = Array.from({ length: 20 }, () => new CancellationTokenSource());
      const pending = sources.map(({ token }) =>
        refusal(client.connection.sendRequest(HoverRequest.type, params, token)),
      );
      for (const source of sources) source.cancel();
      const codes = (await Promise.all(pending)).map(({ code }) => code);
      assert.deepEqual(new Set(codes), new Set([LSPErrorCodes.RequestCancelled]));
      assert.equal(worked, 0);
      await client.connection.sendRequest(HoverRequest.type, params);
      assert.equal(worked, 1);
    });
  });

  it('stop where they are: the other files of a workspace are not checked', async () => {
    const source = new CancellationTokenSource();
    let checked = 0;
    const runtime = changeDocuments(document => ({
      validate() {
        if (++checked === 3) source.cancel();
        return document.validate();
      },
    }));
    await withQuietClient({ runtime }, async client => {
      for (let file = 0; file < 40; file++) await client.open(`${file}.aicf`, 'aicf', 'LIST\n');
      const params = { previousResultIds: [] };
      const pending = client.connection.sendRequest(WorkspaceDiagnosticRequest.type, params, source.token);
      assert.equal((await refusal(pending)).code, LSPErrorCodes.RequestCancelled);
      assert.ok(checked >= 3 && checked < 40, `${checked} files were checked`);
    });
  });
});

describe('turns', () => {
  it('let the queue go first, and go one by one', async () => {
    const queue: (() => void)[] = [];
    const log: string[] = [];
    const turn = takeTurns(callback => void queue.push(callback));
    const step = async (): Promise<void> => {
      log.push('queue');
      queue.shift()?.();
      await new Promise(resolve => setImmediate(resolve));
    };
    const work = async (name: string): Promise<void> => {
      await turn();
      log.push(name);
    };
    const works = [work('a'), work('b')];
    assert.deepEqual(log, []);
    await step();
    works.push(work('c'));
    while (queue.length > 0) await step();
    await Promise.all(works);
    works.push(work('d'));
    await step();
    assert.deepEqual(log, ['queue', 'a', 'queue', 'b', 'queue', 'c', 'queue', 'd']);
  });
});
