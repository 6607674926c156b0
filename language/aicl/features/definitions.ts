import { readDefinition, type Definition } from '../../variables.ts';
import { shiftSpan } from '../../../core/text/span.ts';
import type { AiclDocument } from '../document.ts';
import type { UnitContent } from '../unit.ts';

/** What container lines define, from the start of the line: read once for all versions of a file. */
const KEPT = new WeakMap<UnitContent, { readonly definition: Definition | undefined }>();

/** The variables and named requests that container lines define, in their order. */
export function definitions(doc: AiclDocument): readonly Definition[] {
  const found: Definition[] = [];
  for (let index = 0; index < doc.units.count; index++) {
    const content = doc.units.contentAt(index);
    const unit = content?.kind === 'container' ? doc.units.at(index) : undefined;
    if (!content || !unit) continue;
    let kept = KEPT.get(content);
    if (!kept) {
      kept = { definition: readDefinition(doc.text.slice(unit.start, unit.end), 0) };
      KEPT.set(content, kept);
    }
    const { definition } = kept;
    if (definition) found.push({ ...definition, span: shiftSpan(definition.span, unit.start) });
  }
  return found;
}
