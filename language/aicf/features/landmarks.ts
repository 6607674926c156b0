import { readDirective } from '../../directives.ts';
import { LandmarkList, type Landmark } from '../../feature-results.ts';
import { fieldText, isContainerLine, isRequestLine } from '../ast.ts';
import { listLines, type PlacedLine, type AicfDocument } from '../parse.ts';
import { listContextSections } from '../sections.ts';
import { requestTitle } from './requests.ts';

/**
 * The declared tools and the requests of a file, the latter under the name in a preceding `# @name`; for a
 * context file its sections.
 */
export function landmarks(doc: AicfDocument): readonly Landmark[] {
  const found = new LandmarkList();
  if (doc.dialect === 'context') {
    for (const { name, span } of listContextSections(doc))
      found.add({ name: `@${name}`, kind: 'section', container: '', span });
    return found.all();
  }
  let given: string | undefined;
  for (const line of listLines(doc)) {
    const { text, tree } = line;
    if (isContainerLine(tree)) {
      const directive = tree.kind === 'comment' ? readDirective(text) : undefined;
      if (directive?.name === 'name') given = directive.value;
      continue;
    }
    if (tree.command === 'TOOL') found.add(toLandmark(line, 'tool', fieldText(text, tree, 0)));
    else if (isRequestLine(tree)) found.add(toLandmark(line, 'request', given ?? requestTitle(line)));
    given = undefined;
  }
  return found.all();
}

function toLandmark({ tree, start }: PlacedLine, kind: Landmark['kind'], name: string): Landmark {
  return { name, kind, container: '', span: { start: start + tree.word.start, end: start + tree.end } };
}
