import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { getLanguageService, type JSONSchema } from 'vscode-json-languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { parseAgentsFile } from '../../agents/src/config/agents-file.ts';
import { AGENT_TYPES, PROTOCOLS } from '../../protocol/src/catalog/protocols.ts';
import { parseTraceFile } from '../../protocol/src/trace/file.ts';

const service = getLanguageService({});

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

function readSchema(path: string): JSONSchema {
  return JSON.parse(read(path)) as JSONSchema;
}

async function validate(text: string, schema: JSONSchema): Promise<readonly string[]> {
  const document = TextDocument.create('file:///x.json', 'jsonc', 1, text);
  const parsed = service.parseJSONDocument(document);
  const issues = await service.doValidation(
    document,
    parsed,
    { trailingCommas: 'ignore', comments: 'ignore' },
    schema,
  );
  return issues.map(issue => (typeof issue.message === 'string' ? issue.message : issue.message.value));
}

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
      '{"protocol":"mcp","url":"http://x/"}',
      '{"protocol":"aicf","url":"http://x/","type":"stdio"}',
      '{"protocol":"aicf","url":1}',
      '{"protocol":"aicf","url":"http://x/","timeout":0}',
      '{"protocol":"aicf","url":"http://x/","tls":{"CA":"x"}}',
      '{"protocol":"aicf","url":"http://x/","header":{}}',
      '{"protocol":"aicf","url":"http://x/","quirks":"auto"}',
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
        definition.match(/"const":"(?:aicl|aicf)","description":"[^"]*"/g),
        PROTOCOLS.filter(row => row.types.some(each => each === type)).map(
          row => `"const":"${row.name}","description":"${row.title}"`,
        ),
      );
    }
  });
});

describe('schemas/agenttrace.schema.json', () => {
  const schema = readSchema('schemas/agenttrace.schema.json');
  const blocks = [...read('docs/trace-format.md').matchAll(/```json\n([^]*?)```/g)].map(
    match => match[1] ?? '',
  );
  const example = blocks.join('');

  it('takes the example of the documentation, and the reader does', async () => {
    assert.equal(parseTraceFile(example).events.length, 6);
    assert.deepEqual(parseTraceFile(example).notes, []);
    for (const line of example.trim().split('\n')) assert.deepEqual(await validate(line, schema), [], line);
  });

  it('refuses what is no event', async () => {
    for (const line of [
      '{}',
      '{"type":"note","call":"a","at":1}',
      '{"type":"end","call":"a","at":1,"status":"open"}',
      '{"format":"agenttrace","version":2}',
    ]) {
      assert.ok((await validate(line, schema)).length > 0, line);
    }
  });
});
