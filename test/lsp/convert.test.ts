import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  CancellationTokenSource,
  CodeActionRequest,
  CodeActionTriggerKind,
  CodeLensRequest,
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
  type CodeAction,
  type CodeLens,
  type Range,
} from 'vscode-languageserver/node';
import { CONVERSIONS } from '../../core/catalog/conversions.ts';
import { convertText } from '../../protocols/convert/convert.ts';
import { SourceText } from '../../core/text/source-text.ts';
import {
  CONVERT,
  CONVERTED_AT,
  type ConvertedAtParams,
  type ConvertParams,
  type ConvertResult,
  type ConvertSource,
} from '../../wire/conversion-requests.ts';
import { NODE_RUNTIME } from '../../server/src/node-runtime.ts';
import type { Runtime } from '../../server/src/runtime.ts';
import { TestClient, withClient } from './support/test-client.ts';
import { itAtFullSize, sized } from '../support/size.ts';
import { isWireRange } from '../../wire/places.ts';

const CALL = '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:tool_call],';
const ONE = `${CALL}[s:tool]:[s:one],[s:params]:[d:[s:deep]:[l:[i:7],[s:x]]]]`;
const TWO = `${CALL}[s:tool]:[s:two],[s:params]:[d:[s:n]:[f:1.5]]]`;

let client: TestClient;
let opened = 0;

async function open(name: 'aicl' | 'aicf', text: string): Promise<string> {
  return client.open(`${++opened}.${name}`, name, text);
}

async function convert(source: ConvertSource, more: Partial<ConvertParams> = {}): Promise<ConvertResult> {
  const params = { source, to: 'json-rpc', layout: 'compact', ...more };
  return client.connection.sendRequest<ConvertResult>(CONVERT.method, params);
}

function at(line: number, character: number, endLine = line, endCharacter = character): Range {
  return { start: { line, character }, end: { line: endLine, character: endCharacter } };
}

/** The text of a range. */
function cut(text: string, range: unknown): string | undefined {
  if (!isWireRange(range)) return undefined;
  const source = SourceText.of(text);
  return text.slice(source.toOffset(range.start), source.toOffset(range.end));
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

describe('conversion', () => {
  before(async () => {
    client = await TestClient.start();
  });
  after(async () => {
    assert.deepEqual(client.log, []);
    await client.stop();
  });

  it('of a document is that of its text, in every protocol and layout', async () => {
    const text = `# above\n${ONE}\n\n${TWO}\n`;
    const uri = await open('aicl', text);
    for (const { name } of CONVERSIONS) {
      for (const layout of ['pretty', 'compact', 'fitting'] as const) {
        const result = await convert({ uri }, { to: name, layout });
        assert.equal(
          result.text,
          convertText(text, { protocols: ALL_PROTOCOLS, from: 'aicl', to: name, layout }).text,
        );
        assert.deepEqual([result.version, result.from], [1, ['aicl', 'aicl']]);
        assert.deepEqual(result.source, at(0, 0, 4, 0));
      }
    }
  });

  it('is about the newest version', async () => {
    const uri = await open('aicl', ONE);
    await client.change(uri, 5, [
      { range: at(0, ONE.indexOf('one'), 0, ONE.indexOf('one') + 3), text: 'uno' },
    ]);
    const { version, text } = await convert({ uri });
    assert.deepEqual([version, text.includes('"uno"')], [5, true]);
  });

  it('of a range is that of the messages it touches, their container lines included', async () => {
    const text = `# first\n${ONE}\n# second\n# @name x\n${TWO}\n\n# last\n`;
    const uri = await open('aicl', text);
    const tools = async (range: Range): Promise<unknown> => {
      const result = await convert({ uri, range });
      return [cut(text, result.source), result.text.match(/"(?:one|two)"/g)];
    };
    const [one, two] = [
      [ONE, ['"one"']],
      [TWO, ['"two"']],
    ];
    assert.deepEqual(await tools(at(0, 3)), one);
    assert.deepEqual(await tools(at(1, 0)), one);
    assert.deepEqual(await tools(at(1, 9, 2, 0)), one);
    assert.deepEqual(await tools(at(2, 0)), two);
    assert.deepEqual(await tools(at(3, 2, 4, 1)), two);
    assert.deepEqual(await tools(at(1, 9, 4, 1)), [
      text.slice(text.indexOf(ONE), text.indexOf(TWO) + TWO.length),
      ['"one"', '"two"'],
    ]);
    assert.equal(await client.connection.sendRequest(CONVERT.method, askFor({ uri, range: at(6, 2) })), null);
  });

  it('of a cursor between two messages that touch is that of the second', async () => {
    const text = ONE + TWO;
    const uri = await open('aicl', text);
    const found = await convert({ uri, range: at(0, ONE.length) });
    assert.equal(cut(text, found.source), TWO);
  });

  it('names arguments by the tools of the agent that is asked, wherever they are declared', async () => {
    const text = [
      ...['# @agent counter', 'CALL|sum|1|2', '# @agent other', 'CALL|sum|1|2'],
      ...['# @agent counter', 'INFO|sum', 'TOOL|sum|Adds|left:number|right:number', ''],
    ].join('\n');
    const near = await open('aicf', text);
    assert.equal(await argumentsOf(near, at(1, 0)), '{"left":1,"right":2}');
    // No schema of its agent says that these are numbers.
    assert.match(String(await argumentsOf(near, at(3, 0))), /"1".*"2"/);
    const far = await open('aicf', '# @agent counter\nCALL|sum|1|2\n');
    while ((await argumentsOf(far, at(1, 0))) !== '{"left":1,"right":2}')
      await new Promise(resolve => setTimeout(resolve, 5));
  });

  async function argumentsOf(uri: string, range: Range): Promise<string | undefined> {
    const { text } = await convert({ uri, range });
    return /"arguments":(\{[^}]*\}|\[[^\]]*\])/.exec(text)?.[1];
  }

  it('of a text needs no document', async () => {
    const text = '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x","arguments":{"n":1}}}';
    const result = await convert({ text }, { to: 'aicl' });
    const { text: expected } = convertText(text, { protocols: ALL_PROTOCOLS, to: 'aicl', layout: 'compact' });
    assert.deepEqual(
      [result.version, result.text, result.from, result.source],
      [0, expected, ['mcp'], at(0, 0, 0, text.length)],
    );
    assert.deepEqual((await convert({ text: '' })).text, '');
  });

  it('is nothing for a document that is not open', async () => {
    const uri = 'file:///folder/not-open.aicl';
    assert.equal(await client.connection.sendRequest(CONVERT.method, askFor({ uri })), null);
  });

  it('is refused for wrong parameters', async () => {
    for (const wrong of [{}, { ...askFor({ text: '' }), to: 'soap' }, askFor({}), 7])
      await assert.rejects(
        client.connection.sendRequest(CONVERT.method, wrong),
        new ResponseError(
          ErrorCodes.InvalidParams,
          'parley/convert: the parameters have not the agreed form',
        ),
      );
    await assert.rejects(
      client.connection.sendRequest(CONVERTED_AT.method, { keptAs: 7 }),
      new ResponseError(
        ErrorCodes.InvalidParams,
        'parley/convertedAt: the parameters have not the agreed form',
      ),
    );
  });

  itAtFullSize('is refused for a text that is too long', async () => {
    await assert.rejects(
      client.connection.sendRequest(CONVERT.method, askFor({ text: ' '.repeat(50_000_001) })),
      new ResponseError(
        LSPErrorCodes.RequestFailed,
        "The text has 50000001 characters, and at most 50000000 are converted in the editor: convert the file with 'parley convert'",
      ),
    );
  });

  function askFor(source: ConvertSource): ConvertParams {
    return { source, to: 'json', layout: 'compact' };
  }
});

describe('a long conversion', () => {
  const MESSAGES = sized(20_000, 1_000);
  const TEXT = `${ONE}\n`.repeat(MESSAGES);
  const all = (uri: string): ConvertParams => ({ source: { uri }, to: 'json', layout: 'compact' });
  const hoverAt = (uri: string): object => ({ textDocument: { uri }, position: { line: 0, character: 30 } });

  /** A server whose every slice is long, and how often it rested. */
  async function withSlices(
    run: (own: TestClient, uri: string, rests: () => number) => Promise<void>,
  ): Promise<void> {
    let [clock, rests] = [0, 0];
    const runtime: Runtime = {
      ...NODE_RUNTIME,
      now: () => (clock += 1_000),
      yieldToQueue: () => {
        rests++;
        return NODE_RUNTIME.yieldToQueue();
      },
    };
    await withClient({ runtime }, async own => {
      const uri = await own.open('long.aicl', 'aicl', TEXT);
      await run(own, uri, () => rests);
      assert.deepEqual(own.log, []);
    });
  }

  it('lets other requests through, and says the same in the end', async () => {
    await withSlices(async (own, uri, rests) => {
      const answered: string[] = [];
      const conversion = own.connection.sendRequest<ConvertResult>(CONVERT.method, all(uri)).then(result => {
        answered.push('conversion');
        return result;
      });
      const hover = await own.connection.sendRequest('textDocument/hover', hoverAt(uri));
      answered.push('hover');
      assert.notEqual(hover, null);
      const result = await conversion;
      assert.deepEqual(answered, ['hover', 'conversion']);
      assert.equal(
        result.text,
        convertText(TEXT, { protocols: ALL_PROTOCOLS, from: 'aicl', to: 'json', layout: 'compact' }).text,
      );
      assert.ok(rests() > MESSAGES / 100, String(rests()));
    });
  });

  it('stops when it is cancelled', async () => {
    await withSlices(async (own, uri, rests) => {
      const source = new CancellationTokenSource();
      const conversion = own.connection.sendRequest<ConvertResult>(CONVERT.method, all(uri), source.token);
      await own.connection.sendRequest('textDocument/hover', hoverAt(uri));
      source.cancel();
      await assert.rejects(
        conversion,
        new ResponseError(LSPErrorCodes.RequestCancelled, 'convert: the request was cancelled'),
      );
      const before = rests();
      assert.ok(before < MESSAGES / 100, String(before));
      // A hover rests once, before it is answered; the conversion does no more.
      await own.connection.sendRequest('textDocument/hover', hoverAt(uri));
      assert.equal(rests(), before + 1);
    });
  });

  it('starts again with an edit, and uses the new text', async () => {
    await withSlices(async (own, uri) => {
      const conversion = own.connection.sendRequest<ConvertResult>(CONVERT.method, all(uri));
      await own.connection.sendRequest('textDocument/hover', hoverAt(uri));
      await own.change(uri, 2, [{ text: TWO }]);
      const result = await conversion;
      const { text } = convertText(TWO, {
        protocols: ALL_PROTOCOLS,
        from: 'aicl',
        to: 'json',
        layout: 'compact',
      });
      assert.deepEqual([result.version, result.text], [2, text]);
    });
  });

  it('of a range goes on with the text that it was asked of, and says so', async () => {
    await withSlices(async (own, uri) => {
      const range = at(0, 0, MESSAGES - 1, 1);
      const conversion = own.connection.sendRequest<ConvertResult>(CONVERT.method, {
        ...all(uri),
        source: { uri, range },
      });
      await own.connection.sendRequest('textDocument/hover', hoverAt(uri));
      await own.change(uri, 2, [{ text: TWO }]);
      const result = await conversion;
      const { text } = convertText(TEXT, {
        protocols: ALL_PROTOCOLS,
        from: 'aicl',
        to: 'json',
        layout: 'compact',
      });
      assert.deepEqual([result.version, result.text], [1, text]);
    });
  });
});

describe('what a conversion could not carry', () => {
  before(async () => {
    client = await TestClient.start();
  });
  after(() => client.stop());

  /** Each finding as its kind, what it points at in the result and what in the source. */
  async function findingsOf(
    source: ConvertSource,
    text: string,
    more: Partial<ConvertParams> = {},
  ): Promise<readonly (readonly unknown[])[]> {
    const result = await convert(source, more);
    return result.findings.map(finding => [
      finding.kind,
      cut(result.text, finding.range),
      cut(text, finding.source),
    ]);
  }

  it('is all that the engine tells, in its words', async () => {
    const text = `${ONE}\n${TWO}\n[s:open`;
    const uri = await open('aicl', text);
    for (const { name: to } of CONVERSIONS) {
      const converted = convertText(text, { protocols: ALL_PROTOCOLS, from: 'aicl', to, layout: 'compact' });
      const { findings, unlisted: unreported } = await convert({ uri }, { to });
      assert.deepEqual(
        findings.map(({ kind, path, message }) => [kind, path, message]),
        [
          ...converted.losses.map(({ kind, path, message }) => [kind, path, message]),
          ...converted.notes.map(({ message }) => ['note', '', message]),
        ],
      );
      assert.equal(unreported, converted.unreported);
    }
  });

  it('is at the value in both texts, else at the first line of its message', async () => {
    const text = `LIST\nCALL|a|x\n`;
    const uri = await open('aicf', text);
    const found = await findingsOf({ uri }, text, { layout: 'pretty' });
    assert.ok(found.length > 0);
    for (const [, shown, said] of found) {
      assert.ok(typeof shown === 'string' && shown !== '' && !shown.includes('\n'), String(shown));
      assert.ok(said === 'x' || said === 'CALL|a|x', String(said));
    }
  });

  it('is about the messages of the range alone, at their places', async () => {
    const text = `CALL|a|x\nCALL|b|y\nCALL|c|z\n`;
    const uri = await open('aicf', text);
    const whole = await findingsOf({ uri }, text);
    assert.deepEqual(
      await findingsOf({ uri, range: at(1, 0, 2, 3) }, text),
      whole.filter(([, , said]) => !/CALL\|a|x/.test(String(said))),
    );
    assert.deepEqual(
      await findingsOf({ uri, range: at(2, 0) }, text),
      whole.filter(([, , said]) => /CALL\|c|z/.test(String(said))),
    );
  });
});

describe('places of a conversion', () => {
  before(async () => {
    client = await TestClient.start();
  });
  after(async () => {
    assert.deepEqual(client.log, []);
    await client.stop();
  });

  async function find(params: ConvertedAtParams): Promise<unknown> {
    return client.connection.sendRequest(CONVERTED_AT.method, params);
  }

  /** The place of a text that occurs once. */
  function placeOf(text: string, part: string): Range {
    const source = SourceText.of(text);
    const start = text.indexOf(part);
    assert.ok(start >= 0 && text.indexOf(part, start + 1) < 0, part);
    return { start: source.toPosition(start), end: source.toPosition(start + part.length) };
  }

  it('are those of the innermost value on the other side, both ways', async () => {
    const text = `# one\n${ONE}\n\n${TWO}\n`;
    const uri = await open('aicl', text);
    const { text: json } = await convert({ uri }, { keepAs: 'view', layout: 'pretty' });
    const there = async (part: string): Promise<unknown> =>
      cut(json, await find({ keptAs: 'view', side: 'source', range: placeOf(text, part) }));
    const back = async (part: string): Promise<unknown> =>
      cut(text, await find({ keptAs: 'view', side: 'result', range: placeOf(json, part) }));
    assert.equal(await there('7'), '7');
    assert.equal(await there('[i:7'), '7');
    assert.equal(await there('1.5'), '"n": 1.5');
    assert.equal(await back('1.5'), '[s:n]:[f:1.5]');
    assert.equal(await back('7'), '[i:7]');
    assert.equal(await back('"x"'), '[s:x]');
    assert.match(String(await there('[i:7],[s:x]')), /^"deep": \[/);
  });

  it('are those of the message where no value is known there, and of all that a selection touches', async () => {
    const text = `# one\n${ONE}\n\n${TWO}\n`;
    const uri = await open('aicl', text);
    const { text: json } = await convert({ uri }, { keepAs: 'view' });
    const [first = '', second = ''] = json.split('\n');
    const there = async (range: Range): Promise<unknown> =>
      cut(json, await find({ keptAs: 'view', side: 'source', range }));
    assert.equal(await there(at(1, 0)), first);
    assert.equal(await there(at(3, 0)), second);
    assert.equal(await there(at(1, 0, 3, 5)), `${first}\n${second}`);
    assert.equal(await there(at(0, 0)), undefined);
    assert.equal(await there(at(2, 0)), undefined);
    const range = at(1, 0);
    assert.equal(cut(text, await find({ keptAs: 'view', side: 'result', range })), TWO);
  });

  it('are forgotten with an edit, with the document, and with the ninth conversion', async () => {
    const uri = await open('aicl', ONE);
    const other = await open('aicl', TWO);
    const isKnown = async (keptAs: string): Promise<boolean> =>
      isWireRange(await find({ keptAs, side: 'source', range: at(0, 0) }));
    assert.equal(await isKnown('edited'), false);
    await convert({ uri }, { keepAs: 'edited' });
    await convert({ uri: other }, { keepAs: 'other' });
    assert.equal(await isKnown('edited'), true);
    await client.change(uri, 2, [{ range: at(0, 0), text: '\n' }]);
    assert.deepEqual([await isKnown('edited'), await isKnown('other')], [false, true]);
    await convert({ uri }, { keepAs: 'edited' });
    assert.equal(await isKnown('edited'), false);
    assert.equal(isWireRange(await find({ keptAs: 'edited', side: 'source', range: at(1, 0) })), true);
    await client.close(uri);
    assert.equal(await find({ keptAs: 'edited', side: 'source', range: at(1, 0) }), null);
    for (let count = 1; count <= 8; count++) {
      // One that is converted again is as good as new.
      if (count === 4) await convert({ uri: other }, { keepAs: '1' });
      await convert({ uri: other }, { keepAs: String(count) });
    }
    const known = ['other', '1', '2', '8'];
    assert.deepEqual(await Promise.all(known.map(isKnown)), [false, true, true, true]);
    await convert({ text: TWO }, { keepAs: '9' });
    assert.deepEqual(await Promise.all(['1', '2', '3', '9'].map(isKnown)), [true, false, true, true]);
  });
});

describe('what offers conversion', () => {
  async function lensesOf(name: 'aicl' | 'aicf', text: string, can: object): Promise<readonly CodeLens[]> {
    let lenses: readonly CodeLens[] = [];
    await withClient({ initializationOptions: can }, async own => {
      const uri = await own.open(`a.${name}`, name, text);
      lenses = (await own.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } })) ?? [];
      assert.deepEqual(own.log, []);
    });
    return lenses;
  }

  const uriOf = (name: string): string => `file:///folder/a.${name}`;
  const lens = (name: string, line: number, character: number, place: unknown): CodeLens => {
    const start = { line, character };
    return {
      range: { start, end: start },
      command: {
        title: '$(arrow-swap)\u00a0Convert',
        command: 'parley.convert',
        arguments: [uriOf(name), place],
      },
    };
  };

  it('are lenses beside those of Send, on other messages too, one for replies line by line', async () => {
    const text = ['# c', 'Request: CALL|a', 'STREAM|1', 'STREAM|2', 'END', '', 'OK|1', 'CALL|b', 'LIST'].join(
      '\n',
    );
    const lenses = await lensesOf('aicf', text, { canConvert: true, canSend: true });
    assert.deepEqual(
      lenses.filter(({ command }) => command?.command === 'parley.convert'),
      [
        lens('aicf', 1, 9, { line: 1, character: 9 }),
        lens('aicf', 2, 0, at(2, 0, 4, 3)),
        lens('aicf', 6, 0, { line: 6, character: 0 }),
        lens('aicf', 7, 0, { line: 7, character: 0 }),
        lens('aicf', 8, 0, { line: 8, character: 0 }),
      ],
    );
    assert.deepEqual(
      lenses.filter(({ command }) => command?.command === 'parley.send').map(({ range }) => range.start.line),
      [1, 7, 8],
    );
  });

  it('are lenses on messages and fragments of AICL, each at its place', async () => {
    const lenses = await lensesOf('aicl', `# c\n${ONE}${TWO}\n[i:1]\n`, { canConvert: true });
    assert.deepEqual(lenses, [
      lens('aicl', 1, 0, { line: 1, character: 0 }),
      lens('aicl', 1, ONE.length, { line: 1, character: ONE.length }),
      lens('aicl', 2, 0, { line: 2, character: 0 }),
    ]);
  });

  it('are a thousand lenses, and none for a client that has no such command', async () => {
    assert.equal((await lensesOf('aicf', 'CALL|a\n'.repeat(1_001), { canConvert: true })).length, 1_000);
    assert.equal((await lensesOf('aicf', 'OK|a\n\n'.repeat(1_001), { canConvert: true })).length, 1_000);
    assert.deepEqual(await lensesOf('aicf', 'CALL|a\n', { canConvert: 'yes' }), []);
  });

  async function actionsOf(
    name: 'aicl' | 'aicf',
    text: string,
    range: Range,
    only?: string[],
    canConvert = true,
  ): Promise<readonly CodeAction[]> {
    let found: readonly CodeAction[] = [];
    await withClient({ initializationOptions: { canConvert } }, async own => {
      const uri = await own.open(`a.${name}`, name, text);
      const context = {
        diagnostics: [],
        triggerKind: CodeActionTriggerKind.Automatic,
        ...(only && { only }),
      };
      const answer: unknown = await own.connection.sendRequest(CodeActionRequest.type, {
        textDocument: { uri },
        range,
        context,
      });
      assert.ok(isList(answer));
      found = answer.filter((action): action is CodeAction => isConversion(action));
    });
    return found;
  }

  function isConversion(action: unknown): boolean {
    return typeof action === 'object' && action !== null && 'kind' in action && action.kind === KIND;
  }

  const KIND = 'refactor.rewrite.convert';
  const action = (name: string, title: string, ...more: readonly unknown[]): CodeAction => ({
    title,
    kind: KIND,
    command: { title, command: 'parley.convert', arguments: [uriOf(name), ...more] },
  });

  it('are actions on a message, for the likely protocols and for any', async () => {
    const start = { line: 1, character: 0 };
    assert.deepEqual(await actionsOf('aicl', `# c\n${ONE}\n`, at(0, 1)), [
      action('aicl', 'Convert to JSON', start, 'json'),
      action('aicl', 'Convert to JSON-RPC', start, 'json-rpc'),
      action('aicl', 'Convert to MCP', start, 'mcp'),
      action('aicl', 'Convert to…', start),
    ]);
    const range = at(0, 2, 1, 3);
    assert.deepEqual(await actionsOf('aicf', 'CALL|a\nCALL|b\n', range), [
      action('aicf', 'Convert to JSON-RPC', range, 'json-rpc'),
      action('aicf', 'Convert to MCP', range, 'mcp'),
      action('aicf', 'Convert to AICL', range, 'aicl'),
      action('aicf', 'Convert to…', range),
    ]);
  });

  it('are actions where they are requested and there is a message', async () => {
    const count = async (only?: string[]): Promise<number> =>
      (await actionsOf('aicf', 'CALL|a\n\n', at(0, 1), only)).length;
    for (const only of [undefined, [''], ['refactor'], ['refactor.rewrite'], [KIND]])
      assert.equal(await count(only), 4, String(only));
    for (const only of [['quickfix'], ['refactor.extract'], ['source'], [`${KIND}.mcp`]])
      assert.equal(await count(only), 0, String(only));
    assert.deepEqual(await actionsOf('aicf', 'CALL|a\n\n', at(1, 0)), []);
    assert.deepEqual(await actionsOf('aicf', 'CALL|a\n', at(0, 1), undefined, false), []);
  });

  it('are announced to the editor as a kind of their own', async () => {
    await withClient({}, own => {
      const { codeActionProvider } = own.initialized?.capabilities ?? {};
      assert.deepEqual(codeActionProvider, {
        codeActionKinds: ['quickfix', 'refactor.rewrite', KIND, 'source.fixAll.parley'],
      });
      return Promise.resolve();
    });
  });
});
