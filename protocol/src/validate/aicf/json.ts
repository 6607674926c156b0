import { findFieldSpan } from '../../aicf/ast.ts';
import { isCertainJson } from '../../aicf/call.ts';
import { decodeField } from '../../aicf/codec.ts';
import { encodeJson, type JsonFinding } from '../../aicf/json-field.ts';
import type { AicfTypeName } from '../../catalog/aicf.ts';
import type { AicfRuleCode } from '../../catalog/aicf-rules.ts';
import type { Fix } from '../../text/issue.ts';
import type { Span } from '../../text/span.ts';
import { quote } from '../../text/quote.ts';
import { buildFix, buildLineIssue, type AicfRule, type LineView } from './report.ts';

/**
 * JSON in the arguments of a call: broken where the tool's type says that it is JSON, broken where it only looks like
 * it, and valid in two ways (AICF-RPC 1.0, "Complex Arguments").
 */
export const checkJson: AicfRule = ({ report }) => ({
  visit(line) {
    if (!line.call) return;
    for (const finding of line.call.json.values()) {
      if (finding.state === 'whole') continue;
      const span = findingSpan(line, finding);
      const type = line.call.tool?.arguments[finding.firstField - 1]?.type ?? 'any';
      const raw = line.text.slice(span.start, span.end);
      const { code, message } = describeFinding(finding, raw, type);
      report(buildLineIssue(code, line, span, message, buildFixes(line, finding, span)));
    }
  },
});

function buildFixes(line: LineView, { state, encoded }: JsonFinding, span: Span): readonly Fix[] {
  if (encoded === undefined) return [];
  if (state !== 'ambiguous') return [buildFix('Escape the JSON', line, span, encoded)];
  const unescaped = encodeJson(decodeField(line.text.slice(span.start, span.end)));
  return [
    buildFix('Keep the value as it is written', line, span, encoded),
    buildFix('Keep the value after unescaping', line, span, unescaped),
  ];
}

function findingSpan({ tree }: LineView, { firstField, lastField }: JsonFinding): Span {
  return {
    start: findFieldSpan(tree, firstField)?.start ?? tree.end,
    end: findFieldSpan(tree, lastField)?.end ?? tree.end,
  };
}

function describeFinding(
  finding: JsonFinding,
  raw: string,
  type: AicfTypeName,
): { readonly code: AicfRuleCode; readonly message: string } {
  if (finding.state === 'ambiguous') {
    const message =
      'This JSON has another value before unescaping than after it; write its escapes as \\uXXXX';
    return { code: 'aicf/ambiguous-json', message };
  }
  const cause =
    finding.encoded === undefined
      ? 'write valid JSON'
      : finding.lastField > finding.firstField
        ? "a raw '|' cuts it; write '\\|'"
        : 'the field undoes its escapes; escape them';
  if (isCertainJson(raw, type)) {
    return {
      code: 'aicf/broken-json',
      message: `${quote(raw)} is not JSON, and the argument is of type '${type}'; ${cause}`,
    };
  }
  return { code: 'aicf/probable-json', message: `${quote(raw)} looks like JSON and is not; ${cause}` };
}
