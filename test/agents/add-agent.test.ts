import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { addAgent, type NewAgent } from '../../agents/config/edit-agents-file.ts';
import { parseAgentsFile } from '../../agents/config/agents-file.ts';

const TOOLBOX: NewAgent = {
  name: 'toolbox',
  protocol: 'aicf',
  place: { type: 'http', url: 'http://localhost:1/' },
};
const CODER: NewAgent = {
  name: 'coder',
  protocol: 'mcp',
  place: { type: 'stdio', command: 'node', args: ['coder.js'] },
};

describe('adding an agent to a file', () => {
  it('makes a file where there is none, which is read without a fault', () => {
    const added = addAgent('', CODER);
    assert.ok(added.ok);
    const { agents, issues } = parseAgentsFile(added.text);
    assert.deepEqual([issues, [...agents.keys()]], [[], ['coder']]);
    assert.match(added.text, /^\{\n {2}\/\/ One entry/);
  });

  it('keeps comments, order, indents and line ends', () => {
    const before =
      '{\r\n\t// ours\r\n\t"inputs": [],\r\n\t"agents": {\r\n\t\t"a": { "protocol": "aicl", "type": "http", "url": "http://b/" } // it\r\n\t}\r\n}\r\n';
    const first = '\t\t"a": { "protocol": "aicl", "type": "http", "url": "http://b/" }';
    const second = '\t\t"toolbox": { "protocol": "aicf", "type": "http", "url": "http://localhost:1/" }';
    const third =
      '\t\t"coder": { "protocol": "mcp", "type": "stdio", "command": "node", "args": ["coder.js"] }';
    const once = addAgent(before, TOOLBOX);
    assert.deepEqual(once, {
      ok: true,
      text: before.replace(`${first} // it`, `${first}, // it\r\n${second}`),
    });
    assert.ok(once.ok);
    assert.deepEqual(addAgent(once.text, CODER), {
      ok: true,
      text: once.text.replace(second, `${second},\r\n${third}`),
    });
  });

  it('keeps an existing comma, and the content of one line', () => {
    const texts = [
      '{"agents": {\n  "a": {"protocol":"aicl","type":"http","url":"http://b/"}, // it\n}}\n',
      '{"agents":{"a":{"protocol":"aicl","type":"http","url":"http://b/"}}}',
      '{"agents":{}}',
      '{}',
    ].map(text => {
      const added = addAgent(text, TOOLBOX);
      assert.ok(added.ok);
      assert.deepEqual(parseAgentsFile(added.text).issues, []);
      return added.text;
    });
    const whole =
      '{\n  "agents": {\n    "toolbox": {\n      "protocol": "aicf",\n      "type": "http",\n      "url": "http://localhost:1/"\n    }\n  }\n}';
    const toolbox = '"toolbox": { "protocol": "aicf", "type": "http", "url": "http://localhost:1/" }';
    const a = '"a": {"protocol":"aicl","type":"http","url":"http://b/"}';
    assert.deepEqual(texts, [
      `{"agents": {\n  ${a}, // it\n  ${toolbox}\n}}\n`,
      `{"agents":{${a.replace(': ', ':')},\n${toolbox}}}`,
      whole,
      whole,
    ]);
  });

  it('refuses a name that is taken, and a file that is not valid', () => {
    const once = addAgent('', TOOLBOX);
    assert.ok(once.ok);
    assert.deepEqual(
      [addAgent(once.text, TOOLBOX), addAgent('{ "agents": ', TOOLBOX)],
      [
        {
          ok: false,
          message: "The agents file has an agent 'toolbox' already. Give another name.",
        },
        { ok: false, message: 'The agents file is not valid JSON. Fix it first, then add the agent.' },
      ],
    );
  });
});
