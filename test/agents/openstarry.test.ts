import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkExposure } from '../../agents/mcp/exposure.ts';

/** What is found, each as `severity text: message`. */
function check(text: string, tools?: readonly string[]): readonly string[] | undefined {
  const found = checkExposure(text, () => tools && { agent: 'files', tools });
  return found?.issues.map(
    ({ severity, span, message }) => `${severity} ${text.slice(span.start, span.end)}: ${message}`,
  );
}

const FILE = `{
  // as the document shows it
  "identity": { "id": "db-agent", "name": "Database Agent" },
  "mcp": { "expose_tools": ["fs:read_file", "git:status"], "private_tools": ["admin:reset"] }
}`;

/** As the framework's own configurations write it. */
const PLUGIN = (exposed: string): string =>
  `{"identity":{"id":"a"},"plugins":[{"name":"@openstarry-plugin/standard-function-fs"},{"name":"@openstarry-plugin/mcp-server","config":{"exposedTools":${exposed}}}]}`;

describe('checkExposure', () => {
  it('finds nothing in the example of the document, and asks for the agent by its names', () => {
    const asked: (readonly string[])[] = [];
    assert.deepEqual(
      checkExposure(FILE, names => void asked.push(names)),
      { names: ['db-agent', 'Database Agent'], issues: [] },
    );
    assert.deepEqual(asked, [['db-agent', 'Database Agent']]);
  });

  it('is off for files that say nothing of exposure', () => {
    for (const text of [
      '',
      '[]',
      '{"mcp":{}}',
      '{"mcp":["a"]}',
      '{"name":"card","url":"http://x"}',
      '{"plugins":[1,{}]}',
    ])
      assert.equal(check(text, ['a']), undefined, text);
  });

  it('reports a tool in both lists, and one that is listed twice', () => {
    assert.deepEqual(check('{"mcp":{"expose_tools":["a","b.c","a"],"private_tools":["a","b:c"]}}'), [
      'error "a": The tool \'a\' is private and exposed; take it out of one of the lists',
      "error \"b:c\": The tool 'b:c' is private and exposed (as 'b.c'); take it out of one of the lists",
      'hint "a": The tool \'a\' is listed twice; once is enough',
    ]);
  });

  it('compares the file with what the agent advertises', () => {
    assert.deepEqual(check(FILE, ['fs:read_file', 'git:status']), []);
    assert.deepEqual(check(FILE, ['fs.read_file', 'admin.reset', 'shell:run']), [
      "hint \"fs:read_file\": The tool 'fs:read_file' is advertised by 'files' as 'fs.read_file'; write it the same way",
      "warning \"git:status\": The tool 'git:status' is exposed, but 'files' does not advertise it; correct its name or register it",
      "error \"admin:reset\": The tool 'admin:reset' is private, but 'files' advertises it as 'admin.reset'; check that the agent was started with this file",
      "warning \"expose_tools\": 'files' advertises the tool 'shell:run', which is not exposed here; add it to a list, or check that the agent was started with this file",
    ]);
  });

  it('without a block "mcp" reads the plugin; a star is all tools', () => {
    assert.deepEqual(check(PLUGIN('["a"]'), ['a', 'b']), [
      "warning \"exposedTools\": 'files' advertises the tool 'b', which is not exposed here; add it to a list, or check that the agent was started with this file",
    ]);
    assert.deepEqual(check(PLUGIN('"*"'), ['a', 'b']), []);
    assert.deepEqual(check(PLUGIN('["*"]'), ['a', 'b']), []);
    assert.deepEqual(check(`{"mcp":{"expose_tools":[]},${PLUGIN('"*"').slice(1)}`, ['a'])?.length, 1);
  });

  it('does not parse a file that is larger than configuration may be or nested too deeply, and reports that', () => {
    const filled = (text: string): string => `{"mcp":{"expose_tools":["a","a"]},"x":${text}}`;
    const longest = 1_000_000 - filled('""').length;
    assert.equal(check(filled(`"${'x'.repeat(longest)}"`))?.length, 1);
    assert.deepEqual(check(filled(`"${'x'.repeat(longest + 1)}"`)), [
      'warning {: The file holds more than 1000000 characters; remove some',
    ]);
    assert.deepEqual(check(filled('['.repeat(100))), [
      'warning {: Values nest deeper than 100 levels; remove the inner ones',
    ]);
  });

  it('never throws, wherever the file is cut', () => {
    for (let end = 0; end <= FILE.length; end++)
      assert.ok((check(FILE.slice(0, end), ['a'])?.length ?? 0) <= 4);
  });
});
