import { encodeField } from '../../aicf/codec.ts';
import { readLinked, type LinkedJson } from '../../aicf/linked-json.ts';
import { describeFault, findMend } from '../../json/json-faults.ts';
import type { JsonFault } from '../../json/json-scanner.ts';
import type { JsonTree } from '../../json/json-tree.ts';
import type { Fix, RelatedPlace } from '../../../core/text/issue.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import { buildFix, type LineView } from './report.ts';

/** The first fault of JSON in a line. */
export interface PlacedFault {
  /** The span in the line, mapped through the escapes. */
  readonly span: Span;
  readonly fault: JsonFault;
  readonly tree: JsonTree;
  readonly json: LinkedJson;
}

/** Finds the first fault of JSON; undefined for valid JSON. */
export function findJsonFault(json: LinkedJson | undefined): PlacedFault | undefined {
  if (!json) return undefined;
  const tree = readLinked(json);
  return tree.fault && { span: json.embedded.toSource(tree.fault.span), fault: tree.fault, tree, json };
}

/** The fault, with advice. */
export function describeJsonFault({ fault, json }: PlacedFault): string {
  return describeFault(json.embedded.text, fault);
}

/** The bracket that is not closed, as related place. */
export function relateOpener(line: LineView, { fault, json }: PlacedFault): readonly RelatedPlace[] {
  if (!fault.opener) return [];
  const span = shiftSpan(json.embedded.toSource(fault.opener), line.start);
  return [{ span, message: 'The bracket that stays open' }];
}

/** A fix for the fault, if one change makes the JSON valid. */
export function mendJsonFault(line: LineView, placed: PlacedFault): readonly Fix[] {
  const { json } = placed;
  const { text } = json.embedded;
  const mend = findMend(text, placed.fault, placed.tree);
  if (!mend) return [];
  const { span, newText } = mend.edit;
  const written = json.isWritten ? newText : encodeField(newText);
  return [buildFix(mend.title, line, json.embedded.toSource(span), written)];
}
