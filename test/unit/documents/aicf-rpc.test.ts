import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { message } from '../../../core/message/message.ts';
import { Report } from '../../../core/message/report.ts';
import { dictValue, textValue } from '../../../core/values/value.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { readMessages } from '../../../protocols/convert/read-text.ts';
import { writeMessages } from '../../../protocols/convert/write-text.ts';

/** An example of AICF-RPC 1.0 as the document writes it, with what is reported about it in a file. */
interface Example {
  /** The heading above it. */
  readonly section: string;
  readonly text: string;
  /** Severity and rule of each issue. Templates, heads of HTTP and the prefixes of transcripts are no messages. */
  readonly issues: readonly string[];
}

const EXAMPLES: readonly Example[] = [
  {
    section: 'Request Format',
    text: 'COMMAND|TOOL|ARG1|ARG2|ARG3|...',
    issues: ['warning aicf/unknown-command'],
  },
  { section: '1. CALL - Invoke a Tool', text: 'CALL|tool_name|arg1|arg2|...', issues: [] },
  {
    section: '1. CALL - Invoke a Tool',
    text: 'CALL|figma.getFile|abc123\nCALL|figma.getFile|abc123|1.0\nCALL|playwright.navigate|https://example.com\nCALL|playwright.screenshot|test.png|1920|1080',
    issues: [],
  },
  { section: '1. CALL - Invoke a Tool', text: 'OK|{result_data}', issues: [] },
  {
    section: '1. CALL - Invoke a Tool',
    text: 'ERR|error_code|error_message',
    issues: ['error aicf/error-code'],
  },
  { section: '2. LIST - List Available Tools', text: 'LIST', issues: [] },
  { section: '2. LIST - List Available Tools', text: 'TOOLS|tool1|tool2|tool3|...', issues: [] },
  {
    section: '2. LIST - List Available Tools',
    text: 'Request:  LIST\nResponse: TOOLS|figma.getFile|figma.getComments|figma.getVersions',
    issues: ['hint aicf/prefix', 'hint aicf/prefix'],
  },
  { section: '3. INFO - Get Tool Information', text: 'INFO|tool_name', issues: [] },
  {
    section: '3. INFO - Get Tool Information',
    text: 'TOOL|name|description|arg1:type|arg2:type|...',
    issues: ['warning aicf/unknown-type', 'warning aicf/unknown-type'],
  },
  {
    section: '3. INFO - Get Tool Information',
    text: 'Request:  INFO|figma.getFile\nResponse: TOOL|figma.getFile|Get Figma file data|fileKey:string|version:string',
    issues: ['hint aicf/prefix', 'hint aicf/prefix'],
  },
  { section: 'Success Response', text: 'OK|{data}', issues: [] },
  {
    section: 'Success Response',
    text: 'OK|{"name":"My Design","id":"abc123"}\nOK|Screenshot saved to test.png\nOK|true',
    issues: [],
  },
  { section: 'Error Response', text: 'ERR|code|message', issues: ['error aicf/error-code'] },
  {
    section: 'Error Response',
    text: 'ERR|404|Tool not found: figma.getFile\nERR|422|Missing required argument: fileKey\nERR|500|Internal server error',
    issues: [],
  },
  {
    section: 'Endpoint',
    text: 'POST /aip/v1/aicf\nContent-Type: text/plain',
    issues: ['error aicf/foreign-text'],
  },
  {
    section: 'Request Example',
    text: 'POST /aip/v1/aicf HTTP/1.1\nHost: localhost:65001\nContent-Type: text/plain\n\nCALL|figma.getFile|abc123',
    issues: ['error aicf/foreign-text'],
  },
  {
    section: 'Response Example',
    text: 'HTTP/1.1 200 OK\nContent-Type: text/plain\n\nOK|{"name":"My Design","id":"abc123"}',
    issues: ['error aicf/foreign-text'],
  },
  {
    section: 'JSON-RPC (Human-Friendly)',
    text: 'POST /aip/v1/rpc\nContent-Type: application/json\n\n{\n  "jsonrpc": "2.0",\n  "method": "aip.tool.invoke",\n  "params": {\n    "tool": "figma.getFile",\n    "arguments": {"fileKey": "abc123"}\n  },\n  "id": 1\n}',
    issues: ['error aicf/foreign-text'],
  },
  {
    section: 'AICF-RPC (AI-Optimized)',
    text: 'POST /aip/v1/aicf\nContent-Type: text/plain\n\nCALL|figma.getFile|abc123',
    issues: ['error aicf/foreign-text'],
  },
  {
    section: 'JSON-RPC Request',
    text: '{\n  "jsonrpc": "2.0",\n  "method": "aip.tool.invoke",\n  "params": {\n    "tool": "figma.getFile",\n    "arguments": {\n      "fileKey": "abc123",\n      "version": "1.0"\n    }\n  },\n  "id": 1\n}',
    issues: [],
  },
  { section: 'AICF-RPC Request', text: 'CALL|figma.getFile|abc123|1.0', issues: [] },
  {
    section: 'Authentication',
    text: 'CALL|figma.getFile|abc123|AUTH:token123',
    issues: ['warning aicf/auth-field'],
  },
  { section: 'Authentication', text: 'Authorization: Bearer token123', issues: ['error aicf/foreign-text'] },
  {
    section: 'JSON Objects (when needed)',
    text: 'CALL|tool|{"key":"value","nested":{"data":true}}',
    issues: [],
  },
  { section: 'Arrays', text: 'CALL|tool|arg1,arg2,arg3', issues: [] },
  { section: 'Arrays', text: 'CALL|tool|["arg1","arg2","arg3"]', issues: [] },
  {
    section: 'Streaming Responses (Future)',
    text: 'STREAM|chunk1\nSTREAM|chunk2\nSTREAM|chunk3\nEND',
    issues: [],
  },
  {
    section: 'Example 1: Get Figma File',
    text: 'Request:  CALL|figma.getFile|abc123\nResponse: OK|{"name":"My Design","lastModified":"2025-10-21"}',
    issues: ['hint aicf/prefix', 'hint aicf/prefix'],
  },
  {
    section: 'Example 2: Navigate Browser',
    text: 'Request:  CALL|playwright.navigate|https://example.com\nResponse: OK|Navigation successful',
    issues: ['hint aicf/prefix', 'hint aicf/prefix'],
  },
  {
    section: 'Example 3: Take Screenshot',
    text: 'Request:  CALL|playwright.screenshot|test.png|1920|1080\nResponse: OK|Screenshot saved to test.png',
    issues: ['hint aicf/prefix', 'hint aicf/prefix'],
  },
  {
    section: 'Example 4: Error Handling',
    text: 'Request:  CALL|figma.getFile|invalid\nResponse: ERR|404|File not found: invalid',
    issues: ['hint aicf/prefix', 'hint aicf/prefix'],
  },
  {
    section: 'Example 5: List Tools',
    text: 'Request:  LIST\nResponse: TOOLS|figma.getFile|figma.getComments|playwright.navigate|playwright.screenshot',
    issues: ['hint aicf/prefix', 'hint aicf/prefix'],
  },
];

describe('the examples of AICF-RPC 1.0', () => {
  for (const [index, { section, text, issues }] of EXAMPLES.entries())
    it(`${index + 1}, "${section}", ${issues.length === 0 ? 'has no faults' : issues.join(', ')}`, () => {
      const document = LANGUAGE_SUPPORT.aicf.open(`${text}\n`, DEFAULT_SETTINGS);
      assert.deepEqual(
        document.validate().map(({ severity, code }) => `${severity} ${code}`),
        issues,
      );
    });

  it('are the same call in both formats, in both directions', () => {
    const rpc =
      '{"jsonrpc":"2.0","method":"aip.tool.invoke","params":{"tool":"figma.getFile","arguments":{"fileKey":"abc123","version":"1.0"}},"id":1}';
    const declared = 'TOOL|figma.getFile|Get Figma file data|fileKey:string|version:string';
    const call = 'CALL|figma.getFile|abc123|1.0';
    const convert = (text: string, from: 'aicf' | 'json-rpc', to: 'aicf' | 'json-rpc'): string => {
      const report = new Report();
      const read = readMessages(text, { protocols: ALL_PROTOCOLS, from, report });
      return writeMessages(read, { protocols: ALL_PROTOCOLS, to, layout: 'compact', report }).text;
    };
    const written = convert(`${declared}\n${call}\n`, 'aicf', 'json-rpc').trim().split('\n').at(-1) ?? '';
    // The line that declares the tool is message 1.
    assert.deepEqual(JSON.parse(written.replace('"id":2', '"id":1')), JSON.parse(rpc));
    assert.equal(convert(rpc, 'json-rpc', 'aicf'), `${call}\n`);
  });

  it('are read as the document means them', () => {
    const read = (text: string): unknown =>
      readMessages(text, { protocols: ALL_PROTOCOLS, from: 'aicf', report: new Report() }).messages.map(
        each => each.message,
      );
    assert.deepEqual(read('CALL|tool|{"key":"value"}'), [
      message('call', {
        tool: textValue('tool'),
        arguments: { kind: 'list', items: [dictValue([{ key: 'key', value: textValue('value') }])] },
      }),
    ]);
  });
});
