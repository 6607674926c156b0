import { fieldSource, findFieldSpan, sideOf } from '../../aicf/ast.ts';
import { isCertainJson, encodeJson, isUnescapedJson, type JsonFinding } from '../../aicf/json-field.ts';
import { decodeField, encodeField } from '../../aicf/codec.ts';
import { linkFinding } from '../../aicf/linked-json.ts';
import type { AicfTypeName } from '../../../core/catalog/aicf.ts';
import type { Fix } from '../../../core/text/issue.ts';
import type { Span } from '../../../core/text/span.ts';
import {
  describeJsonFault,
  findJsonFault,
  mendJsonFault,
  relateOpener,
  type PlacedFault,
} from './json-faults.ts';
import {
  buildFix,
  draftLineIssue,
  type AicfRule,
  type IssueDraft,
  type IssueWords,
  type LineView,
} from './report.ts';

const AMBIGUOUS = 'This JSON has another value before unescaping than after it; write its escapes as \\uXXXX';

/**
 * Checks the JSON arguments of a call: invalid although the tool's type requires JSON, invalid although it
 * looks like JSON, and ambiguous (AICF-RPC 1.0, "Complex Arguments").
 */
export const checkJson: AicfRule = ({ report }) => ({
  visit(line) {
    if (!line.call) return;
    for (const finding of line.call.json.values()) {
      if (finding.state === 'whole') continue;
      const span = findingSpan(line, finding);
      const type = line.call.tool?.arguments[finding.firstField - 1]?.type ?? 'any';
      if (finding.state === 'ambiguous') {
        report(draftLineIssue('aicf/ambiguous-json', line, span, () => describeAmbiguous(line, span)));
        continue;
      }
      const first = fieldSource(line.text, line.tree, finding.firstField);
      const code = isCertainJson(first, type) ? 'aicf/broken-json' : 'aicf/probable-json';
      const fault = findFault(line, finding);
      const place = placeFault(line, finding, fault) ?? span;
      const certainType = code === 'aicf/broken-json' ? type : undefined;
      report(
        draftLineIssue(code, line, place, () => ({
          message: describeBroken(finding, fault, certainType),
          fixes: mendBroken(line, finding, fault, { span, type }),
          related: fault ? relateOpener(line, fault) : [],
        })),
      );
    }
  },
});

/**
 * Reports data of `OK` that is JSON only before unescaping, as servers send it that do not escape (reading of
 * AICF-RPC 1.0, "Response Format"). Ambiguous JSON is not reported, because unescaping takes precedence.
 */
export function draftUnescapedData(line: LineView): IssueDraft | undefined {
  const span = line.tree.command === 'OK' ? findFieldSpan(line.tree, 0) : undefined;
  if (!span || !isUnescapedJson(line.text.slice(span.start, span.end))) return undefined;
  return draftLineIssue('aicf/unescaped-data', line, span, () => ({
    message:
      'This JSON is valid only before unescaping, and is read that way; escape it for readers that unescape',
    fixes: [buildFix('Escape the JSON', line, span, encodeField(line.text.slice(span.start, span.end)))],
  }));
}

function findingSpan({ tree }: LineView, { firstField, lastField }: JsonFinding): Span {
  return {
    start: findFieldSpan(tree, firstField)?.start ?? tree.end,
    end: findFieldSpan(tree, lastField)?.end ?? tree.end,
  };
}

function describeAmbiguous(line: LineView, span: Span): IssueWords {
  const raw = line.text.slice(span.start, span.end);
  return {
    message: AMBIGUOUS,
    fixes: [
      buildFix('Keep the value as it is written', line, span, encodeJson(raw)),
      buildFix(
        'Keep the value after unescaping',
        line,
        span,
        encodeJson(decodeField(raw, sideOf(line.tree))),
      ),
    ],
  };
}

/** The fault of the JSON after unescaping; undefined if it is only nested too deep. */
function findFault(line: LineView, finding: JsonFinding): PlacedFault | undefined {
  // JSON that is valid as written also has a fault here if unescaping breaks it.
  return findJsonFault(
    linkFinding(line, { ...finding, lastField: finding.firstField, isWritten: false }, Infinity),
  );
}

/** The span of the raw pipe that splits the JSON, or else of its fault; undefined if there is neither. */
function placeFault(
  { tree }: LineView,
  { firstField, lastField }: JsonFinding,
  fault: PlacedFault | undefined,
): Span | undefined {
  const pipe = lastField > firstField ? tree.pipes[firstField + 1] : undefined;
  return pipe === undefined ? fault?.span : { start: pipe, end: pipe + 1 };
}

function describeBroken(
  finding: JsonFinding,
  fault: PlacedFault | undefined,
  certainType: AicfTypeName | undefined,
): string {
  const what =
    certainType === undefined
      ? 'This looks like JSON and is not'
      : `The argument is of type '${certainType}' and is not JSON`;
  return `${what}: ${findCause(finding, fault)}`;
}

function findCause({ encoded, firstField, lastField }: JsonFinding, fault: PlacedFault | undefined): string {
  if (lastField > firstField) return "a raw '|' cuts it; write '\\|'";
  if (encoded !== undefined) return 'the field undoes its escapes; escape them';
  return fault ? describeJsonFault(fault) : 'it nests too deep; write it flatter';
}

function mendBroken(
  line: LineView,
  { encoded }: JsonFinding,
  fault: PlacedFault | undefined,
  { span, type }: { readonly span: Span; readonly type: AicfTypeName },
): readonly Fix[] {
  if (encoded !== undefined) return [buildFix('Escape the JSON', line, span, encoded)];
  const raw = line.text.slice(span.start, span.end);
  // Names in brackets were meant as a list, which can be written without JSON.
  const [, values] = (type === 'array' && PLAIN_LIST.exec(raw)) || [];
  if (values !== undefined) return [buildFix('Write the values without brackets', line, span, values)];
  return fault ? mendJsonFault(line, fault) : [];
}

const PLAIN_LIST = /^\s*\[([^"'{}[\]|]{1,1000})\]\s*$/;
