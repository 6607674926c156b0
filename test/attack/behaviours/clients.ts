import { inFolder, judge, sizeIn, type Attack, type Expected, type Form } from '../support/attack.ts';
import { startParley } from '../support/measure.ts';

/** What a client of the language server sends. */
interface ClientAttack {
  readonly name: string;
  readonly does: string;
  /** The bytes after the server was initialized; all of them with `isFirst`. */
  readonly sends: (form: Form) => string | Buffer;
  readonly isFirst?: true;
  /** True where the server still has to answer afterwards; else it may also end with a report. */
  readonly lives: boolean;
  readonly isShort?: true;
}

const message = (value: unknown): string =>
  framed(typeof value === 'string' ? value : JSON.stringify({ jsonrpc: '2.0', ...(value as object) }));
const framed = (text: string): string => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
const URI = 'file:///x/a.aicf';
const OPEN = (text: string, languageId = 'aicf', uri = URI): string =>
  message({
    method: 'textDocument/didOpen',
    params: { textDocument: { uri, languageId, version: 1, text } },
  });
const HUGE = 2 ** 31;
const OUT = { start: { line: -1, character: -HUGE }, end: { line: HUGE, character: 1e300 } };
const REQUESTS = [
  'hover',
  'completion',
  'definition',
  'references',
  'rename',
  'prepareRename',
  'documentSymbol',
  'foldingRange',
  'selectionRange',
  'inlayHint',
  'codeAction',
  'codeLens',
  'formatting',
  'rangeFormatting',
  'onTypeFormatting',
  'semanticTokens/full',
  'semanticTokens/range',
  'documentLink',
  'signatureHelp',
  'diagnostic',
  'documentHighlight',
];

const CLIENT_ATTACKS: readonly ClientAttack[] = [
  {
    name: 'a client as it should be',
    does: 'Opens a document and asks.',
    sends: () => OPEN('call|x\n'),
    lives: true,
  },
  {
    name: 'a negative length',
    does: 'Sends Content-Length: -1.',
    sends: () => 'Content-Length: -1\r\n\r\n{}',
    lives: false,
    isShort: true,
  },
  {
    name: 'a negative length at first',
    does: 'Sends Content-Length: -1 before all.',
    sends: () => 'Content-Length: -1\r\n\r\n{}',
    isFirst: true,
    lives: false,
  },
  {
    name: 'a length that is none',
    does: 'Sends Content-Length: abc.',
    sends: () => 'Content-Length: abc\r\n\r\n{}',
    lives: false,
  },
  {
    name: 'a length of zero',
    does: 'Sends Content-Length: 0.',
    sends: () => 'Content-Length: 0\r\n\r\n',
    lives: false,
  },
  {
    name: 'a length with a fraction',
    does: 'Sends Content-Length: 1.5.',
    sends: () => 'Content-Length: 1.5\r\n\r\n{}',
    lives: false,
  },
  {
    name: 'a length of 2^53',
    does: 'Sends Content-Length: 9007199254740992 and little more.',
    sends: () => 'Content-Length: 9007199254740992\r\n\r\n{}',
    lives: false,
  },
  {
    name: 'a length as others write it',
    does: 'Writes a blank before the colon, leading zeros, and a header of another encoding.',
    sends: () => 'Content-Type: x; charset=utf-16\r\ncontent-length : 002\r\n\r\n{}',
    lives: true,
    isShort: true,
  },
  {
    name: 'settings that are none',
    does: 'Changes the settings to null.',
    sends: () => message({ method: 'workspace/didChangeConfiguration', params: null }),
    lives: true,
  },
  {
    name: 'no length',
    does: 'Sends a head without a length.',
    sends: () => 'Content-Type: x\r\n\r\n{}',
    lives: false,
  },
  {
    name: 'noise',
    does: 'Sends 1 MB of noise.',
    sends: form => Buffer.alloc(sizeIn(form, 1_000_000), 0xfe),
    lives: false,
  },
  {
    name: 'a head without an end',
    does: 'Sends 32 MB of a head.',
    sends: form => 'X: y\r\n'.repeat(sizeIn(form, 5_000_000)),
    lives: false,
  },
  {
    name: 'a body that is no JSON',
    does: 'Sends a body that is no JSON.',
    sends: () => framed('{nope'),
    lives: false,
  },
  {
    name: 'nested lists',
    does: 'Sends a message of 2 MB of closed lists.',
    sends: form =>
      framed(
        `{"jsonrpc":"2.0","id":9,"method":"x","params":${'['.repeat(sizeIn(form, 1_000_000))}${']'.repeat(sizeIn(form, 1_000_000))}}`,
      ),
    lives: false,
    isShort: true,
  },
  {
    name: 'a batch',
    does: 'Sends a batch of requests.',
    sends: () => framed('[{"jsonrpc":"2.0","id":5,"method":"x"},{"jsonrpc":"2.0","id":6,"method":"y"}]'),
    lives: false,
  },
  {
    name: 'values that are no messages',
    does: 'Sends null, 7 and a text as messages.',
    sends: () => framed('null') + framed('7') + framed('"x"'),
    lives: false,
  },
  {
    name: 'unknown methods',
    does: 'Sends 200 requests of unknown methods, and those of names of prototypes.',
    sends: () =>
      Array.from({ length: 200 }, (_, id) =>
        message({ id: `u${id}`, method: ['x/y', '__proto__', 'constructor', '', '$/x'][id % 5] }),
      ).join(''),
    lives: true,
  },
  {
    name: 'a document of nested dictionaries',
    does: "Opens a document of 2 MB of '[d:[s:a]:'.",
    sends: form =>
      OPEN('[d:[s:a]:'.repeat(sizeIn(form, 222_000)), 'aicl', 'file:///x/a.aicl') +
      askAll('file:///x/a.aicl', { start: { line: 0, character: 5 }, end: { line: 0, character: 9 } }),
    lives: true,
  },
  {
    name: 'positions out of range',
    does: 'Asks everything at lines and characters that are negative and too large.',
    sends: () => OPEN('CALL|a|b\nOK|1\n') + askAll(URI, OUT),
    lives: true,
    isShort: true,
  },
  {
    name: 'positions that are none',
    does: 'Asks everything at positions that are texts, null and missing.',
    sends: () => OPEN('CALL|a|b\n') + askAll(URI, { start: { line: '1', character: null }, end: null }),
    lives: true,
  },
  {
    name: 'documents that are not open',
    does: 'Asks everything of documents that are not open, and of files of this computer.',
    sends: () =>
      askAll('file:///etc/passwd', { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }) +
      askAll('javascript:alert(1)', OUT) +
      askAll('', OUT),
    lives: true,
  },
  {
    name: 'a change out of range',
    does: 'Changes a document at places that it does not have, again and again.',
    sends: () =>
      OPEN('CALL|a|b\n') +
      Array.from({ length: 50 }, (_, k) =>
        message({
          method: 'textDocument/didChange',
          params: {
            textDocument: { uri: URI, version: -k },
            contentChanges: [
              {
                range:
                  k % 2 === 0 ? OUT : { start: { line: 3, character: 3 }, end: { line: 0, character: 0 } },
                text: '\ud800x\r',
              },
            ],
          },
        }),
      ).join('') +
      askAll(URI, OUT),
    lives: true,
  },
  {
    name: 'a change of what is not open',
    does: 'Changes and closes documents that are not open.',
    sends: () =>
      message({
        method: 'textDocument/didChange',
        params: { textDocument: { uri: 'file:///no', version: 1 }, contentChanges: [{ text: 'x' }] },
      }) + message({ method: 'textDocument/didClose', params: { textDocument: { uri: 'file:///no' } } }),
    lives: true,
  },
  {
    name: 'cancellations',
    does: 'Cancels requests that never were.',
    sends: () =>
      Array.from({ length: 500 }, (_, id) =>
        message({ method: '$/cancelRequest', params: { id: id % 2 === 0 ? id : `x${id}` } }),
      ).join(''),
    lives: true,
  },
  {
    name: 'responses to no request',
    does: 'Answers requests that the server never made.',
    sends: () =>
      message({ id: 77, result: null }) + message({ id: 'x', error: { code: 1e300, message: '\u001b[2J' } }),
    lives: true,
  },
  {
    name: 'a request before all',
    does: 'Asks before it initializes.',
    sends: () => message({ id: 'early', method: 'textDocument/hover', params: {} }),
    isFirst: true,
    lives: true,
  },
  {
    name: 'configurations that are none',
    does: 'Sends settings of wrong types.',
    sends: () =>
      message({
        method: 'workspace/didChangeConfiguration',
        params: { settings: { parley: { maxIssues: '1e999', aicl: null, rules: { __proto__: 1 } } } },
      }) +
      OPEN('call|x\n') +
      askAll(URI, OUT),
    lives: true,
  },
  {
    name: 'a process that is none',
    does: 'Names a parent process that is not there.',
    sends: () =>
      message({
        id: 0,
        method: 'initialize',
        params: { processId: 2 ** 22 - 1, rootUri: 'file:///dev/zero', capabilities: null },
      }),
    isFirst: true,
    lives: false,
  },
];

function askAll(uri: string, range: unknown): string {
  const { start } = range as { start: unknown };
  return REQUESTS.map((name, index) =>
    message({
      id: `ask${index}`,
      method: `textDocument/${name}`,
      params: {
        textDocument: { uri },
        position: start,
        positions: [start],
        range,
        context: { diagnostics: [], triggerKind: 1, includeDeclaration: true },
        options: { tabSize: -1, insertSpaces: true },
        ch: '\n',
        newName: '\u001b]',
        query: '',
      },
    }),
  ).join('');
}

function toRow(attack: ClientAttack): Attack {
  const { name, does, lives, isShort = false } = attack;
  const expected: Expected = lives ? { end: [0] } : { end: [0, 1] };
  return {
    name,
    group: 'clients',
    protocol: 'language client',
    does,
    expected,
    isShort,
    run: form =>
      inFolder({}, async folder => {
        const server = startParley(['lsp', '--stdio'], { cwd: folder.path, timeCap: 60_000 });
        const say = (bytes: string | Buffer): void => void server.child.stdin?.write(bytes);
        const hostile = attack.sends(form);
        if (attack.isFirst) say(hostile);
        say(
          message({
            id: 'init',
            method: 'initialize',
            params: { processId: null, rootUri: null, capabilities: {} },
          }) + message({ method: 'initialized', params: {} }),
        );
        if (!attack.isFirst) {
          await waitFor(server, '"init"');
          say(hostile);
        }
        say(message({ id: 'still-there', method: 'shutdown' }));
        const isThere = await waitFor(server, '"still-there"', lives ? 30_000 : 3_000);
        say(message({ method: 'exit' }));
        server.child.stdin?.end();
        const run = await server.ended;
        const faults: string[] = [];
        if (lives && !isThere) faults.push('the server answers no more');
        if (!isThere && run.err === '' && !run.out.includes('window/'))
          faults.push('the server went without a report');
        const outcome = await judge(run, expected, { input: hostile.length, faults });
        return { ...outcome, ended: `${outcome.ended}${isThere ? ', answers' : ''}` };
      }),
  };
}

/** Waits until a server has written something; false where it ended or says nothing for so long. */
async function waitFor(
  server: ReturnType<typeof startParley>,
  text: string,
  patience = 30_000,
): Promise<boolean> {
  const end = Date.now() + patience;
  while (Date.now() < end) {
    if (server.text().out.includes(text)) return true;
    if (server.child.exitCode !== null || server.child.signalCode !== null)
      return server.text().out.includes(text);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  return false;
}

/** What clients of the language server do. */
export const CLIENTS: readonly Attack[] = CLIENT_ATTACKS.map(toRow);
