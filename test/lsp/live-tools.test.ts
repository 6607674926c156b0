import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  CompletionRequest,
  HoverRequest,
  SignatureHelpRequest,
  type CompletionItem,
  type Diagnostic,
  type Position,
} from 'vscode-languageserver/node';
import { QUICK_RUNTIME, RICH_CLIENT, TestClient, until } from './support/test-client.ts';

/** A moment whose time of day is the same everywhere. */
const AT = new Date(2026, 0, 2, 14, 3).getTime();

const BUILD = {
  name: 'build',
  declaration: {
    name: 'build',
    description: 'Builds a <target>',
    arguments: [
      { name: 'target', type: 'string', isOptional: false, description: 'What to build' },
      { name: 'mode', type: 'string', isOptional: true, values: ['debug', 'release'] },
      { name: 'jobs', type: 'integer', isOptional: true },
      { name: 'clean', type: 'boolean', isOptional: true },
    ],
    schema: { isOpen: false },
  },
};
const FREE = {
  name: 'free',
  declaration: { name: 'free', description: '', arguments: [], schema: { isOpen: true } },
};
const LISTED = { name: 'listed' };

const CODER = { name: 'coder', at: AT, tools: [BUILD, FREE, LISTED] };
/** As a message has room for it. */
const SHOWN = "'build (target: string, mode?: string, jo…'";

const HEAD = '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:tool_call]';

function call(tool: string, params: string): string {
  return `${HEAD},[s:tool]:[s:${tool}],[s:params]:[d:${params}]]`;
}

let client: TestClient;

async function report(agents: readonly unknown[], usual: unknown = {}): Promise<void> {
  await client.connection.sendNotification('parley/agentTools', { agents, usual });
}

function textOf({ message }: Diagnostic): string {
  return typeof message === 'string' ? message : message.value;
}

function shown(uri: string): readonly string[] | undefined {
  const last = client.pushed.findLast(params => params.uri === uri);
  return last?.diagnostics.map(textOf);
}

/** Waits until a file shows these messages; where it never does, says what it shows. */
async function showsNow(uri: string, messages: readonly string[]): Promise<void> {
  const patience = Date.now() + PATIENCE;
  await until(() => isDeepStrictEqual(shown(uri), messages) || Date.now() > patience);
  assert.deepEqual(shown(uri), messages);
}

const PATIENCE = 60_000;

/** A position from a text with `$0` where the cursor is. */
function markOf(text: string): { readonly text: string; readonly position: Position } {
  const at = text.indexOf('$0');
  const before = text.slice(0, at).split('\n');
  return {
    text: text.slice(0, at) + text.slice(at + 2),
    position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 },
  };
}

/** Opens a text with a mark, and waits until it knows the agents' tools. */
async function openMarked(
  name: string,
  marked: string,
  end: string,
): Promise<{ readonly textDocument: { readonly uri: string }; readonly position: Position }> {
  const { text, position } = markOf(marked);
  const uri = await client.open(name, name.slice(name.indexOf('.') + 1), `${text}${end}`);
  await until(() => (shown(uri) ?? []).some(message => message.includes('as it reported at 14:03')));
  return { textDocument: { uri }, position };
}

const UNKNOWN_AICF = '\n\n# @agent coder\nCALL|nowhere\n';
const UNKNOWN_AICL = `\n\n# @agent coder\n${call('nowhere', '')}\n`;

async function complete(name: string, marked: string, end: string): Promise<readonly CompletionItem[]> {
  const params = await openMarked(name, marked, end);
  const found = await client.connection.sendRequest(CompletionRequest.type, params);
  return Array.isArray(found) ? found : (found?.items ?? []);
}

function show({ label, detail, textEdit }: CompletionItem): readonly unknown[] {
  return [label, detail, textEdit?.newText];
}

describe('tools that agents listed', () => {
  beforeEach(async () => {
    // A client that pulls diagnostics does not get them pushed.
    const textDocument = { ...RICH_CLIENT.textDocument };
    delete textDocument.diagnostic;
    client = await TestClient.start({ capabilities: { textDocument }, runtime: QUICK_RUNTIME });
  });
  afterEach(async () => {
    await client.stop();
  });

  it('hold no call to them where their agent takes others as well', async () => {
    const uri = await client.open(
      'open.aicf',
      'aicf',
      '# @agent herald\nCALL|proclaim\n# @agent herald\nCALL|other\n# @agent coder\nCALL|other\n',
    );
    await until(() => shown(uri) !== undefined);
    await report([CODER, { name: 'herald', at: AT, tools: [{ name: 'proclaim' }], isOpen: true }]);
    await showsNow(uri, [
      "Agent 'coder' lists no tool 'other', as it reported at 14:03; call one of its tools, or refresh it in the Agents view (error 404)",
    ]);
  });

  it('hold calls of AICF to them, before what files say', async () => {
    const uri = await client.open(
      'calls.aicf',
      'aicf',
      [
        '# @agent coder\nCALL|deploy',
        'TOOLS|deploy|build|free',
        '# @agent coder\nCALL|buidl|app',
        '# @agent coder\nCALL|build',
        '# @agent coder\nCALL|build|app|debug|2|true|more',
        '# @agent coder\nCALL|build|app|debug|two',
        '# @agent coder\nCALL|free|{"anything":1}',
        '# @agent other\nCALL|deploy',
        'CALL|deploy',
        '',
      ].join('\n'),
    );
    await until(() => shown(uri) !== undefined);
    await report([CODER]);
    await showsNow(uri, [
      "Agent 'coder' lists no tool 'deploy', as it reported at 14:03; call one of its tools, or refresh it in the Agents view (error 404)",
      "Agent 'coder' lists no tool 'buidl', as it reported at 14:03; did you mean 'build'? (error 404)",
      `The call lacks 'target'; ${SHOWN} requires what has no '?', as coder reported at 14:03 (error 422)`,
      `The call has 5 arguments, and ${SHOWN} takes 4, as coder reported at 14:03; remove the others or write '\\|' for a pipe (error 422)`,
      "'two' is not of type 'integer', which 'jobs' has; write one that is (error 422)",
    ]);
    // Without the agent the file's own lines count again.
    await report([]);
    await showsNow(uri, ["Agent 'coder' lists no tool 'buidl'; did you mean 'build'? (error 404)"]);
  });

  it('hold calls of AICL to them', async () => {
    const uri = await client.open(
      'calls.aicl',
      'aicl',
      [
        call('nowhere', ''),
        call('buidl', ''),
        call('build', ''),
        call('build', '[s:target]:[s:app],[s:mod]:[s:debug],[s:zzz]:[i:1]'),
        call('build', '[s:target]:[i:1],[s:jobs]:[s:2],[s:clean]:[l:]'),
        call('build', '[s:target]:[s:app],[s:jobs]:[i:2],[s:clean]:[b:true]'),
        call('free', '[s:anything]:[i:1]'),
        call('listed', '[s:anything]:[i:1]'),
      ]
        .map(text => `# @agent coder\n${text}\n`)
        .join('') + `# @agent other\n${call('nowhere', '')}\n${call('nowhere', '')}\n`,
    );
    await until(() => shown(uri) !== undefined);
    await report([CODER]);
    await showsNow(uri, [
      "Agent 'coder' lists no tool 'nowhere', as it reported at 14:03; call one of its tools, or refresh it in the Agents view (error 3001)",
      "Agent 'coder' lists no tool 'buidl', as it reported at 14:03; did you mean 'build'? (error 3001)",
      `The call lacks 'target'; ${SHOWN} requires what has no '?', as coder reported at 14:03 (error 2001)`,
      `'mod' is not an argument of ${SHOWN}, as coder reported at 14:03; did you mean 'mode'? (error 2001)`,
      `'zzz' is not an argument of ${SHOWN}, as coder reported at 14:03; remove it or rename it (error 2001)`,
      "'target' is of type 'string', as coder reported at 14:03; write [s:…] (error 2001)",
      "'jobs' is of type 'integer', as coder reported at 14:03; write [i:…] (error 2001)",
      "'clean' is of type 'boolean', as coder reported at 14:03; write [b:…] (error 2001)",
    ]);
    await report([]);
    await showsNow(uri, []);
  });

  it('follow edits, and the agent that requests go to by language', async () => {
    const aicl = await client.open('usual.aicl', 'aicl', `${call('nowhere', '')}\n`);
    const aicf = await client.open('usual.aicf', 'aicf', 'CALL|nowhere\n');
    await until(() => shown(aicl) !== undefined && shown(aicf) !== undefined);
    await report([CODER], { aicl: 'coder', aicf: 'nobody' });
    const unknown =
      "Agent 'coder' lists no tool 'nowhere', as it reported at 14:03; call one of its tools, or refresh it in the Agents view";
    await showsNow(aicl, [`${unknown} (error 3001)`]);
    assert.deepEqual(shown(aicf), []);
    await report([CODER], { aicl: 'nobody', aicf: 'coder' });
    await showsNow(aicf, [`${unknown} (error 404)`]);
    await showsNow(aicl, []);
    await client.change(aicl, 2, [{ text: `# @agent coder\n\n${call('nowhere', '')}\n` }]);
    await showsNow(aicl, [`${unknown} (error 3001)`]);
    const end = { line: 0, character: 14 };
    await client.change(aicl, 3, [{ range: { start: end, end }, text: '2' }]);
    await showsNow(aicl, []);
    const file = `# @default coder\n\n# @agent nobody\n${call('nowhere', '')}\n${call('nowhere', '')}\n`;
    await client.change(aicl, 4, [{ text: file }]);
    await showsNow(aicl, [`${unknown} (error 3001)`]);
    await client.change(aicf, 2, [{ text: '# @default nobody\n\nCALL|nowhere\n' }]);
    await showsNow(aicf, []);
    const later = await client.open('later.aicf', 'aicf', 'CALL|nowhere\n');
    await showsNow(later, [`${unknown} (error 404)`]);
  });

  it('hold JSON in calls of AICF to their schemas, complete and explain it', async () => {
    const order = {
      type: 'object',
      title: 'An order',
      properties: { id: { type: 'integer', description: 'Its number' }, size: { enum: ['s', 'l'] } },
      required: ['id'],
    };
    const declaration = {
      name: 'buy',
      description: '',
      arguments: [{ name: 'order', type: 'object', isOptional: false }],
      schema: { isOpen: false },
    };
    const schema = JSON.stringify({ type: 'object', properties: { order } });
    await report([{ ...CODER, tools: [{ name: 'buy', declaration, schema }] }]);
    const head = '# @agent coder\nCALL|buy|{"a\\|b":0,';
    const uri = await client.open('buy.aicf', 'aicf', `${head}"size":"m"}\n`);
    await showsNow(uri, [
      "The object lacks 'id', as coder reported at 14:03; add it (error 422)",
      'This is none of the values "s", "l", as coder reported at 14:03; write one of them (error 422)',
    ]);
    const names = await complete('names.aicf', `${head}$0}`, UNKNOWN_AICF);
    assert.deepEqual(names.map(show), [
      ['id', 'Its number', '"id":${1:0}'],
      ['size', 'JSON', '"size":$1'],
    ]);
    const values = await complete('values.aicf', `${head}"size":$0}`, UNKNOWN_AICF);
    assert.deepEqual(values.map(show), [
      ['"s"', 'JSON', '"s"'],
      ['"l"', 'JSON', '"l"'],
    ]);
    const place = await openMarked('hover.aicf', `${head}"i$0d":7}`, UNKNOWN_AICF);
    const hover = await client.connection.sendRequest(HoverRequest.type, place);
    assert.deepEqual(hover?.contents, { kind: 'markdown', value: '**$\\.id**: number\n\nIts number' });
    // Without its schema the tool is checked as before.
    await report([{ ...CODER, tools: [{ name: 'buy', declaration, schema: 'x'.repeat(100_000) }] }]);
    await showsNow(uri, []);
    const onTool = await openMarked('long-schema.aicf', '# @agent coder\nCALL|b$0uy|{}', UNKNOWN_AICF);
    const hoverTool = async (): Promise<string> =>
      JSON.stringify((await client.connection.sendRequest(HoverRequest.type, onTool))?.contents);
    // The client leaves out a schema that is too long.
    const isUnchecked = async (): Promise<boolean> =>
      (await hoverTool()).includes('Its JSON Schema is too long to be read: ');
    await until(isUnchecked);
    await report([{ ...CODER, tools: [{ name: 'buy', declaration, schema }] }]);
    await until(async () => !(await isUnchecked()));
  });

  it('take nothing from a message of another form', async () => {
    const uri = await client.open('wrong.aicf', 'aicf', '# @agent coder\nCALL|nowhere\n');
    await until(() => shown(uri) !== undefined);
    await report([null, 1, { name: 'coder' }, { name: 'coder', at: 'x', tools: [] }], 7);
    await report([
      { name: 'coder', at: AT, tools: [null, { name: 1 }, { name: 'nowhere', declaration: 3 }] },
    ]);
    await report([
      { ...CODER, tools: [{ name: 'x', declaration: { ...BUILD.declaration, arguments: [5, {}] } }] },
    ]);
    await showsNow(uri, [
      "Agent 'coder' lists no tool 'nowhere', as it reported at 14:03; call one of its tools, or refresh it in the Agents view (error 404)",
    ]);
  });

  it('complete, show and explain calls of AICF', async () => {
    await report([CODER]);
    const tools = await complete('tool.aicf', '# @agent coder\nCALL|$0', UNKNOWN_AICF);
    assert.deepEqual(tools.map(show), [
      ['build', '(target: string, mode?: string, jobs?: integer, clean?: boolean)', 'build|${1:target}'],
      ['free', '()', 'free'],
      ['listed', 'listed for coder', 'listed'],
      ['nowhere', 'called in this file', 'nowhere'],
    ]);
    const values = await complete('value.aicf', '# @agent coder\nCALL|build|app|$0', UNKNOWN_AICF);
    assert.deepEqual(values.slice(0, 2).map(show), [
      ['debug', 'mode: string', 'debug'],
      ['release', 'mode: string', 'release'],
    ]);
    const place = await openMarked('help.aicf', '# @agent coder\nCALL|build|app$0', UNKNOWN_AICF);
    const help = await client.connection.sendRequest(SignatureHelpRequest.type, place);
    assert.deepEqual(
      help?.signatures.map(({ label }) => label),
      ['CALL|build|target:string|mode:string?|jobs:integer?|clean:boolean?'],
    );
    const over = { ...place, position: { line: 1, character: 6 } };
    const hover = await client.connection.sendRequest(HoverRequest.type, over);
    assert.match(JSON.stringify(hover?.contents), /Builds a .*target.*As coder reported at 14:03\./);
  });

  it('complete and explain calls of AICL', async () => {
    await report([CODER]);
    const tools = await complete('tool.aicl', `# @agent coder\n${call('$0', '')}`, UNKNOWN_AICL);
    assert.deepEqual(tools.map(show), [
      ['build', '(target: string, mode?: string, jobs?: integer, clean?: boolean)', 'build'],
      ['free', '()', 'free'],
      ['listed', 'listed by coder', 'listed'],
      ['nowhere', 'tool called in this file', 'nowhere'],
    ]);
    const keys = await complete('key.aicl', `# @agent coder\n${call('build', '$0')}`, UNKNOWN_AICL);
    assert.deepEqual(keys.map(show), [
      ['target', 'string', '[s:target]:[s:${1:target}]'],
      ['mode', 'string, optional', '[s:mode]:[s:${1|debug,release|}]'],
      ['jobs', 'integer, optional', '[s:jobs]:[i:$1]'],
      ['clean', 'boolean, optional', '[s:clean]:[b:${1|true,false|}]'],
    ]);
    const mode = call('build', '[s:target]:[s:app],[s:mode]:[s:$0]');
    const values = await complete('value.aicl', `# @agent coder\n${mode}`, UNKNOWN_AICL);
    assert.deepEqual(values.map(show), [
      ['debug', 'mode', 'debug'],
      ['release', 'mode', 'release'],
    ]);
    const params = await complete(
      'params.aicl',
      `# @agent coder\n${HEAD},[s:tool]:[s:build],$0]`,
      UNKNOWN_AICL,
    );
    assert.deepEqual(params.slice(0, 1).map(show), [
      ['params', 'dictionary, required', '[s:params]:[d:\n    [s:target]:[s:${1:target}]\n  ]'],
    ]);
    const whole = await complete('whole.aicl', '# @agent coder\n$0', `\n\n${UNKNOWN_AICL}`);
    assert.deepEqual(whole.filter(({ label }) => label.startsWith('tool_call ')).map(show), [
      [
        'tool_call build',
        '(target: string, mode?: string, jobs?: integer, clean?: boolean)',
        '[d:\n  [s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:${1:s1}],\n  [s:msg_type]:[s:tool_call],\n  [s:tool]:[s:build],\n  [s:params]:[d:\n    [s:target]:[s:${2:target}]\n  ]\n]',
      ],
      [
        'tool_call free',
        '()',
        '[d:\n  [s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:${1:s1}],\n  [s:msg_type]:[s:tool_call],\n  [s:tool]:[s:free],\n  [s:params]:[d:$2]\n]',
      ],
    ]);
  });

  it('are shown over the tool and the arguments of a call of AICL', async () => {
    await report([CODER]);
    const hoverAt = async (name: string, marked: string): Promise<string> => {
      const place = await openMarked(name, `# @agent coder\n${marked}`, UNKNOWN_AICL);
      const hover = await client.connection.sendRequest(HoverRequest.type, place);
      const contents = hover?.contents;
      return typeof contents === 'object' && 'value' in contents ? contents.value : '';
    };
    assert.deepEqual(
      [
        await hoverAt('tool.aicl', call('bu$0ild', '[s:target]:[s:app]')),
        await hoverAt('listed.aicl', call('lis$0ted', '')),
        await hoverAt('key.aicl', call('build', '[s:target]:[s:app],[s:mo$0de]:[s:debug]')),
        await hoverAt('value.aicl', call('build', '[s:target]:[s:a$0pp]')),
      ],
      [
        '```ts\nbuild (target: string, mode?: string, jobs?: integer, clean?: boolean)\n```\n\nBuilds a &lt;target\\>\n\nAs coder reported at 14:03.\n\nCalled 1 time in this file.',
        '**listed** (tool)\n\nIts agent lists it and does not declare its arguments.\n\nAs coder reported at 14:03.\n\nCalled 1 time in this file.',
        '**mode**: string, optional\n\nOne of:\n\n- debug\n- release',
        '**target**: string\n\nWhat to build\n\n**string**, 3 characters, 3 bytes in UTF-8.',
      ],
    );
  });
});
