import type { MessageTypeName } from '../../../core/catalog/aicl.ts';
import { readDirective } from '../../directives.ts';
import { LandmarkList, type Landmark } from '../../feature-results.ts';
import type { AiclDocument } from '../document.ts';

const ERROR: MessageTypeName = 'error';

/**
 * The sessions of a file at their first messages, and its requests and errors by title, or by the name in a
 * preceding `# @name`. Uses unit summaries only.
 */
export function landmarks(doc: AiclDocument): readonly Landmark[] {
  const found = new LandmarkList();
  let given: string | undefined;
  for (const { kind, summary, start, end } of doc.units) {
    if (kind === 'container') {
      const directive = readDirective(doc.text.slice(start, end));
      if (directive?.name === 'name') given = directive.value;
      continue;
    }
    if (kind === 'message') {
      const { messageType, session, title } = summary;
      const span = { start, end };
      found.add({ name: session, kind: 'session', container: '', span });
      const isError = messageType === ERROR;
      found.add({ name: given ?? title, kind: isError ? 'error' : 'request', container: session, span });
    }
    given = undefined;
  }
  return found.all();
}
