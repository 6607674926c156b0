import { MAX_HINTS, type TextHint } from '../../feature-results.ts';
import { base85TextLength } from '../../../tensor/base85.ts';
import { showBytes } from '../../../tensor/size-words.ts';
import { countOf } from '../../../core/text/count.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import { contentSpan } from '../ast.ts';
import type { AiclDocument } from '../document.ts';
import { escapeHints } from './escape-hints.ts';
import { gatherFacts, openTensor, readHead, type TensorFacts, type TensorHead } from './tensor-facts.ts';
import { listFacts, summarizeFacts } from './tensor-words.ts';
import { findTensors, type FoundTensor } from './tensors.ts';

/**
 * Inlay hints: the character of each escape in a text; before the data of a tensor its size and statistics of its
 * elements (reading of LightAICL 3.3). Data type and shape are next to the hint and not repeated. For omitted or faulty
 * data only the size is shown; a tensor with an unreadable type or shape, or with an impossible size, has no hint.
 */
export function hints(doc: AiclDocument, span: Span): readonly TextHint[] {
  const found: TextHint[] = [];
  for (const hint of escapeHints(doc, span)) if (found.push(hint) >= MAX_HINTS) break;
  const reader = new FactsReader(doc);
  for (const tensor of findTensors(doc, span)) {
    if (found.length >= MAX_HINTS) break;
    const { unit, reading, atom } = tensor;
    const head = readHead(reading.text, shiftSpan(contentSpan(atom), reading.base));
    if (!head) continue;
    const offset = unit.start + head.parts.payload.start - reading.base;
    const words = offset < span.start || offset > span.end ? undefined : describe(head, reader, tensor);
    if (words) found.push({ offset, kind: 'type', ...words });
  }
  return found;
}

function describe(
  head: TensorHead,
  reader: FactsReader,
  tensor: FoundTensor,
): Pick<TextHint, 'label' | 'tooltip'> | undefined {
  const { dtype, dimensions, bytes: exact } = head;
  if (!dtype || !dimensions || exact === undefined || exact > BigInt(Number.MAX_SAFE_INTEGER))
    return undefined;
  const bytes = Number(exact);
  const elements = countOf(bytes / dtype.bytes, 'element');
  const size = `${countOf(bytes, 'byte')}, ${countOf(base85TextLength(bytes), 'character')} of Base85`;
  const sizeLine = `${elements} of ${countOf(dtype.bytes, 'byte')} each: ${size}`;
  const facts = reader.read(tensor, head);
  const summary = typeof facts === 'string' ? '' : summarizeFacts(facts);
  if (typeof facts !== 'string' && summary !== '')
    return { label: `${showBytes(bytes)} · ${summary}`, tooltip: [sizeLine, ...listFacts(facts)].join('\n') };
  return {
    label: dimensions.length === 1 ? showBytes(bytes) : `${elements} · ${showBytes(bytes)}`,
    tooltip: facts === 'later' ? `${sizeLine}\n${LATER}` : sizeLine,
  };
}

const LATER = 'Too much data for one response: the next one includes its statistics';
/** Maximum number of data characters read per request. Results are cached, so that the next request can show more. */
const MAX_CHARACTERS = 10_000_000;

/** Cached facts of sound tensors, by an owner that edits elsewhere do not change: a long atom, or a whole unit. */
const CACHE = new WeakMap<object, Map<number, TensorFacts | 'unsound'>>();

/** Gathers facts about tensors, once per tensor until an edit changes it. */
class FactsReader {
  readonly #doc: AiclDocument;
  #left = MAX_CHARACTERS;

  constructor(doc: AiclDocument) {
    this.#doc = doc;
  }

  /** `unsound` for a tensor with omitted or faulty data, `later` if the limit per request is reached. */
  read({ index, atom, reading }: FoundTensor, head: TensorHead): TensorFacts | 'unsound' | 'later' {
    const owner = atom.origin ?? this.#doc.units.contentAt(index) ?? {};
    const place = atom.origin ? 0 : atom.start;
    const cached = CACHE.get(owner) ?? new Map<number, TensorFacts | 'unsound'>();
    CACHE.set(owner, cached);
    const known = cached.get(place);
    if (known || this.#left <= 0) return known ?? 'later';
    const { start, end } = head.parts.payload;
    this.#left -= end - start;
    this.#doc.work.count += end - start;
    const sound = openTensor(reading.text, head);
    const facts = sound ? gatherFacts(sound) : 'unsound';
    cached.set(place, facts);
    return facts;
  }
}
