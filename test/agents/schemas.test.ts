import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseAgentsFile } from '../../agents/config/agents-file.ts';
import { AGENT_TYPES, PROTOCOLS } from '../../core/catalog/protocols.ts';
import { parseTraceFile } from '../support/at-once.ts';
import { readProjectFile, readSchema, validate } from './support/schema.ts';

describe('schemas/agents.schema.json', () => {
  const schema = readSchema('schemas/agents.schema.json');

  it('and the reader take the same file', async () => {
    const text = `{
      "inputs": [{ "id": "who", "type": "promptString", "description": "Who?", "password": true }],
      "agents": {
        "a": { "protocol": "aicf", "type": "http", "contentType": "text/plain", "url": "http://x/", "headers": { "K": "\${secret:k}" }, "timeout": 2 },
        "b": { "protocol": "aicl", "url": "\${demo:analyst}", "tls": { "ca": "x", "allowSelfSigned": false } },
        "c": { "protocol": "aicl", "type": "stdio", "command": "node", "args": ["a.js"], "env": { "K": "\${secret:k}" }, "cwd": "sub", "timeout": 2 }, // last
      }
    }`;
    assert.deepEqual([await validate(text, schema), parseAgentsFile(text).issues], [[], []]);
  });

  it('and the reader refuse the same faults', async () => {
    for (const agent of [
      '{}',
      '{"protocol":"acp","url":"http://x/"}',
      '{"protocol":"aicf","url":"http://x/","type":"stdio"}',
      '{"protocol":"aicf","url":1}',
      '{"protocol":"aicf","url":"http://x/","timeout":0}',
      '{"protocol":"aicf","url":"http://x/","tls":{"CA":"x"}}',
      '{"protocol":"aicf","url":"http://x/","header":{}}',
      '{"protocol":"aicf","url":"http://x/","quirks":"sometimes"}',
      '{"protocol":"mcp","url":"http://x/","oauth":{"id":"a"}}',
      '{"protocol":"aicf","url":"http://x/","command":"node"}',
      '{"protocol":"aicf","type":"stdio","command":"node"}',
      '{"protocol":"aicl","type":"stdio"}',
      '{"protocol":"aicl","type":"stdio","command":" "}',
      '{"protocol":"aicl","type":"stdio","command":"node","args":"a.js"}',
      '{"protocol":"aicl","type":"stdio","command":"node","args":[1]}',
      '{"protocol":"aicl","type":"stdio","command":"node","env":{"A=":"b"}}',
      '{"protocol":"aicl","type":"stdio","command":"node","env":{"A":null}}',
      '{"protocol":"aicl","type":"stdio","command":"node","cwd":1}',
      '{"protocol":"aicl","type":"stdio","command":"node","url":"http://x/"}',
      '{"protocol":"aicl","type":"pipe","command":"node"}',
    ]) {
      const text = `{"agents":{"a":${agent}}}`;
      assert.ok((await validate(text, schema)).length > 0, text);
      assert.ok(parseAgentsFile(text).issues.length > 0, text);
    }
    for (const input of ['{}', '{"id":"a","secret":true}', '{"id":"a","type":"pickString"}']) {
      const text = `{"inputs":[${input}]}`;
      assert.ok((await validate(text, schema)).length > 0, text);
      assert.ok(parseAgentsFile(text).issues.length > 0, text);
    }
  });

  it('names the protocols of the catalog', () => {
    for (const type of AGENT_TYPES) {
      const definition = JSON.stringify(schema.definitions?.[`${type}Agent`]);
      assert.deepEqual(
        definition.match(/"const":"[^"]*","description":"[^"]*"/g),
        PROTOCOLS.filter(row => row.types.some(each => each === type)).map(
          row => `"const":"${row.name}","description":"${row.title}"`,
        ),
      );
    }
  });
});

const NAMES = '"names":[{"scheme":"aio","trace":"t","id":"1","parent":"0","depth":3}]';
const WHOLE_EVENTS = [
  `{"type":"call","call":"a","trace":"t","parent":"p","at":1,"agent":"b","protocol":"other","title":"x","from":"c",${NAMES},"session":"s","source":{"uri":"file:///a","line":3},"seen":"between","reported":true,"back":true}`,
  `{"type":"identity","call":"a","at":1,"seq":1,"agent":"b","protocol":"mcp","title":"x","from":"c","session":"s",${NAMES}}`,
  '{"type":"attributes","call":"a","at":1,"seq":2,"attributes":[{"name":"x","json":"1"}]}',
  '{"type":"wire","call":"a","at":1,"seq":2,"direction":"in","bytes":{"base64":"H4sI"},"count":3,"exchange":1,"redacted":[{"at":0,"length":9}],"unpacked":{"text":"[redacted]","redacted":[{"at":0,"length":9,"template":"{{secret a}}"}]}}',
  '{"type":"end","call":"a","at":1,"seq":3,"status":"ok","code":"0","message":"m","usage":{"input":1,"output":0}}',
];

describe('schemas/agenttrace.schema.json', () => {
  const schema = readSchema('schemas/agenttrace.schema.json');
  const blocks = [...readProjectFile('docs/trace-format.md').matchAll(/```json\n([^]*?)```/g)].map(
    match => match[1] ?? '',
  );
  const example = blocks.join('');

  it('takes the example of the documentation, and the reader does', async () => {
    assert.equal(parseTraceFile(example).events.length, 6);
    assert.deepEqual(parseTraceFile(example).notes, []);
    for (const line of example.trim().split('\n')) assert.deepEqual(await validate(line, schema), [], line);
  });

  it('takes all that an event may have', async () => {
    for (const line of WHOLE_EVENTS) {
      assert.deepEqual(await validate(line, schema), [], line);
      // The reader keeps each member, so the schema leaves none out that it knows and knows none that it passes over.
      assert.deepEqual(parseTraceFile(`{"format":"agenttrace","version":1}\n${line}\n`).events, [
        JSON.parse(line),
      ]);
    }
  });

  it('names the protocols of the catalog, and the one of all others', () => {
    const definition = schema.definitions?.['protocol'];
    assert.ok(typeof definition === 'object');
    assert.deepEqual(definition.enum, [...PROTOCOLS.map(({ name }) => name), 'other']);
  });

  it('refuses what is no event', async () => {
    for (const line of [
      '{"type":"note","call":"a","at":1,"text":"x","seq":0}',
      '{"type":"identity","call":"a","at":1,"names":[{"scheme":"x","trace":"t"}]}',
      '{"type":"attributes","call":"a","at":1}',
      '{"type":"wire","call":"a","at":1,"direction":"in","bytes":{"text":""},"unpacked":{}}',
      '{"type":"end","call":"a","at":1,"status":"ok","usage":{"input":-1}}',
      '{}',
      '{"type":"note","call":"a","at":1}',
      '{"type":"end","call":"a","at":1,"status":"open"}',
      '{"format":"agenttrace","version":2}',
    ]) {
      assert.ok((await validate(line, schema)).length > 0, line);
    }
  });
});

/** Files that fit a schema, and files that do not, each with what is said of it. */
interface Held {
  readonly schema: string;
  readonly good: readonly string[];
  readonly bad: readonly (readonly [text: string, message: RegExp])[];
}

const REQUEST =
  '{"jsonrpc":"2.0","method":"math_agent::tools.call","params":{"tool":"calculate_area","args":{"x":3,"y":4}},"id":1,"trace_id":"AIO-TR-20250326-0001"}';
const PLUGINS = '"plugins":[{"name":"@openstarry-plugin/mcp-server","config":{"exposedTools":';

const HELD: readonly Held[] = [
  {
    schema: 'agent.schema.json',
    good: [
      '{"mcp":{"expose_tools":["fs:read_file","git:status"],"private_tools":["admin:reset"]}}',
      `{"identity":{"id":"my-agent","name":"My Agent","version":"0.1.0"},"cognition":{"provider":"gemini-oauth","temperature":0.7},"capabilities":{"tools":["fs.read"],"allowedPaths":["."]},"policy":{"toolTimeout":30000},"memory":{"slidingWindowSize":5},${PLUGINS}"*"}},{"name":"x"}]}`,
      `{"identity":{},${PLUGINS}["fs.read"]}}]}`,
      // An agent card of A2A, and somebody else's file.
      '{"name":"Planner","url":"http://localhost/","version":"1","capabilities":{"streaming":true},"skills":[]}',
      '{"mcp":["a"],"plugins":{"x":1},"identity":"me","capabilities":["a"]}',
    ],
    bad: [
      ['{"mcp":{"expose_tools":"fs:read_file"}}', /Expected "array"/],
      ['{"mcp":{"expose_tools":["a"],"private_tools":[1]}}', /Expected "string"/],
      ['{"mcp":{"expose_tools":["a","a"]}}', /duplicate/],
      [`{"identity":{"id":1},"plugins":[]}`, /Expected "string"/],
      [`{"identity":{},${PLUGINS}"all"}}]}`, /"\*"/],
    ],
  },
  {
    schema: 'aio-message.schema.json',
    good: [
      REQUEST,
      '{"jsonrpc":"2.0","method":"llm_agent::sampling.start","params":{"input":{"type":"text","value":"Please summarize"}},"id":"a","trace_id":"AIO-TR-20250326-10000"}',
      '{"jsonrpc":"2.0","method":"reader::input","params":{"input":"hi"},"id":1,"trace_id":"AIO-TR-20250326-0001"}',
      '{"result":{"resources":[{"id":"doc-001","title":"Spec Sheet","type":"pdf"}]}}',
      '{"jsonrpc":"2.0","id":1,"trace_id":"t","outputs":[{"type":"image","value":"https://x/a.png"}]}',
      '{"output":{"type":"error","value":"no such file"}}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    ],
    bad: [
      [REQUEST.replace('math_agent::tools.call', 'tools.call'), /pattern/],
      [REQUEST.replace('"AIO-TR-20250326-0001"', '1'), /Expected "string"/],
      [REQUEST.replace('"id":1', '"id":1.5'), /"integer, string"|Incorrect type/],
      [
        '{"method":"a::input","params":{"input":{"type":"image","value":{"$file":1}}}}',
        /Expected "string"|Incorrect/,
      ],
      ['{"type":"grpc","methods":["help"]}', /"stdio"/],
      [REQUEST.replace('"tool":"calculate_area"', '"tool":1'), /Expected "string"/],
      ['{"jsonrpc":"2.0","id":1}', /result|required|Missing/],
      ['{"outputs":[{"type":"smell","value":"x"}]}', /"text"/],
    ],
  },
  {
    schema: 'aio-trace.schema.json',
    good: [
      '{"trace_id":"AIO-TR-20250326-0001","calls":[{"id":1,"agent":"reader","method":"resources.list","input":{},"output":{},"status":"ok"},{"id":2,"agent":"reader","method":"sampling.start","input":{},"output":{}}]}',
      '{"trace_id":"AIO-TR-20250326-0001","calls":[{"id":1,"protocol":"aio","type":"stdio","agent":"reader","method":"input","inputs":[1],"outputs":[],"status":"pending","partial":true}]}',
    ],
    bad: [
      ['{"trace_id":"AIO-TR-20250326-0001"}', /"calls"/],
      ['{"trace_id":1,"calls":[]}', /Expected "string"/],
      ['{"trace_id":"AIO-TR-20250326-0001","calls":[{"id":1,"agent":"a"}]}', /"method"/],
      [
        '{"trace_id":"AIO-TR-20250326-0001","calls":[{"id":1,"agent":"a","method":"m","status":"done"}]}',
        /"ok"/,
      ],
    ],
  },
  {
    schema: 'agent-api-request.schema.json',
    good: [
      '{"input":[{"role":"user","type":"message","content":[{"type":"text","text":"Hi"}]}]}',
      '{"input":[{"object":"message","role":null,"content":null},{"type":"function_call_output","content":[{"type":"data","data":{"call_id":"1","output":"2"}},{"type":"image","image_url":"http://x"},{"type":"file","file_id":"f"}]}],"stream":true,"id":null,"model":"m","n":5,"stop":["a"],"tools":[{"type":"function"}],"session_id":"s","response_id":"r"}',
    ],
    bad: [
      ['{"stream":true}', /"input"/],
      ['{"input":"Hi"}', /Expected "array"/],
      ['{"input":[],"n":6}', /maximum/],
      [
        '{"input":[],"tools":[{"type":"function","function":{"name":"f","description":"d"}}]}',
        /"parameters"/,
      ],
      [
        '{"input":[],"tools":[{"function":{"name":"f","description":"d","parameters":{"type":"array"}}}]}',
        /"object"/,
      ],
      ['{"input":[{"content":[{"type":"text","text":"a","index":"0"}]}]}', /"integer, null"|Incorrect type/],
      ['{"input":[{"role":"robot"}]}', /"assistant"/],
      ['{"input":[{"role":"user","content":[{"type":"text","text":1}]}]}', /"string, null"|Incorrect type/],
      ['{"input":[{"role":"user","content":[{"text":"Hi"}]}]}', /"type"/],
    ],
  },
];

for (const { schema: name, good, bad } of HELD) {
  describe(`schemas/${name}`, () => {
    const schema = readSchema(`schemas/${name}`);

    it('takes what agents send and what files hold', async () => {
      for (const text of good) assert.deepEqual(await validate(text, schema), [], text);
    });

    it('says what is wrong', async () => {
      for (const [text, message] of bad)
        assert.match((await validate(text, schema)).join('\n'), message, text);
    });

    it('is contributed to the JSON support of VS Code', () => {
      const { contributes } = JSON.parse(readProjectFile('package.json')) as {
        readonly contributes: { readonly jsonValidation: readonly { readonly url: string }[] };
      };
      assert.ok(contributes.jsonValidation.some(({ url }) => url === `./schemas/${name}`));
    });
  });
}
