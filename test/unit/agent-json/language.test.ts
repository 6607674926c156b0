import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS, settingsOfFile } from '../../../core/catalog/settings.ts';
import { applyEdits } from '../../../core/text/edit.ts';
import { parseAgentJson } from '../../../language/agent-json/parse.ts';
import { checkedLanguages } from '../../../language/agent-json/checked.ts';
import type { OpenDocument } from '../../../language/support.ts';
import { ALL_MESSAGES } from '../../../protocols/all.ts';
import { runs } from '../../support/size.ts';
import { toolsWithSchema } from '../../support/schema-tools.ts';
import { checkSpans } from '../../support/total.ts';

const SUPPORT = checkedLanguages(ALL_MESSAGES.list)['agent-json'];

function open(text: string, name = 'x.mcp.jsonc'): OpenDocument {
  return SUPPORT.open(text, settingsOfFile(DEFAULT_SETTINGS, name));
}

const FILE = `// @agent coder
// @name first
{
  "method": "tools/call", // a comment
  "params": { "name": "add", "arguments": { "a": 1.0, "b": 9007199254740993, "é": "\\u00e9" } },
}

// @session s
[
  { "method": "tools/list" },
  // @timeout 3
  { "method": "ping" },
]
`;

/** Blanks and comments between tokens, and a comma that is too many. */
const gap = fc.constantFrom('', '', ' ', '\n', '\r\n\t', ' /* "x": { */ ', ' // } "\n');

/** A JSON value, as it is written and as a receiver gets it. */
const written: fc.Arbitrary<{ readonly file: string; readonly wire: string }> = fc.letrec<{
  value: { file: string; wire: string };
}>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc
      .constantFrom(
        '1',
        '-0',
        '1.0',
        '1e400',
        '9007199254740993',
        'true',
        'null',
        '"\\u00e9"',
        '"a // b"',
        '"/*"',
        '",]"',
      )
      .map(text => ({ file: text, wire: text })),
    fc.string().map(text => ({ file: JSON.stringify(text), wire: JSON.stringify(text) })),
    fc
      .tuple(fc.array(fc.tuple(gap, tie('value'), gap), { maxLength: 4 }), fc.boolean())
      .map(([items, isTrailing]) => ({
        file: `[${items.map(([before, { file }, after]) => before + file + after).join(',')}${isTrailing && items.length > 0 ? ',' : ''}]`,
        wire: `[${items.map(([, { wire }]) => wire).join(',')}]`,
      })),
    fc.array(fc.tuple(gap, tie('value'), gap), { maxLength: 4 }).map(items => ({
      file: `{${items.map(([before, { file }, after], index) => `${before}"k${index}"${after}:${before}${file}${after}`).join(',')}${items.length > 0 ? ',' : ''}}`,
      wire: `{${items.map(([, { wire }], index) => `"k${index}":${wire}`).join(',')}}`,
    })),
  ),
})).value;

describe('requests in JSON', () => {
  it('are the values of a file and of its arrays, with the directives above them', () => {
    assert.deepEqual(
      open(FILE)
        .requests()
        .map(({ title, directives, wireText, protocol }) => [title, directives, wireText, protocol]),
      [
        [
          'add',
          { agent: 'coder', name: 'first' },
          '{"method":"tools/call","params":{"name":"add","arguments":{"a":1.0,"b":9007199254740993,"é":"\\u00e9"}}}',
          'mcp',
        ],
        ['tools/list', { session: 's' }, '{"method":"tools/list"}', 'mcp'],
        ['ping', { session: 's', timeout: '3' }, '{"method":"ping"}', 'mcp'],
      ],
    );
  });

  it('have the default agent of the file where they name none', () => {
    const agents = open(
      '// @default a\n{"method":"ping"}\n// @agent b\n{"method":"ping"}\n{"method":"ping"}',
    ).requests();
    assert.deepEqual(
      agents.map(({ directives }) => directives.agent),
      ['a', 'b', 'a'],
    );
  });

  it('go out as they are written, without comments, white space, last commas and byte order mark', () => {
    fc.assert(
      fc.property(written, gap, gap, ({ file, wire }, before, after) => {
        const [request] = open(
          `\ufeff${before}{"input":${after}${file}${before},}${after}`,
          'x.responses.jsonc',
        ).requests();
        assert.equal(request?.wireText, `{"input":${wire}}`);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('stay on one line only if they fit on it after formatting', () => {
    const lines = [36, 37].map(length => {
      // Formatting adds the blanks inside of the braces.
      const text = `{"input":"${'x'.repeat(length)}","metadata":{"k0":null,"k1":null,"k2":1}}`;
      const once = applyEdits(text, open(text).format());
      assert.equal(applyEdits(once, open(once).format()), once);
      return once
        .trimEnd()
        .split('\n')
        .map(line => line.length);
    });
    assert.deepEqual(lines, [[100], [1, 51, 49, 1]]);
  });

  it('go out the same after formatting, which changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(gap, written), { maxLength: 3 }), values => {
        const text = values.map(([before, { file }]) => `${before}{"input":${file}}`).join('\n');
        const formatted = applyEdits(text, open(text).format());
        const wires = (source: string) =>
          open(source)
            .requests()
            .map(({ wireText }) => wireText);
        assert.deepEqual(wires(formatted), wires(text));
        assert.equal(applyEdits(formatted, open(formatted).format()), formatted);
        const words = (source: string) => source.replace(/\s/g, '');
        assert.equal(words(formatted), words(text));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('are laid out with one line per member; short objects on one line remain there', () => {
    const text = '\n{"method":"tools/call",\n"params":{"name":"add"},\n\n\n// why\n"id":1}';
    assert.equal(
      applyEdits(text, open(text).format()),
      '{\n  "method": "tools/call",\n  "params": { "name": "add" },\n\n  // why\n  "id": 1\n}\n',
    );
    const lines = `{"method":"ping","id":1}\n{"method":"tools/call","params":{"name":"${'x'.repeat(200)}"}}\n`;
    assert.equal(applyEdits(lines, open(lines, 'x.mcp.jsonl').format()).split('\n').length, 3);
  });

  it('are checked and shown at every position of a file that is cut or broken there', () => {
    for (let at = 0; at <= FILE.length; at++) {
      for (const text of [
        FILE.slice(0, at),
        `${FILE.slice(0, at)}"${FILE.slice(at)}`,
        `${FILE.slice(0, at)}}${FILE.slice(at)}`,
      ]) {
        const doc = open(text);
        checkSpans(doc, Math.min(at, text.length));
        doc.complete(Math.min(at, text.length));
        doc.hover(Math.min(at, text.length));
        for (const { refusal, span } of doc.requests()) {
          const isBroken = doc
            .validate()
            .some(issue => issue.severity === 'error' && issue.span.start <= span.end);
          if (refusal !== undefined) assert.ok(isBroken, text);
        }
      }
    }
  });

  it('with broken JSON are refused, and an error names the place', () => {
    const doc = open('{\n  "method": "ping" "id": 1\n}\n');
    const [issue] = doc.validate();
    assert.deepEqual(
      [issue?.code, issue && doc.text.toPosition(issue.span.start), doc.requests()[0]?.refusal],
      [
        'agent-json/broken-json',
        { line: 1, character: 19 },
        "It is not valid JSON: ',' is missing before '\"id\"'; write it",
      ],
    );
  });

  it('of an array go out although another one of it is broken', () => {
    const refusals = open('[{"method":"ping"},{"method" 1},{"method":"ping"}]')
      .requests()
      .map(({ refusal }) => refusal);
    assert.deepEqual(
      refusals.map(refusal => refusal === undefined),
      [true, false, true],
    );
  });

  it('are read in linear time, however they are broken', () => {
    const count = (text: string): number => {
      const work = { count: 0 };
      const doc = parseAgentJson(text, DEFAULT_SETTINGS, undefined, work);
      assert.ok(doc.values.length <= text.length);
      return work.count;
    };
    for (const piece of ['{', '[', '}', '"', ',', '// @agent x\n', '/*', '{"a":', '{"method":"ping"}\n']) {
      const [one, ten] = [count(piece.repeat(1_000)), count(piece.repeat(10_000))];
      assert.ok(ten <= 11 * one + 10, `${piece}: ${one} and ${ten}`);
    }
  });

  it('know their protocol by the name of the file, else by a method that only one has', () => {
    const protocolOf = (text: string, name: string) => open(text, name).requests()[0]?.protocol;
    assert.deepEqual(
      [
        protocolOf('{"method":"ping"}', 'x.mcp.jsonc'),
        protocolOf('{"input":[]}', 'x.agent-api.json'),
        protocolOf('{"method":"SendMessage"}', 'x.jsonc'),
        protocolOf('{"method":"a::help"}', 'x.jsonc'),
        protocolOf('{"method":"tasks/get"}', 'x.jsonc'),
        protocolOf('{"input":"x","model":"m"}', 'x.json'),
      ],
      ['mcp', 'agent-api', 'a2a', 'aio', undefined, undefined],
    );
  });

  it('of JSON-RPC and AIO may have any method, because each agent has its own', () => {
    for (const name of ['x.json-rpc.json', 'x.aio.jsonc'])
      assert.deepEqual(open('{"method":"tools/call","params":{}}', name).validate(), []);
  });

  it('are completed by methods, tools, and the schemas of protocols and tools', () => {
    const labels = (marked: string, name?: string): readonly string[] => {
      const doc = open(marked.replace('|', ''), name).withTools(
        toolsWithSchema('{"type":"object","properties":{"unit":{"enum":["C","F"]}}}', 'weather'),
      );
      return doc.complete(marked.indexOf('|')).map(({ label }) => label);
    };
    assert.deepEqual(labels('{"method":"resources/r|"}').includes('resources/read'), true);
    assert.deepEqual(labels('{"method":"tools/call","params":{"name":|}}'), ['weather']);
    assert.deepEqual(labels('{"method":"tools/call","params":{"name":"weather","arguments":{|}}}'), ['unit']);
    assert.deepEqual(
      labels('{"method":"tools/call","params":{"name":"weather","arguments":{"unit":|}}}').slice(0, 2),
      ['"C"', '"F"'],
    );
    assert.deepEqual(labels('{"method":"tools/call","params":{|}}'), ['name', 'arguments']);
    assert.ok(labels('{|}', 'x.responses.json').includes('previous_response_id'));
    assert.ok(labels('// @ag|').includes('@agent'));
    assert.deepEqual(labels('// @agent a\n{"method":"ping"}\n// @agent |'), ['a']);
  });

  it('are described at methods, tools and values', () => {
    const doc = open(FILE).withTools(toolsWithSchema('{"type":"object"}', 'add'));
    const hover = (words: string) => doc.hover(FILE.indexOf(words) + 1)?.markdown ?? '';
    assert.match(hover('"tools/call"'), /Calls a tool with its arguments/);
    assert.match(hover('"params"'), /params/);
    assert.match(hover('1.0'), /arguments\\\.a/);
    assert.match(hover('@agent'), /agents\.json/);
  });

  it('name their tools, so that they are found and renamed', () => {
    const doc = open(FILE);
    const name = doc.nameAt(FILE.indexOf('add') + 1);
    assert.equal(name?.name, 'add');
    assert.equal(name && doc.writeName(name, 'a"b'), 'a\\"b');
    assert.deepEqual(name && [...doc.findName(name)].map(({ span }) => FILE.slice(span.start, span.end)), [
      'add',
    ]);
    assert.deepEqual(
      doc.landmarks().map(landmark => landmark.name),
      ['first', 'tools/list', 'ping'],
    );
  });

  it('are the same after an edit as in a new document', () => {
    const edited = open(FILE).edit({ span: { start: 0, end: 15 }, newText: '' });
    const anew = open(FILE.slice(15));
    assert.deepEqual([edited.requests(), edited.validate()], [anew.requests(), anew.validate()]);
  });
});
