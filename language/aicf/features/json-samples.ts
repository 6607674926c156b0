import type { JsonTree } from '../../json/json-tree.ts';
import type { ToolTable } from '../../tools.ts';
import { fieldText } from '../ast.ts';
import { readCall } from '../call.ts';
import { collectTools, lookUp } from '../file-tools.ts';
import { readLineAt, type PlacedLine, type AicfDocument } from '../parse.ts';
import { linkData, linkFinding, readLinked, type LinkedJson } from '../linked-json.ts';
import { linesAround } from './in-use.ts';

/** Maximum number of characters of JSON read to collect names. */
const MAX_READ = 1 << 16;
/** A longer line above a reply is not read for its call. */
const LONGEST_CALL = 10_000;

/** Parsed JSON from a similar place. */
interface Sample {
  readonly text: string;
  readonly tree: JsonTree;
  /** True for the JSON at the cursor itself. */
  readonly isOwn: boolean;
}

/**
 * Yields the JSON itself, then the same argument in nearby calls of the same tool, or the data of replies to
 * such calls, nearest first.
 */
export function* likeJson(doc: AicfDocument, line: PlacedLine, json: LinkedJson): Generator<Sample, void> {
  let left = MAX_READ;
  const known = collectTools(doc);
  const tool = toolOf(doc, line);
  yield { ...toSample(json), isOwn: true };
  for (const other of linesAround(doc, line.number)) {
    if (other.tree.command !== line.tree.command || toolOf(doc, other) !== tool) continue;
    const like = linkSame(other, json, lookUp(doc, known, other.number), left);
    if (!like) continue;
    left -= like.embedded.text.length;
    yield { ...toSample(like), isOwn: false };
  }
}

function toSample(json: LinkedJson): Pick<Sample, 'text' | 'tree'> {
  return { text: json.embedded.text, tree: readLinked(json) };
}

function linkSame(
  line: PlacedLine,
  { field }: LinkedJson,
  tools: ToolTable,
  longest: number,
): LinkedJson | undefined {
  if (line.tree.command !== 'CALL') return linkData(line, longest);
  const finding = readCall(line.text, line.tree, tools).json.get(field);
  return finding && linkFinding(line, finding, longest);
}

/** The tool of a call; for a reply, the tool of the call on the line above. */
function toolOf(doc: AicfDocument, { text, tree, number }: PlacedLine): string | undefined {
  if (tree.command === 'CALL') return fieldText(text, tree, 0);
  const length = number === 0 ? 0 : doc.text.lineStart(number) - doc.text.lineStart(number - 1);
  if (length === 0 || length > LONGEST_CALL) return undefined;
  const above = readLineAt(doc, number - 1);
  return above.tree.command === 'CALL' ? fieldText(above.text, above.tree, 0) : undefined;
}
