import { readDefinition, type Definition } from '../../variables.ts';
import { shiftSpan } from '../../../core/text/span.ts';
import type { AiclDocument } from '../document.ts';
import type { UnitContent } from '../unit.ts';

/**
 * Cached definitions of container lines, shared by all versions of a file; offsets are relative to the start
 * of the line.
 */
const CACHE = new WeakMap<UnitContent, { readonly definition: Definition | undefined }>();

/** The variables and named requests that container lines define, in order. */
export function definitions(doc: AiclDocument): readonly Definition[] {
  const found: Definition[] = [];
  for (let index = 0; index < doc.units.count; index++) {
    const content = doc.units.contentAt(index);
    const unit = content?.kind === 'container' ? doc.units.at(index) : undefined;
    if (!content || !unit) continue;
    let cached = CACHE.get(content);
    if (!cached) {
      cached = { definition: readDefinition(doc.text.slice(unit.start, unit.end), 0) };
      CACHE.set(content, cached);
    }
    const { definition } = cached;
    if (definition) found.push({ ...definition, span: shiftSpan(definition.span, unit.start) });
  }
  return found;
}
