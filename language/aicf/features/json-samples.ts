import type { JsonTree } from '../../json/json-tree.ts';
import type { ToolTable } from '../../tools.ts';
import { fieldText } from '../ast.ts';
import { readCall } from '../call.ts';
import { collectTools, lookUp } from '../file-tools.ts';
import { readLineAt, type PlacedLine } from '../lines.ts';
import { linkData, linkFinding, readLinked, type LinkedJson } from '../linked-json.ts';
import type { AicfDocument } from '../parse.ts';
import { linesAround } from './in-use.ts';

/** So many characters of JSON are read to learn what names there are. */
const MOST_READ = 1 << 16;
/** What a longer line above a reply calls is not read. */
const LONGEST_CALL = 10_000;

/** JSON that is like another one, read. */
interface Sample {
  readonly text: string;
  readonly tree: JsonTree;
  /** True for the JSON that samples are looked for. */
  readonly isOwn: boolean;
}

/**
 * The JSON itself, then what stands in the same argument of calls of the same tool near it, or in the data of replies to
 * such calls, the nearest first.
 */
export function* likeJson(doc: AicfDocument, line: PlacedLine, json: LinkedJson): Generator<Sample, void> {
  let left = MOST_READ;
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

/** The tool of a call; of a reply that of the call in the line above it. */
function toolOf(doc: AicfDocument, { text, tree, number }: PlacedLine): string | undefined {
  if (tree.command === 'CALL') return fieldText(text, tree, 0);
  const length = number === 0 ? 0 : doc.text.lineStart(number) - doc.text.lineStart(number - 1);
  if (length === 0 || length > LONGEST_CALL) return undefined;
  const above = readLineAt(doc, number - 1);
  return above.tree.command === 'CALL' ? fieldText(above.text, above.tree, 0) : undefined;
}
